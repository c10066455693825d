package edit

import "testing"

// TestNearby has the endings of lines that are put where no line is replaced.
func TestNearby(t *testing.T) {
	for _, c := range []struct {
		name, src string
		at        int // in the view
		want      string
	}{
		{"no line ending", "ab", 1, "\n"},
		{"only LF", "a\nb\n", 4, "\n"},
		{"only CR", "a\rb\rc", 5, "\r"},
		{"in a line of CRLF", "a\r\nb\n", 0, "\r\n"},
		{"in a line of LF", "a\r\nb\n", 2, "\n"},
		{"in a last line without an ending, after CRLF", "a\nb\r\nc", 4, "\r\n"},
		{"in a last line without an ending, after LF", "a\r\nb\nc", 5, "\n"},
		{"behind the last line", "a\nb\r\n", 4, "\r\n"},
	} {
		if got := newDocument(c.src, Options{}).nearby(c.at); got != c.want {
			t.Errorf("%s: %q and not %q", c.name, got, c.want)
		}
	}
}

// TestOffset has the lines that a file has, and those that it has not.
func TestOffset(t *testing.T) {
	v := newView("a\r\n\r\nb")
	for line, want := range map[int]int{-1: -1, 0: -1, 1: 0, 2: 2, 3: 3, 4: -1, 9: -1} {
		at, ok := v.offset(line)
		if ok != (want >= 0) || ok && at != want {
			t.Errorf("line %d: %d, %t", line, at, ok)
		}
	}
	if _, ok := newView("a\n").offset(2); ok {
		t.Error("there is a line after the last line ending")
	}
}
