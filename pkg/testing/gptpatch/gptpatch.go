// Package gptpatch draws patches as models write them by heart: in the envelope, right in
// what they change, and wrong in the ways in which such patches are.
package gptpatch

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Kinds are the ways in which the patches are wrong; the first is in none.
var Kinds = []string{"plain", "blank hunks", "nested headers", "missing plus", "written tabs", "edit file", "names inside", "diff inside", "bare lines", "numbers", "lost space"}

// Drawn is a patch of the file a.go, what it was made for and what it is to make of that.
type Drawn struct {
	Kind, Source, Want, Patch string
	Path                      string // that the caller names beside the patch
}

// Draw draws a patch by a seed.
func Draw(seed uint64) Drawn {
	r := rand.New(rand.NewPCG(seed, 7))
	d := Drawn{Kind: Kinds[seed%uint64(len(Kinds))]}
	lines := source(r)
	var hunks, now []string
	at := 0
	for i := range 1 + r.IntN(4) {
		room := len(lines) - at
		if room < 8 {
			break
		}
		from := at + 2 + r.IntN(min(room-5, 12))
		if d.Kind == "bare lines" && i > 0 {
			break
		}
		hunks = append(hunks, hunk(r, d.Kind, lines, from, i))
		now = append(append(now, lines[at:from]...), changed(lines[from], i))
		at = from + 1
	}
	d.Source, d.Want = text(lines), text(append(now, lines[at:]...))
	body := strings.Join(hunks, "")
	switch d.Kind {
	case "edit file":
		d.Patch = "*** Begin Patch\n*** Edit File: a.go\n" + body + "*** End Patch\n"
	case "names inside":
		d.Patch = "*** Begin Patch\n*** Update File: a.go\n--- a/a.go\n+++ b/a.go\n" + body + "*** End Patch\n"
	case "diff inside":
		d.Patch = "*** Begin Patch\n--- a/a.go\n+++ b/a.go\n" + body + "*** End Patch\n"
	case "bare lines":
		d.Patch, d.Path = strings.TrimPrefix(body, "@@\n"), "a.go"
	case "blank hunks":
		d.Patch = "*** Begin Patch\n*** Update File: a.go\n" + body + "@@\n\n*** End Patch"
	default:
		d.Patch = "*** Begin Patch\n*** Update File: a.go\n" + body + "*** End Patch\n"
	}
	return d
}

// source draws the lines of a file in which some stand more than once.
func source(r *rand.Rand) []string {
	var lines []string
	for i := range 2 + r.IntN(5) {
		lines = append(lines, fmt.Sprintf("func f%d(x int) int {", i))
		for k := range 3 + r.IntN(8) {
			switch r.IntN(4) {
			case 0:
				lines = append(lines, "\tif x > 0 {", "\t\treturn x", "\t}")
			case 1:
				lines = append(lines, "\tx++")
			case 2:
				lines = append(lines, "")
			default:
				lines = append(lines, fmt.Sprintf("\tx += compute(x, %d)", 10*i+k))
			}
		}
		lines = append(lines, "\treturn x", "}", "")
	}
	return lines
}

func changed(line string, i int) string { return line + fmt.Sprintf(" // changed %d", i) }

func text(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// hunk writes the change of a line.
func hunk(r *rand.Rand, kind string, lines []string, at, i int) string {
	before, after := r.IntN(4), r.IntN(4)
	header := "@@\n"
	mark := " "
	switch kind {
	case "nested headers":
		header = "@@ package a\n@@ " + strings.TrimSpace(enclosing(lines, at)) + "\n"
		if r.IntN(2) == 0 {
			header = "@@ " + strings.TrimSpace(enclosing(lines, at)) + "\n"
		}
	case "numbers":
		header = fmt.Sprintf("@@ -%d,%d +%d,%d @@\n", r.IntN(40), r.IntN(9), r.IntN(40), r.IntN(9))
	case "blank hunks":
		header = "@@\n\n@@\n"
	case "lost space":
		mark = ""
	}
	var b strings.Builder
	b.WriteString(header)
	line := func(mark, s string) {
		if rest := strings.TrimLeft(s, "\t"); kind == "written tabs" {
			s = strings.Repeat(`\t`, len(s)-len(rest)) + rest
		}
		b.WriteString(mark + s + "\n")
	}
	for _, l := range lines[max(0, at-before):at] {
		line(mark, l)
	}
	line("-", lines[at])
	if kind == "missing plus" && r.IntN(2) == 0 {
		line("", changed(lines[at], i))
	} else {
		line("+", changed(lines[at], i))
	}
	for _, l := range lines[at+1 : min(len(lines), at+1+after)] {
		line(mark, l)
	}
	return b.String()
}

// enclosing returns the function that a line is in.
func enclosing(lines []string, at int) string {
	for ; at > 0 && !strings.HasPrefix(lines[at], "func"); at-- {
	}
	return lines[at]
}
