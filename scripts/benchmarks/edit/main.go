// Command edit measures how many replacements land where they should when the text to
// be replaced was copied badly, and that none lands where it should not. It
// takes blocks of lines from the Go source tree, damages them in the ways in
// which callers do, and makes an edit of each.
//
//	scripts/run benchmarks/edit [-n blocks] [-dir source] [-show damage] [-rank blocks] [-format files] [-seed n]
//
// It also takes blocks from package caches, changes them as somebody else would, and
// says how often the first candidate of the miss is the place that changed; it edits
// files that changed since they were read, with a session's record of what was read; and
// it has gofmt, black and prettier run through helve exec between read and edit. Of the
// last two, those that the machine lacks are installed in a temporary directory.
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
)

// block is some lines of a file, and what they become.
type block struct {
	file       string
	src        string
	start, end int // lines, from 0 and half open
	old, new   []string
}

// damage is a way in which a caller misquotes a text.
type damage struct {
	name string
	do   func(old, lines []string) []string // to lines of an edit that replaces old
}

var damages = []damage{
	{"none", func(_, l []string) []string { return l }},
	{"trailing space added", each(func(s string) string { return s + "  " })},
	{"trailing space added to old", func(old, l []string) []string {
		if &old[0] != &l[0] {
			return l
		}
		return each(func(s string) string { return s + "\t" })(old, l)
	}},
	{"tabs as 4 spaces", each(tabsAs(4))},
	{"tabs as 2 spaces", each(tabsAs(2))},
	{"dedented", dedent},
	{"indented by one tab more", each(func(s string) string { return "\t" + s })},
	{"dedented, tabs as 4 spaces", func(old, l []string) []string { return each(tabsAs(4))(old, dedent(old, l)) }},
	{"leading white space lost", each(func(s string) string { return strings.TrimLeft(s, " \t") })},
	{"quotes curled", each(curl)},
	{"CRLF", each(func(s string) string { return s + "\r" })},
	{"line numbers", func(_, l []string) []string {
		out := make([]string, len(l))
		for i, s := range l {
			out[i] = fmt.Sprintf("%d|%s", 100+i, s)
		}
		return out
	}},
	{"blank lines around", func(_, l []string) []string { return append(append([]string{""}, l...), "") }},
}

func each(f func(string) string) func(old, lines []string) []string {
	return func(_, lines []string) []string {
		out := make([]string, len(lines))
		for i, l := range lines {
			if out[i] = l; strings.TrimSpace(l) != "" {
				out[i] = f(l)
			}
		}
		return out
	}
}

func tabsAs(width int) func(string) string {
	return func(s string) string {
		body := strings.TrimLeft(s, "\t")
		return strings.Repeat(" ", width*(len(s)-len(body))) + body
	}
}

// dedent takes away what all old lines that are not blank begin with.
func dedent(old, lines []string) []string {
	common, first := "", true
	for _, l := range old {
		if strings.TrimSpace(l) == "" {
			continue
		}
		lead := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
		if first {
			common, first = lead, false
		}
		for !strings.HasPrefix(lead, common) {
			common = common[:len(common)-1]
		}
	}
	return each(func(s string) string { return strings.TrimPrefix(s, common) })(old, lines)
}

func curl(s string) string {
	open := true
	return strings.Map(func(r rune) rune {
		switch r {
		case '"':
			if open = !open; open {
				return '”'
			}
			return '“'
		case '\'':
			return '’'
		}
		return r
	}, s)
}

// sources reads the Go files of a tree.
func sources(dir string) (map[string]string, []string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && d.Name() == "testdata" {
				return fs.SkipDir
			}
			return err
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		raw, err := os.ReadFile(path)
		if err == nil && len(raw) < 200<<10 && strings.Count(string(raw), "\n") > 20 {
			files[path] = string(raw)
		}
		return err
	})
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return files, names, err
}

// pick chooses a block of 1 to 8 lines, and changes one line of it, adds one
// that is a level deeper, or takes one away.
func pick(r *rand.Rand, name, src string) block {
	lines := strings.Split(strings.TrimSuffix(src, "\n"), "\n")
	n := 1 + r.IntN(8)
	start := r.IntN(len(lines) - n)
	b := block{file: name, src: src, start: start, end: start + n, old: lines[start : start+n]}
	i := r.IntN(n)
	for k := range n { // a blank line says nothing about the indentation of others
		if j := (i + k) % n; strings.TrimSpace(b.old[j]) != "" {
			i = j
			break
		}
	}
	lead := b.old[i][:len(b.old[i])-len(strings.TrimLeft(b.old[i], "\t"))]
	switch r.IntN(3) {
	case 0:
		b.new = slices.Concat(b.old[:i], []string{lead + "changedLine(123)"}, b.old[i+1:])
	case 1:
		b.new = slices.Concat(b.old[:i+1], []string{lead + "if added {", lead + "\tinner()", lead + "}"}, b.old[i+1:])
	default:
		b.new = slices.Concat(b.old[:i], b.old[i+1:], []string{lead + "moved()"})
	}
	return b
}

// want is the file as it should be.
func (b block) want() string {
	lines := strings.SplitAfter(b.src, "\n")
	return strings.Join(lines[:b.start], "") + strings.Join(b.new, "\n") + "\n" + strings.Join(lines[b.end:], "")
}

// outcome counts what became of the edits with one damage.
type outcome struct {
	right, wrong, indented, ambiguous, refused int
}

func (o outcome) total() int { return o.right + o.wrong + o.indented + o.ambiguous + o.refused }

// squash leaves nothing of a text but what is not white space.
func squash(s string) string { return strings.Join(strings.Fields(s), " ") }

func main() {
	blocks := flag.Int("n", 5000, "blocks to take")
	dir := flag.String("dir", "", "source tree; default: that of the Go installation")
	show := flag.String("show", "", "print the edits with this damage that went wrong")
	ranked := flag.Int("rank", 800, "blocks of Go, Python, JavaScript and Markdown to find after they drifted; 0 for none")
	formatted := flag.Int("format", 30, "files that each formatter changes between read and edit; 0 for none")
	seed := flag.Uint64("seed", 3, "of the choice of these blocks and files")
	flag.Parse()
	if *blocks == 0 {
		if *formatted > 0 {
			exitUnless(reformat(rand.New(rand.NewPCG(*seed, 5)), *formatted))
		}
		if *ranked > 0 {
			rank(*seed, *ranked, *show == "rank")
		}
		return
	}
	if *dir == "" {
		out, err := exec.CommandContext(context.Background(), "go", "env", "GOROOT").Output()
		if err != nil {
			fatal(err)
		}
		*dir = filepath.Join(strings.TrimSpace(string(out)), "src")
	}
	files, names, err := sources(*dir)
	if err != nil {
		fatal(err)
	}
	if len(names) == 0 {
		fatal(fmt.Errorf("no Go files in %s", *dir))
	}
	r := rand.New(rand.NewPCG(1, 2))
	picked := make([]block, 0, *blocks)
	for len(picked) < *blocks {
		name := names[r.IntN(len(names))]
		b := pick(r, name, files[name])
		once := strings.Count(b.src, strings.Join(b.old, "\n")+"\n") == 1 // else no caller could have meant it
		if once && solid(b.old) >= 6 && b.want() != b.src {
			picked = append(picked, b)
		}
	}

	say("%d blocks of 1 to 8 lines from %d files\n\n", len(picked), len(names))
	say("%-28s %6s %7s %7s %9s %9s %9s\n", "damage", "blocks", "right", "wrong", "indented", "ambiguous", "refused")
	for _, d := range damages {
		o := outcome{}
		for _, b := range picked {
			if d.name == "none" || !slices.Equal(d.do(b.old, b.old), b.old) {
				verdict(&o, d, b, *show == d.name)
			}
		}
		n := float64(o.total())
		say("%-28s %6.0f %6.2f%% %6.2f%% %8.2f%% %8.2f%% %8.2f%%\n", d.name, n, 100*float64(o.right)/n, 100*float64(o.wrong)/n,
			100*float64(o.indented)/n, 100*float64(o.ambiguous)/n, 100*float64(o.refused)/n)
	}
	say("\nwrong: another place or text; indented: right place and text, other white space; ambiguous: found more than once\n")
	drift(r, picked)
	record(r, files, names)
	memory()
	if *formatted > 0 {
		exitUnless(reformat(rand.New(rand.NewPCG(*seed, 5)), *formatted))
	}
	if *ranked > 0 {
		rank(*seed, *ranked, *show == "rank")
	}
}

func readFile(name string) (string, error) {
	raw, err := os.ReadFile(name)
	return string(raw), err
}

func solid(lines []string) int {
	return len(strings.Join(strings.Fields(strings.Join(lines, " ")), ""))
}

// verdict makes one edit and says what became of it.
func verdict(o *outcome, d damage, b block, show bool) {
	old, now := strings.Join(d.do(b.old, b.old), "\n")+"\n", strings.Join(d.do(b.old, b.new), "\n")+"\n"
	res, err := edit.Apply(b.src, []edit.Edit{{Old: old, New: now}}, edit.Options{Path: b.file})
	want := b.want()
	switch {
	case err == nil && res.Text == want:
		o.right++
		return
	case fault.Is(err, fault.TextAmbiguous):
		o.ambiguous++
		return
	case err != nil:
		o.refused++
	case squash(straight(res.Text)) == squash(straight(want)):
		o.indented++
	default:
		o.wrong++
	}
	if show {
		say("--- %s:%d: %v %+v\n%s---- with\n%s", b.file, b.start+1, err, res.Edits, old, now)
	}
}

func straight(s string) string {
	return strings.NewReplacer("“", `"`, "”", `"`, "’", "'").Replace(s)
}

// drift changes one line inside of each block of the file behind the caller's
// back. Any edit that lands then overwrites a line the caller never saw.
func drift(r *rand.Rand, picked []block) {
	tried, landed := 0, 0
	for _, b := range picked {
		if b.end-b.start < 3 {
			continue
		}
		i := b.start + 1 + r.IntN(b.end-b.start-2)
		lines := strings.SplitAfter(b.src, "\n")
		body := strings.TrimSpace(lines[i])
		if body == "" {
			continue
		}
		changed := strings.Replace(lines[i], body, body+" /* since changed */", 1)
		src := strings.Join(lines[:i], "") + changed + strings.Join(lines[i+1:], "")
		for _, d := range damages {
			old, now := strings.Join(d.do(b.old, b.old), "\n")+"\n", strings.Join(d.do(b.old, b.new), "\n")+"\n"
			res, err := edit.Apply(src, []edit.Edit{{Old: old, New: now}}, edit.Options{Path: b.file})
			tried++
			if err == nil && !strings.Contains(res.Text, changed) {
				landed++
			}
		}
	}
	say("\none inside line drifted: %d of %d edits overwrote it\n", landed, tried)
	if landed > 0 {
		defer os.Exit(1)
	}
}

// memory makes an edit of a large file and says what it takes.
func memory() {
	debug.FreeOSMemory()
	line := "\tvalue := compute(alpha, beta) // a line as there are many\n"
	var b strings.Builder
	b.Grow(30 << 20)
	for b.Len() < 30<<20 {
		b.WriteString(line)
	}
	src := b.String()[:15<<20] + "\n\tneedle()\n" + b.String()[15<<20:]
	for _, e := range []struct {
		name string
		src  string
		edit edit.Edit
	}{
		{"exact", src, edit.Edit{Old: "\tneedle()\n", New: "\tthread()\n"}},
		{"indent", src, edit.Edit{Old: "        needle()\n", New: "        thread()\n"}},
		{"exact, CRLF", strings.ReplaceAll(src, "\n", "\r\n"), edit.Edit{Old: "\tneedle()\n", New: "\tthread()\n"}},
		{"not found", src, edit.Edit{Old: "\tneedles(1, 2)\n", New: "\tthread()\n"}},
	} {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		_, err := edit.Apply(e.src, []edit.Edit{e.edit}, edit.Options{Path: "big.go"})
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		say("30 MB file, %-12s %4d MB allocated in %v (%v)\n", e.name, (after.TotalAlloc-before.TotalAlloc)>>20, took.Round(time.Millisecond), err == nil)
	}
}

// say prints a part of the report.
func say(format string, args ...any) {
	if _, err := fmt.Fprintf(os.Stdout, format, args...); err != nil {
		fatal(err)
	}
}

// exitUnless ends the program with status 1 if something is not good.
func exitUnless(good bool) {
	if !good {
		os.Exit(1)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
