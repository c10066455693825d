package search_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/search/pattern"
)

// A search that ignores case if nothing matches returns what the two searches would.
func TestRelax(t *testing.T) {
	t.Parallel()
	r := strings.Repeat
	wide := func(s string) string { return "\xff\xfe" + strings.Join(strings.Split(s, ""), "\x00") + "\x00" }
	dir := tree(t, map[string]string{
		"a/small":    "one\nNeedle two\nthree\n",
		"a/other":    "one Two\nthree\n",
		"b/binary":   "NEEDLE\x00\n",
		"b/document": "PK\x03\x04\x14\x00\x00\x00\x00\x00[Content_Types].xml word/document.xml NEEDLE\n",
		"b/crlf":     "one\r\nNEEDLE\r\n",
		"b/rich":     "{\\rtf1\\ansi NEEDLE}\n",
		"b/stored":   "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 NEEDLE \xe9\n",
		"c/latin":    "caf\xe9 NEEDLE\n",
		"c/mixed":    "caf\u00e9 NEEDLE \xe9\xe8\n",
		"c/wide":     wide("one\nNEEDLE two\n"),
		"d/large":    r("hay\n", 100_000) + "NEEDLE\n" + r("hay\n", 9) + "needLE Two\n",
		"d/long":     r("x", 3<<20) + "NEEDLE" + r("y", 9) + "\nTHREE\n",
		"d/larger":   r("hay in a stack, and more of it in the next one\n", 90_000) + "NEEDLE\n" + r("hay\n", 9) + "two NEEDLE\nTHREE",
		"d/spanning": r("hay\n", 100_000) + "oneX\nNEEDLE\n",
		"d/widest":   wide(r("hay\n", 90_000) + "NEEDLE\n"),
		"kelvin":     "loo\u212a\n",
	})
	root := root(t, dir)
	for _, text := range []string{
		"needle", "Needle", "nEEdle", "NEEDLE", "two", "TWO", `n\w+le`, `N\w+lE`, `[n]eedLE$`, "^neeDLe", `nEEdle|twO`, `onex\nneedle`, `ONE\nNEEDLE`,
		`needl[^e]`, `needl[^x]`, `\p{Lu}eedle`, `[[:^upper:]]EEDLE`, `\w{5}lE`, "caf\u00e9 needle", "nothing", "NOTHING[0-9]", "Thre\u00e9", "look", `(?i)needle`, `\d+`, `thREE`,
	} {
		for _, path := range []string{"", "b/binary", "d/large", "kelvin"} {
			if path != "" && len(text) > 6 {
				continue
			}
			for i, o := range []search.GrepOptions{
				{}, {Limit: 1}, {Limit: 2, Offset: 1}, {Mode: search.Files}, {Mode: search.Count, Limit: 2}, {Total: true, Limit: 1}, {PerFile: 1, After: 1},
				{Options: pattern.Options{Word: true}, Around: 2}, {Options: pattern.Options{Multiline: true}}, {Globs: []string{"d/*"}}, {Options: pattern.Options{Literal: true}},
			} {
				o.Pattern, o.Path = text, path
				o.Decode = func(sample []byte) (search.Part, bool) { return latin, !bytes.Contains(sample, []byte("\xe9\xe8")) }
				want := grep(t, root, o)
				if want.TotalFiles == 0 {
					searched := want.FilesSearched
					o.IgnoreCase = true
					want = grep(t, root, o)
					want.FilesSearched, want.Relaxed = searched, want.TotalFiles > 0
				}
				o.IgnoreCase, o.Relax = false, true
				got := grep(t, root, o)
				if !want.TotalExact { // how far it looked depends on the workers
					want.FilesSearched, want.TotalFiles, want.TotalMatches, want.Skipped = got.FilesSearched, got.TotalFiles, got.TotalMatches, got.Skipped
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%q in %q, options %d: %s", text, path, i, diff)
				}
			}
		}
	}
}

// Files that match only if case is ignored may be more than a search keeps.
func TestRelaxMany(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 12_000 {
		files[fmt.Sprintf("%s/%05d", strings.Repeat("d", 100), i)] = "Needle\n"
	}
	dir := tree(t, files)
	r := grep(t, root(t, dir), search.GrepOptions{Pattern: "needle", Relax: true, Mode: search.Files, Limit: math.MaxInt32 / 2})
	if !r.Relaxed || r.TotalFiles != len(files) || r.FilesSearched != len(files) {
		t.Error(r.Relaxed, r.TotalFiles, r.FilesSearched)
	}
}
