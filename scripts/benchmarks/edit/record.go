package main

import (
	"go/format"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/shown"
)

// recordFiles limits the files used to measure the value of a session's record.
const recordFiles = 300

// tally counts the outcomes of edits based on an older version of a text.
type tally struct{ tried, right, wrong, stale, ambiguous, other int }

func (t *tally) add(res edit.Result, err error, line int) {
	t.tried++
	switch {
	case fault.Is(err, fault.Stale):
		t.stale++
	case fault.Is(err, fault.TextAmbiguous):
		t.ambiguous++
	case err != nil:
		t.other++
	case res.Edits[0].Old.Start == line:
		t.right++
	default:
		t.wrong++
	}
}

func (t *tally) say(name string) {
	say("%-44s %6d %6d %6d %6d %9d %6d\n", name, t.tried, t.right, t.wrong, t.stale, t.ambiguous, t.other)
}

// record reads a file, changes it as somebody else would, and edits it by what was read,
// with and without a session's record of that.
func record(r *rand.Rand, files map[string]string, names []string) {
	var twins, unknown, formatted tally
	for range recordFiles {
		src := files[names[r.IntN(len(names))]]
		for _, p := range pairs(src) {
			lines := strings.SplitAfter(src, "\n")
			now := strings.Join(lines[:p.first], "") + "\tchanged()\n" + strings.Join(lines[p.first+1:], "")
			e := []edit.Edit{{Old: p.text, New: "\tnew()\n"}}
			read := []shown.Version{{Text: src, Lines: []shown.Lines{{Start: max(1, p.first-5), End: p.first + strings.Count(p.text, "\n") + 1}}}}
			res, err := edit.Apply(now, e, edit.Options{Path: "a.go", Shown: read})
			twins.add(res, err, 0)
			res, err = edit.Apply(now, e, edit.Options{Path: "a.go"})
			unknown.add(res, err, 0)
		}
		untidy := untidied(src)
		raw, err := format.Source([]byte(untidy))
		if err != nil {
			continue // the replacement was in a string
		}
		now := string(raw)
		lines := strings.SplitAfter(now, "\n")
		for range 8 {
			at := r.IntN(len(lines))
			block := strings.Join(lines[at:min(len(lines), at+1+r.IntN(5))], "")
			if strings.TrimSpace(block) == "" || strings.Count(now, block) != 1 {
				continue
			}
			res, err := edit.Apply(now, []edit.Edit{{Old: block, New: "x()\n"}}, edit.Options{Path: "a.go", Shown: []shown.Version{{Text: untidy}}})
			formatted.add(res, err, at+1)
		}
	}
	say("\n%-44s %6s %6s %6s %6s %9s %6s\n", "read, then changed by somebody else", "edits", "right", "wrong", "stale", "ambiguous", "other")
	unknown.say("block with a twin changed, no record")
	twins.say("block with a twin changed, with the record")
	formatted.say("gofmt ran, new text copied, with the record")
	if twins.wrong > 0 || formatted.stale > 0 || formatted.wrong > 0 {
		os.Exit(1)
	}
}

// pair is a text that a file has twice.
type pair struct {
	text  string
	first int // line of the first, from 0
}

// pairs returns some blocks of 1 to 4 lines that a file has exactly twice, apart.
func pairs(src string) (all []pair) {
	lines := strings.SplitAfter(src, "\n")
	for size := 1; size <= 4; size++ {
		first := map[string]int{}
		for i, n := 0, 0; i+size <= len(lines) && n < 6; i++ {
			text := strings.Join(lines[i:i+size], "")
			at, twice := first[text]
			if !twice {
				first[text] = i
				continue
			}
			if at+size <= i && edit.Telling(text) && strings.Count(src, text) == 2 {
				all = append(all, pair{text, at})
				n++
			}
		}
	}
	return all
}

// untidied returns Go source in a layout that gofmt changes.
func untidied(src string) string {
	return strings.NewReplacer("\t", "  ", " := ", ":=", " = ", "=", "{\n", "{\n\n", ", ", ",").Replace(src)
}
