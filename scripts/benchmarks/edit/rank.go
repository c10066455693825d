package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/shown"
)

// corpus is a source of files of a language: a package manager's cache.
type corpus struct {
	name string
	dirs []string // patterns
	ext  []string
}

// drifted is a block that somebody changed after a caller had copied it.
type drifted struct {
	Language string   `json:"-"`
	Kind     string   `json:"-"`
	File     string   `json:"-"`
	Old      []string `json:"old"`  // what the caller has
	Text     []string `json:"text"` // the file as it is now
	Was      []string `json:"-"`    // the file as the caller read it
	line     int      // where the block was then, from 1
	from, to int      // where the block is now, from 0 and half open
	twin     bool     // another place of the file is much like the block
}

// span is a range of lines, from 0 and half open. An empty one is no place.
type span struct{ from, to int }

// right reports whether a place is the one that drifted: half of either is in the
// other.
func (d *drifted) right(s span) bool {
	common := min(s.to, d.to) - max(s.from, d.from)
	return 2*common >= max(s.to, d.to)-min(s.from, d.from)
}

// way is a way to find the place of a text that is not in the file.
type way struct {
	name  string
	first []span // for each block
}

// rank measures how often the first candidate of a miss is the place that drifted, in
// files that were not read before, there with the line where the block was as line_hint,
// and in those that were read, beside what other matchers take for it.
func rank(seed uint64, blocks int, show bool) {
	all := drifts(rand.New(rand.NewPCG(seed, 4)), blocks)
	own, hinted, reader := way{name: "helve"}, way{name: "helve, line"}, way{name: "helve, read"}
	asked := 0
	for i := range all {
		d := &all[i]
		s := d.offered(edit.Options{Path: d.File}, 0)
		if s != (span{}) {
			asked++
		}
		own.first = append(own.first, s)
		hinted.first = append(hinted.first, d.offered(edit.Options{Path: d.File}, d.line))
		reader.first = append(reader.first, d.offered(edit.Options{Path: d.File, Shown: []shown.Version{{Text: strings.Join(d.Was, "\n") + "\n"}}}, 0))
		if show && s != (span{}) && !d.right(s) {
			say("--- %s:%d-%d (%s), not %d-%d\n%s\n--- is\n%s\n--- taken for it\n%s\n", d.File, d.from+1, d.to, d.Kind, s.from+1, s.to,
				strings.Join(d.Old, "\n"), strings.Join(d.Text[d.from:d.to], "\n"), strings.Join(d.Text[s.from:s.to], "\n"))
		}
	}
	exact, lev := way{name: "exact"}, way{name: "Levenshtein"}
	for i := range all {
		exact.first = append(exact.first, span{}) // by construction, the text is not there
		lev.first = append(lev.first, all[i].nearest(nil))
	}
	ways := []way{own, hinted, reader, exact, lev}
	if _, err := exec.LookPath("python3"); err == nil {
		ways = append(ways, difflib(all))
	}
	say("\nthe first place offered for a block that drifted, of %d that %d misses have candidates for\n", len(all), asked)
	say("%-28s %6s", "blocks", "misses")
	for _, w := range ways {
		say(" %12s", w.name)
	}
	say("\n")
	row := func(name string, in func(d *drifted) bool) {
		n, right := 0, make([]int, len(ways))
		for i := range all {
			if d := &all[i]; in(d) && own.first[i] != (span{}) {
				n++
				for k, w := range ways {
					if d.right(w.first[i]) {
						right[k]++
					}
				}
			}
		}
		if n == 0 {
			return
		}
		say("%-28s %6d", name, n)
		for _, r := range right {
			say(" %11.2f%%", 100*float64(r)/float64(n))
		}
		say("\n")
	}
	row("all", func(*drifted) bool { return true })
	row("with a look-alike", func(d *drifted) bool { return d.twin })
	for _, c := range corpora() {
		row(c.name, func(d *drifted) bool { return d.Language == c.name })
	}
	for _, k := range kinds {
		row(k.name, func(d *drifted) bool { return d.Kind == k.name })
	}
}

// offered returns the place that the error of an edit names first. hint is its line_hint.
func (d *drifted) offered(o edit.Options, hint int) span {
	_, err := edit.Apply(strings.Join(d.Text, "\n")+"\n", []edit.Edit{{Old: strings.Join(d.Old, "\n") + "\n", New: "\x01\n", LineHint: hint}}, o)
	f, ok := fault.As(err).Details.(edit.Failure)
	switch {
	case ok && len(f.Candidates) > 0:
		return span{f.Candidates[0].Start - 1, f.Candidates[0].End}
	case ok && f.Current != nil:
		return span{f.Current.Start - 1, f.Current.End}
	}
	return span{}
}

func corpora() []corpus {
	out, err := exec.CommandContext(context.Background(), "go", "env", "GOMODCACHE").Output()
	if err != nil {
		fatal(err)
	}
	modules := strings.TrimSpace(string(out))
	return []corpus{
		{"Go", []string{modules + "/github.com/*/*", modules + "/golang.org/x/*"}, []string{".go"}},
		{"Python", []string{"/usr/lib/python3*", "/usr/local/lib/python3*/dist-packages"}, []string{".py"}},
		{"JavaScript", []string{"/usr/share/nodejs", "/usr/lib/node_modules", "/usr/share/javascript", "../*/node_modules", modules + "/github.com/*/*"}, []string{".js", ".mjs", ".ts", ".tsx"}},
		{"Markdown", []string{modules + "/github.com/*/*", "/usr/share/nodejs"}, []string{".md"}},
	}
}

// texts returns up to n files of a corpus, chosen by chance.
func (c corpus) texts(r *rand.Rand, n int) (names []string) {
	for _, pattern := range c.dirs {
		roots, _ := filepath.Glob(pattern) // the patterns are ours
		for _, root := range roots {
			of := 0
			// Trees that cannot be read are left out.
			_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
				switch {
				case err != nil || of > 400:
					return fs.SkipAll
				case !d.IsDir() && slices.Contains(c.ext, filepath.Ext(path)) && !strings.Contains(path, ".min."):
					names = append(names, path)
					of++
				}
				return nil
			})
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:min(n, len(names))]
}

// drifts returns n blocks, as many of each language, one of a file.
func drifts(r *rand.Rand, n int) []drifted {
	var all []drifted
	for _, c := range corpora() {
		names := c.texts(r, 4000)
		taken := 0
		for _, name := range names {
			if taken >= (n+3)/4 {
				break
			}
			lines, ok := readLines(name)
			if !ok {
				continue
			}
			for range 4 {
				d, ok := drift1(r, c.name, name, lines)
				if ok {
					all = append(all, d)
					taken++
					break
				}
			}
		}
	}
	return all
}

// kind is a way in which somebody changes some lines. other is a line of the file.
type kind struct {
	name string
	do   func(r *rand.Rand, lines []string, other string) []string
}

var kinds = []kind{
	{"a word changed", func(r *rand.Rand, l []string, o string) []string { return reworded(r, l, r.IntN(len(l)), o) }},
	{"first line changed", func(r *rand.Rand, l []string, o string) []string { return reworded(r, l, 0, o) }},
	{"last line changed", func(r *rand.Rand, l []string, o string) []string { return reworded(r, l, len(l)-1, o) }},
	{"two words changed", func(r *rand.Rand, l []string, o string) []string {
		return reworded(r, reworded(r, l, r.IntN(len(l)), o), r.IntN(len(l)), o)
	}},
	{"a line replaced", func(r *rand.Rand, l []string, o string) []string {
		i := r.IntN(len(l))
		return slices.Concat(l[:i], []string{lead(l[i]) + strings.TrimSpace(o)}, l[i+1:])
	}},
	{"a line added", func(r *rand.Rand, l []string, o string) []string {
		return slices.Insert(slices.Clone(l), 1+r.IntN(len(l)-1), o)
	}},
	{"a line removed", func(r *rand.Rand, l []string, _ string) []string {
		i := r.IntN(len(l))
		return slices.Delete(slices.Clone(l), i, i+1)
	}},
	{"indented and a word changed", func(r *rand.Rand, l []string, o string) []string {
		return each(func(s string) string { return "    " + s })(nil, reworded(r, l, r.IntN(len(l)), o))
	}},
}

func lead(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " \t"))] }

// reworded changes a word of a line to one of another line.
func reworded(r *rand.Rand, lines []string, i int, other string) []string {
	word := regexp.MustCompile(`\pL[\pL\d_]*`)
	at, from := word.FindAllStringIndex(lines[i], -1), word.FindAllString(other, -1)
	if len(at) == 0 || len(from) == 0 {
		return lines
	}
	out := slices.Clone(lines)
	w := at[r.IntN(len(at))]
	out[i] = out[i][:w[0]] + from[r.IntN(len(from))] + out[i][w[1]:]
	return out
}

// drift1 takes a block of 2 to 10 lines, changes it, and adds lines above it. ok is
// false if the block is found all the same, or was no single one before.
func drift1(r *rand.Rand, language, name string, lines []string) (d drifted, ok bool) {
	n := 2 + r.IntN(9)
	if len(lines) < 3*n {
		return d, false
	}
	start := r.IntN(len(lines) - n)
	old := lines[start : start+n]
	k := kinds[r.IntN(len(kinds))]
	if solid(old) < 16 || strings.TrimSpace(old[0]) == "" || strings.TrimSpace(old[n-1]) == "" || found(lines, old) != 1 {
		return d, false
	}
	now := k.do(r, old, filled(r, lines))
	above := []string{"// something that was not there", ""}[:r.IntN(3)]
	text := slices.Concat(above, lines[:start], now, lines[start+n:])
	d = drifted{Language: language, Kind: k.name, File: name, Old: old, Text: text, Was: lines, line: start + 1, from: len(above) + start, to: len(above) + start + len(now)}
	_, err := edit.Apply(strings.Join(text, "\n")+"\n", []edit.Edit{{Old: strings.Join(old, "\n") + "\n", New: "\x01\n"}}, edit.Options{Path: name})
	if !fault.Is(err, fault.TextNotFound) {
		return d, false
	}
	best := d.nearest(&span{d.from, d.to})
	d.twin = best.to > 0 && alike(old, text[best.from:best.to]) > 0.6
	return d, true
}

// filled returns some line that is not blank.
func filled(r *rand.Rand, lines []string) string {
	for range 50 {
		if l := lines[r.IntN(len(lines))]; len(strings.TrimSpace(l)) > 3 {
			return l
		}
	}
	return "something()"
}

func found(lines, block []string) (n int) {
	for i := range len(lines) - len(block) + 1 {
		if slices.Equal(lines[i:i+len(block)], block) {
			n++
		}
	}
	return n
}

// nearest returns the lines with the least edit distance from the block, of as many
// lines, line by line. Lines of a range may be left out.
func (d *drifted) nearest(without *span) (best span) {
	n := len(d.Old)
	sums := make([]int, max(0, len(d.Text)-n+1))
	for i, o := range d.Old {
		known := make(map[string]int)
		for at := range sums {
			l := d.Text[at+i]
			if _, ok := known[l]; !ok {
				known[l] = distance(strings.TrimSpace(o), strings.TrimSpace(l))
			}
			sums[at] += known[l]
		}
	}
	least := -1
	for at, s := range sums {
		if without != nil && at < without.to && at+n > without.from {
			continue
		}
		if least < 0 || s < least {
			least, best = s, span{at, at + n}
		}
	}
	return best
}

// alike returns how much of two blocks of as many lines is the same, 0 to 1.
func alike(a, b []string) float64 {
	far, size := 0, 0
	for i := range a {
		x, y := strings.TrimSpace(a[i]), strings.TrimSpace(b[i])
		far += distance(x, y)
		size += max(len(x), len(y))
	}
	return 1 - float64(far)/float64(max(1, size))
}

// distance is Levenshtein's, of the first 120 bytes.
func distance(a, b string) int {
	const most = 120
	a, b = a[:min(len(a), most)], b[:min(len(b), most)]
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

//go:embed difflib.py
var difflibProgram string

// difflib asks Python's difflib for the most similar window of lines.
func difflib(all []drifted) way {
	input, err := json.Marshal(all)
	if err != nil {
		fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), "python3", "-c", difflibProgram)
	cmd.Stdin = strings.NewReader(string(input))
	out, err := cmd.Output()
	if err != nil {
		fatal(fmt.Errorf("difflib: %w", err))
	}
	var starts []int
	if err := json.Unmarshal(out, &starts); err != nil {
		fatal(err)
	}
	w := way{name: "difflib"}
	for i, at := range starts {
		w.first = append(w.first, span{at, min(len(all[i].Text), at+len(all[i].Old))})
	}
	return w
}

// readLines reads a text file of 30 to 1500 lines.
func readLines(name string) ([]string, bool) {
	raw, err := readFile(name)
	if err != nil || strings.ContainsAny(raw, "\r\x00") {
		return nil, false
	}
	lines := strings.Split(strings.TrimSuffix(raw, "\n"), "\n")
	longest := slices.MaxFunc(lines, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	return lines, len(lines) >= 30 && len(lines) <= 1500 && len(longest) < 2000
}
