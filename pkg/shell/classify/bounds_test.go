package classify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/policy"
)

// TestBounds judges the largest command within each limit, and the first one
// beyond it.
func TestBounds(t *testing.T) {
	directories := func(n int) string { // the shell starts in one of them
		var b strings.Builder
		for i := range n - 1 {
			fmt.Fprintf(&b, "cd /src/project/d%d\n", i)
		}
		return b.String() + "touch a"
	}
	for _, c := range []struct {
		what, within, beyond string
		risk                 policy.Risk // within
		flag                 Flag        // beyond
	}{
		{"bytes", "echo " + strings.Repeat("a", 65_531), "echo " + strings.Repeat("a", 65_532), Read, TooComplex},
		{"brackets", strings.Repeat("(", 100) + "ls" + strings.Repeat(")", 100), strings.Repeat("(", 101) + "ls" + strings.Repeat(")", 101), Read, TooComplex},
		{"wrappers", strings.Repeat("nice ", 6) + "ls", strings.Repeat("nice ", 7) + "ls", Read, TooComplex},
		{"directories", directories(16), directories(17), Write, DynamicArgs},
	} {
		if v := Classify(c.within, world); v.Risk != c.risk {
			t.Errorf("%s within the limit: %s %v", c.what, v.Risk, v.Reasons)
		}
		if v := Classify(c.beyond, world); v.Risk != Destructive || !v.Has(c.flag) {
			t.Errorf("%s beyond the limit: %s %v", c.what, v.Risk, v.Flags)
		}
	}
}

// TestNesting counts brackets: one behind a quote or a backslash may be text.
func TestNesting(t *testing.T) {
	for src, want := range map[string]int{
		"": 0, "ls": 0, "()": 1, "()()": 1, "(())": 2, ")(": 1, "('')(": 2, "(')(": 2, `(")(`: 2, `(\)(`: 2, "(a)(": 1, "({[": 3, "({[]})": 3, "[[]][": 2,
	} {
		if got := nesting(src); got != want {
			t.Errorf("nesting(%q) is %d, want %d", src, got, want)
		}
	}
}

// TestReasonsAndCommands counts what a verdict lists of a long command.
func TestReasonsAndCommands(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "touch f%d\n", i)
	}
	if v := Classify(b.String(), world); len(v.Reasons) != 20 || len(v.Commands) != 200 {
		t.Errorf("%d reasons and %d commands", len(v.Reasons), len(v.Commands))
	}
}
