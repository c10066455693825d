package text

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestConform(t *testing.T) {
	for _, tt := range []struct {
		name, old, text, eol string
		want                 string
		ended                bool
	}{
		{"new file", "", "a\nb\n", "\n", "a\nb\n", false},
		{"new file on Windows", "", "a\nb\n", "\r\n", "a\r\nb\r\n", false},
		{"new file, mixed", "", "a\r\nb\nc", "\n", "a\nb\nc\n", true},
		{"nothing", "a\n", "", "\n", "", false},
		{"crlf kept", "a\r\nb\r\n", "a\nx\nb\n", "\n", "a\r\nx\r\nb\r\n", false},
		{"lf kept", "a\nb\n", "a\r\nc\r\n", "\r\n", "a\nc\n", false},
		{"mixed: lines keep their own", "a\r\nb\nc\r\n", "a\nb\nc\n", "\n", "a\r\nb\nc\r\n", false},
		{"mixed: a changed line takes its place's", "a\r\nb\nc\r\n", "a\nB\nc\n", "\n", "a\r\nB\nc\r\n", false},
		{"mixed: an added line takes that above", "a\r\nb\nc\r\n", "a\nx\nb\nc\n", "\n", "a\r\nx\r\nb\nc\r\n", false},
		{"mixed: first line added", "a\r\nb\nc\n", "x\na\nb\nc\n", "\n", "x\r\na\r\nb\nc\n", false},
		{"newline added at the end", "a\n", "b", "\n", "b\n", true},
		{"newline added to a kept line", "a\nb\n", "a", "\n", "a\n", true},
		{"no final newline stays so", "a\r\nb", "x\nb", "\n", "x\r\nb", false},
		{"no final newline, last line changed", "a\r\nb", "a\nc", "\n", "a\r\nc\r\n", true},
		{"final newline asked for", "a\r\nb", "a\nb\n", "\n", "a\r\nb\r\n", false},
		{"old last line in the middle", "a\r\nb", "a\nb\nc\n", "\n", "a\r\nb\r\nc\r\n", false},
		{"cr file", "a\rb\r", "a\nc\n", "\n", "a\rc\r", false},
		{"cr in an lf file is data", "x\ra\nb\n", "x\ra", "\n", "x\ra\n", true},
		{"single line without ending", "a", "a", "\n", "a", false},
		{"blank lines", "\r\n\r\n", "\n\n\n", "\n", "\r\n\r\n\r\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ended := Conform(tt.old, tt.text, tt.eol)
			if got != tt.want || ended != tt.ended {
				t.Errorf("Conform(%q, %q) = %q, %v; want %q, %v", tt.old, tt.text, got, ended, tt.want, tt.ended)
			}
		})
	}
}

// normalised returns s with "\n" for every ending.
func normalised(s string) string {
	lines := Lines(s)
	for i := range lines {
		if lines[i].EOL != "" {
			lines[i].EOL = "\n"
		}
	}
	return unsplit(lines)
}

func TestConformGivesBackWhatStood(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		old := randomText(rnd, rnd.IntN(15))
		for _, text := range []string{old, normalised(old)} {
			got, ended := Conform(old, text, "\n")
			if got != old || ended {
				t.Fatalf("Conform(%q, %q) = %q, %v", old, text, got, ended)
			}
		}
	}
}

// Lines outside the changed stretch keep their endings, and the bodies are those
// of the new text.
func TestConformOfEdits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		var lines []Line
		for i := range 3 + rnd.IntN(30) {
			lines = append(lines, Line{fmt.Sprintf("line %d", i), []string{"\n", "\r\n"}[rnd.IntN(2)]})
		}
		from := rnd.IntN(len(lines))
		to := from + rnd.IntN(len(lines)-from)
		var added []Line
		for i := range rnd.IntN(4) {
			added = append(added, Line{fmt.Sprintf("new %d", i), "\n"})
		}
		head, tail := lines[:from], lines[to:]
		old := unsplit(lines)
		text := normalised(unsplit(head)) + unsplit(added) + normalised(unsplit(tail))
		got, _ := Conform(old, text, "\n")
		if !strings.HasPrefix(got, unsplit(head)) || !strings.HasSuffix(got, unsplit(tail)) {
			t.Fatalf("%q with lines %d to %d replaced became %q", old, from, to, got)
		}
		if diff := cmp.Diff(Lines(text), Lines(got), cmp.Comparer(func(a, b Line) bool { return a.Body == b.Body })); diff != "" {
			t.Fatalf("bodies changed (-want +got):\n%s", diff)
		}
		again, _ := Conform(old, got, "\n")
		if again != got {
			t.Fatalf("not stable: %q, then %q", got, again)
		}
	}
}

// Texts that would take hours if the work grew with the square of their lines.
func TestConformOfLargeTexts(t *testing.T) {
	n := 200_000
	if raceDetector {
		n /= 8 // there are no goroutines to check
	}
	for _, tt := range []struct {
		name    string
		changed func(i int) int
	}{
		{"shuffled in blocks", func(i int) int { return i ^ 7 }},
		{"few different lines", func(i int) int { return i % 5 }},
		{"reversed", func(i int) int { return n - i }},
		{"anchors at the edges only", func(i int) int { return i / 2 }},
		{"rotated", func(i int) int { return (i + n/2) % n }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var old, text strings.Builder
			for i := range n {
				fmt.Fprintf(&old, "line %d\r\n", i%(n/3*2))
				fmt.Fprintf(&text, "line %d\n", tt.changed(i))
			}
			got, ended := Conform(old.String(), text.String(), "\n")
			if want := strings.ReplaceAll(text.String(), "\n", "\r\n"); got != want || ended {
				t.Error("the text is not the new one with the old endings")
			}
		})
	}
}
