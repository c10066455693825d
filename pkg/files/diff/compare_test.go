package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The two texts of swapped have n lines each, none of them unique, and differ by
// one line at either end.
func swapped(n int) (old, new string) {
	return strings.Repeat("a\nb\n", n/2), strings.Repeat("b\na\n", n/2)
}

func TestShortestForSmallRegions(t *testing.T) {
	tests := []struct{ lines, changed int }{
		{1000, 1},
		{1002, 1002}, // more than 2000 lines on both sides together
	}
	for _, tt := range tests {
		old, new := swapped(tt.lines)
		if d := Unified(Modified("a"), old, new, Limit{}); d.Added != tt.changed || d.Removed != tt.changed {
			t.Errorf("%d lines: +%d -%d, want %d each", tt.lines, d.Added, d.Removed, tt.changed)
		}
	}
}

// The work of one diff suffices for 24 regions of the largest size.
func TestWorkIsBounded(t *testing.T) {
	var old, new strings.Builder
	for i := range 25 {
		a, b := swapped(1000)
		fmt.Fprintf(&old, "%sunique %d\n", a, i)
		fmt.Fprintf(&new, "%sunique %d\n", b, i)
	}
	d := Unified(Modified("a"), old.String(), new.String(), Limit{})
	if want := 24*1 + 1000; d.Added != want || d.Removed != want {
		t.Errorf("+%d -%d, want %d each", d.Added, d.Removed, want)
	}
}

func TestResultLimit(t *testing.T) {
	tests := []struct {
		name         string
		lines, width int
		truncated    bool
	}{
		{"under 200 lines", 194, 1, false},
		{"over 200 lines", 195, 1, true},
		{"under 16 KiB", 150, 100, false},
		{"over 16 KiB", 150, 120, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Repeat(strings.Repeat("x", tt.width)+"\n", tt.lines)
			if d := Unified(Created("a"), "", text, ResultLimit()); d.Truncated != tt.truncated {
				t.Errorf("truncated is %v for %d bytes", d.Truncated, len(d.Text))
			}
		})
	}
}

// A stretch is split 16 times. Each level here has one line that is unique only
// once the level above has been split.
func TestAlignSplits(t *testing.T) {
	var nested func(level int, leaf string) []string
	nested = func(level int, leaf string) []string {
		if level == 0 {
			return []string{leaf}
		}
		half := nested(level-1, leaf)
		return slices.Concat(half, []string{fmt.Sprint("level ", level)}, half)
	}
	for _, levels := range []int{16, 17} {
		paired := 0
		for _, i := range Align(nested(levels, "old"), nested(levels, "new")) {
			if i >= 0 {
				paired++
			}
		}
		if all := 1<<levels - 1; (paired == all) != (levels <= 16) {
			t.Errorf("%d levels: %d of %d lines paired", levels, paired, all)
		}
	}
}

// The note that a diff was truncated fits into the limit too.
func TestNoteFits(t *testing.T) {
	old := strings.Repeat("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n", 2000)
	new := strings.ReplaceAll(old, "j\n", "J\nand more\n")
	for most := range 30 {
		most += 300
		if d := Unified(Modified("a"), old, new, Limit{Bytes: most}); len(d.Text) > most {
			t.Fatalf("%d bytes, %d allowed", len(d.Text), most)
		}
	}
}
