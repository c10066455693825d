package edit

import (
	"strings"
	"testing"
)

// TestWholeLinesGo: deleting whole lines leaves no empty line behind, and deleting a
// part of a line leaves the rest of it.
func TestWholeLinesGo(t *testing.T) {
	del := func(old string) Edit { return Edit{Old: old} }
	all := func(old string) Edit { return Edit{Old: old, ReplaceAll: true} }
	for _, c := range []struct {
		src   string
		edits []Edit
		want  string
	}{
		{"a\nb\nc\n", []Edit{del("b")}, "a\nc\n"},
		{"a\nb\nc\n", []Edit{del("b\n")}, "a\nc\n"},
		{"a\nb\nc\n", []Edit{del("a\nb")}, "c\n"},
		{"a\nb\n\nc\n", []Edit{del("b")}, "a\n\nc\n"}, // this one was there
		{"a\nb", []Edit{del("b")}, "a\n"},
		{"b\n", []Edit{del("b")}, ""},
		{"a\r\nb\r\nc\r\n", []Edit{del("b")}, "a\r\nc\r\n"},
		{"a\rb\rc\r", []Edit{del("b")}, "a\rc\r"},
		{"a\nxby\nc\n", []Edit{del("b")}, "a\nxy\nc\n"},
		{"a\n  b\nc\n", []Edit{del("b")}, "a\n  \nc\n"}, // the line is not all of it
		{"a\nb\nc\nd\n", []Edit{del("b"), del("c")}, "a\nd\n"},
		{"a\nb\nc\n", []Edit{del("b"), {Old: "\nc", New: "!"}}, "a\n!\n"},
		{"x\na\nx\n", []Edit{all("x")}, "a\n"},
		{"x\na x\nx\n", []Edit{all("x")}, "\na \n\n"},
		{"\na\n", []Edit{del("a")}, "\n"},
		{"a\nb\n\nc\n", []Edit{del("b\n")}, "a\n\nc\n"},
		{"a\rb\r\rc", []Edit{del("b\r")}, "a\r\rc"},
		{"ab", []Edit{del("a")}, "b"},
		{"a\nb\rc\n", []Edit{del("b")}, "a\n\rc\n"},
	} {
		for _, sequential := range []bool{false, true} {
			if sequential && c.want == "a\n!\n" {
				continue // the second edit finds the ending that the first one left
			}
			r, err := Apply(c.src, c.edits, Options{Path: "f", Sequential: sequential})
			if err != nil || r.Text != c.want {
				t.Errorf("%q without %+v: %q, %v; want %q (sequential %v)", c.src, c.edits, r.Text, err, c.want, sequential)
				continue
			}
			gone := strings.Count(c.src, "\n") - strings.Count(r.Text, "\n")
			for _, e := range r.Edits {
				if len(c.edits) == 1 && !c.edits[0].ReplaceAll && gone > 0 && e.New.End != e.New.Start-1 {
					t.Errorf("%q: lines %+v", c.src, e.New)
				}
			}
		}
	}
}

// An empty file has no line, though some show one.
func TestBlankTextInAnEmptyFile(t *testing.T) {
	t.Parallel()
	for _, old := range []string{"", "\n", " \n"} {
		r, err := Apply("", []Edit{{Old: old, New: "x\n"}}, Options{Path: "a.txt"})
		if err != nil || r.Text != "x\n" {
			t.Errorf("%q: %q %v", old, r.Text, err)
		}
		if _, err := Apply("a", []Edit{{Old: "\n", New: "x\n"}}, Options{Path: "a.txt"}); err == nil {
			t.Errorf("%q was found in a file without", old)
		}
	}
}
