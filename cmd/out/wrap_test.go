package out

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 10, ""},
		{"one two three", 7, "one two|three"},
		{"one two three", 80, "one two three"},
		{"unbreakable", 4, "unbreakable"},
		{"a unbreakable b", 4, "a|unbreakable|b"},
		{"one\n  two three four", 9, "one|  two|  three|  four"},
		{"one  two", 3, "one|two"},
		{"列出可以撤销的更改", 8, "列出可以|撤销的更|改"},
		{"列出更改，或清除", 8, "列出更|改，或清|除"},
		{"路径（相对于根目录）", 6, "路径|（相对|于根目|录）"},
		{"使用 helve 命令", 8, "使用|helve 命|令"},
		{"值为json或text。", 8, "值为json|或text。"},
		{"e\u0301e\u0301 e", 4, "e\u0301e\u0301 e"},
	} {
		if diff := cmp.Diff(c.want, strings.Join(Wrap(c.text, c.width), "|")); diff != "" {
			t.Errorf("%s in %d: %s", c.text, c.width, diff)
		}
	}
}

// No line is wider than asked for, unless one word is, and nothing is lost.
func FuzzWrap(f *testing.F) {
	f.Add("List the changes, or forget them", uint8(10))
	f.Add("列出可以撤销的更改，或清除这些记录（全部）", uint8(9))
	f.Add("a\n  b  c\nd", uint8(0))
	f.Fuzz(func(t *testing.T, text string, columns uint8) {
		lines := Wrap(text, int(columns))
		plain := func(s string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(s) }
		if got := plain(strings.Join(lines, "")); got != plain(string([]rune(text))) && got != plain(text) {
			t.Errorf("%q became %q", text, got)
		}
		for _, line := range lines {
			if Width(line) > int(columns) && len(unitsOf(strings.TrimLeft(line, " "))) > 1 {
				t.Errorf("%q is wider than %d", line, columns)
			}
		}
	})
}

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "列出": 4, "（a）": 5, "e\u0301": 1, "한국어": 6, "かな": 4, "🙂": 2, "…": 1} {
		if got := Width(text); got != want {
			t.Errorf("%q takes %d columns, want %d", text, got, want)
		}
	}
}
