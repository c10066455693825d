package search_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/search"
)

// huge skips what takes long or much room unless HELVE_HUGE is set.
func huge(t *testing.T) {
	if os.Getenv("HELVE_HUGE") == "" {
		t.Skip("set HELVE_HUGE to run this")
	}
}

// grown checks that f does not make the process much larger. What the runtime
// has had from the system never shrinks, so it is the most there was.
func grown(t *testing.T, f func()) {
	t.Helper()
	debug.FreeOSMemory()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if more := int64(after.Sys-before.Sys) >> 20; more > 64 {
		t.Errorf("%d MiB more memory", more)
	}
}

func write(t *testing.T, dir, name string, fill func(w *bufio.Writer)) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	fill(w)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestHugeLog(t *testing.T) {
	huge(t)
	dir := t.TempDir()
	const lines = 12_000_000
	write(t, dir, "log", func(w *bufio.Writer) {
		for i := range lines {
			if i == 9_876_543 {
				_, _ = fmt.Fprintln(w, "here is the needle") // write checks Flush, which tells the first error
				continue
			}
			_, _ = fmt.Fprintf(w, "%08d a line of a log that has about ninety bytes, none of which is of interest to anyone\n", i) // write checks Flush, which tells the first error
		}
	})
	for _, p := range []string{"needle", "(?i)NEEDLE", `n\w{4}e$`, "[m-o]e{2}[a-f]le"} {
		grown(t, func() {
			r := grep(t, root(t, dir), search.GrepOptions{Pattern: p})
			if got := text(r); got != "log:9876544:here is the needle\n" {
				t.Errorf("%s: %s", p, got)
			}
		})
	}
}

func TestHugeLine(t *testing.T) {
	huge(t)
	dir := t.TempDir()
	write(t, dir, "data.json", func(w *bufio.Writer) {
		_, _ = w.WriteString(`{"items":[`) // write checks Flush, which tells the first error
		for i := range 7_000_000 {
			_, _ = fmt.Fprintf(w, `{"id":%d,"name":"an item of a list"},`, i) // write checks Flush, which tells the first error
			if i == 5_000_000 {
				_, _ = w.WriteString(`{"needle":1},`) // write checks Flush, which tells the first error
			}
		}
		_, _ = w.WriteString("0]}") // write checks Flush, which tells the first error
	})
	for _, p := range []string{"needle", "(?i)NEEDLE", `n\w{4}e"`, "[m-o]e{2}[a-f]le"} {
		grown(t, func() {
			r := grep(t, root(t, dir), search.GrepOptions{Pattern: p})
			if len(r.Files) != 1 || len(r.Files[0].Lines) != 1 || !strings.Contains(r.Files[0].Lines[0].Text, "5000000") || len(r.Files[0].Lines[0].Text) > 450 {
				t.Errorf("%s: %+v", p, r)
			}
		})
	}
}

func TestHugeTree(t *testing.T) {
	huge(t)
	dir := t.TempDir()
	for i := range 200 {
		sub := filepath.Join(dir, fmt.Sprintf("d%03d", i))
		if err := os.Mkdir(sub, 0o755); err != nil {
			t.Fatal(err)
		}
		for j := range 1000 {
			if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("f%04d", j)), []byte("some text\nfoo\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	grown(t, func() {
		all := grep(t, root(t, dir), search.GrepOptions{Pattern: "foo", Total: true, Limit: 1})
		one := grep(t, root(t, dir), search.GrepOptions{Pattern: "foo", Limit: 1})
		if all.TotalMatches != 200_000 || all.FilesSearched != 200_000 || one.FilesSearched > 2000 {
			t.Errorf("%d of %d files, %d for one", all.TotalMatches, all.FilesSearched, one.FilesSearched)
		}
		if diff := cmp.Diff(all.Files, one.Files); diff != "" {
			t.Error(diff)
		}
	})
}
