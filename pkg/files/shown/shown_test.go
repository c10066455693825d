package shown

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// places returns a function that finds a text.
func places(of string) func(string) []Span {
	return func(text string) (all []Span) {
		for at := 0; ; {
			i := strings.Index(text[at:], of)
			if i < 0 {
				return all
			}
			all = append(all, Span{at + i, at + i + len(of)})
			at += i + len(of)
		}
	}
}

func TestUnseen(t *testing.T) {
	old := "a\nb\nc\nd\ne\n"
	for name, tt := range map[string]struct {
		now      string
		versions []Version
		want     []Lines
	}{
		"nothing has changed":        {old, []Version{{Text: old}}, nil},
		"a line":                     {"a\nB\nc\nd\ne\n", []Version{{Text: old}}, []Lines{{2, 2}}},
		"a line that was shown then": {"a\nB\nc\nd\ne\n", []Version{{Text: "a\nB\nc\nd\ne\n", Lines: []Lines{{2, 2}}}, {Text: old}}, nil},
		"shown by an error":          {"a\nB\nc\nd\ne\n", []Version{{Text: "a\nB\nc\nd\ne\n", Lines: []Lines{{2, 2}}, Aside: true}, {Text: old}}, []Lines{{2, 2}}},
		"another line shown then":    {"a\nB\nc\nd\ne\n", []Version{{Text: "a\nB\nc\nd\ne\n", Lines: []Lines{{3, 4}}}, {Text: old}}, []Lines{{2, 2}}},
		"a line has gone":            {"a\nc\nd\ne\n", []Version{{Text: old}}, []Lines{{2, 1}}},
		"and both sides were shown":  {"a\nc\nd\ne\n", []Version{{Text: "a\nc\nd\ne\n", Lines: []Lines{{1, 2}}}, {Text: old}}, nil},
		"two, one of them shown":     {"A\nb\nc\nd\nE\n", []Version{{Text: "A\nb\nc\nd\ne\n"}, {Text: old}}, []Lines{{5, 5}, {5, 5}}},
		"no newline at the end":      {"a\nb\nc\nd\ne", []Version{{Text: old}}, []Lines{{5, 5}}},
		"empty":                      {"", []Version{{Text: old}}, []Lines{{1, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, New(tt.now, tt.versions, nil).Unseen()); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

func TestCarry(t *testing.T) {
	got := Carry("a\nb\nc\nd\n", "new\na\nB\nc\nd\nmore\n", []Lines{{1, 3}})
	if d := cmp.Diff([]Lines{{2, 2}, {4, 4}}, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if got := LF("a\r\nb\rc\r\n") + LF("a\rb"); got != "a\nb\rc\na\nb" {
		t.Errorf("%q", got)
	}
}

// Every line is followed through random changes: one that was kept is found where it
// is, one that was replaced is not taken for another, whatever it looks like.
func TestTraceFollowsLines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	followed, gone := 0, 0
	for range 4000 {
		n := 3 + r.IntN(30)
		old, now := make([]string, n), []string(nil)
		where := make([]int, n) // in now; -1 is gone
		for i := range n {
			old[i] = "unique" + strconv.Itoa(i) + "\n"
			if r.IntN(4) == 0 {
				old[i] = "}\n"
			}
		}
		for i, l := range old {
			for r.IntN(8) == 0 {
				now = append(now, "inserted"+strconv.Itoa(r.IntN(1000))+"\n")
			}
			where[i] = len(now)
			if l != "}\n" && r.IntN(5) == 0 {
				where[i] = -1
				if r.IntN(2) == 0 {
					now = append(now, "changed"+strconv.Itoa(i)+"\n")
				}
				continue
			}
			now = append(now, l)
		}
		was, is := strings.Join(old, ""), strings.Join(now, "")
		record := New(is, []Version{{Text: was}}, nil)
		if record == nil {
			if was != is {
				t.Fatalf("%q and %q are the same", was, is)
			}
			continue
		}
		for i, l := range old {
			if l == "}\n" {
				continue
			}
			all := record.Trace(places(l))
			if len(all) != 1 || all[0].Was != (Lines{i + 1, i + 1}) {
				t.Fatalf("%q in %q: %+v", l, was, all)
			}
			f := all[0]
			switch {
			case where[i] < 0 && !f.Changed:
				t.Fatalf("%q has gone from %q to %q: %+v", l, was, is, f)
			case where[i] < 0:
				gone++
			case f.Changed || f.Reformatted || is[f.Now.Start:f.Now.End] != l || strings.Count(is[:f.Now.Start], "\n") != where[i]:
				t.Fatalf("%q is line %d of %q: %+v", l, where[i]+1, is, f)
			default:
				followed++
			}
		}
	}
	if followed < 1000 || gone < 1000 {
		t.Errorf("%d were followed and %d had gone: the test says little", followed, gone)
	}
}

func TestLayout(t *testing.T) {
	same := []string{"f( 'a', b )", "f(\n  \"a\",\n  b,\n);\n", "f(`a`,b)"}
	for _, s := range same {
		if got := layout(s); got != `f("a",b)` {
			t.Errorf("%q has the layout %q", s, got)
		}
	}
	for _, other := range []string{"f('a', c)", "f('a', b);g", "f('a' b)"} {
		if layout(other) == layout(same[0]) {
			t.Errorf("%q has the layout of %q", other, same[0])
		}
	}
}

func FuzzTrace(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\n", "b\n", 1, 2)
	f.Add("x = 'a'\ny\n", "x = \"a\";\n\ny\n", "x", 1, 1)
	f.Add("a\nb", "b\na", "b", 2, 2)
	f.Fuzz(func(t *testing.T, was, is, text string, from, to int) {
		if text == "" {
			return
		}
		versions := []Version{{Text: was}}
		if 1 <= from && from <= to && to < 1000 {
			versions = append([]Version{{Text: is, Lines: []Lines{{from, to}}}}, versions...)
		}
		record := New(is, versions, nil)
		for _, l := range record.Unseen() {
			if l.Start < 1 || l.End < l.Start-1 || l.End > strings.Count(is, "\n")+1 {
				t.Errorf("unseen: %v", l)
			}
		}
		for _, f := range record.Trace(places(text)) {
			if f.Now.Start < 0 || f.Now.End < f.Now.Start || f.Now.End > len(is) {
				t.Fatalf("%+v", f)
			}
			if !f.Changed && !f.Reformatted && is[f.Now.Start:f.Now.End] != text {
				t.Errorf("%+v is %q", f, is[f.Now.Start:f.Now.End])
			}
		}
		if !slices.IsSortedFunc(Carry(was, is, nil), func(a, b Lines) int { return a.Start - b.Start }) {
			t.Error("lines are not sorted")
		}
	})
}
