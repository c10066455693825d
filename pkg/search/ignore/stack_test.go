package ignore_test

import (
	"testing"

	"github.com/helve-dev/helve/pkg/search/ignore"
)

func rules(lines string) *ignore.Rules { return ignore.Parse([]byte(lines)) }

// TestRules has cases that random files hardly hit.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		rules, path string
		dir         bool
		want        ignore.Verdict
	}{
		{"*.go", ".go", false, ignore.Ignored},
		{"*.go", "go", false, ignore.None},
		{"*.go\n!x.go", "x.go", false, ignore.Included},
		{"!x.go\n*.go", "x.go", false, ignore.Ignored},
		{"!x.go\n*.go\nx.go/", "x.go", false, ignore.Ignored},
		{"a/b", "a/b", false, ignore.Ignored},
		{"a/b", "b", false, ignore.None},
		{"a/b\n!b", "a/b", false, ignore.Included},
		{"b\n!a/b", "a/b", false, ignore.Included},
		{"b/", "b", false, ignore.None},
		{"b/", "b", true, ignore.Ignored},
		{"b/\n!b", "b", true, ignore.Included},
		{"!b\nb/", "b", true, ignore.Ignored},
		{"*x/", "ax", false, ignore.None},
		{"*x/", "ax", true, ignore.Ignored},
		{"a*\n!ab", "ab", false, ignore.Included},
		{"!ab\na*", "ab", false, ignore.Ignored},
		{`a\`, "a", false, ignore.None},
		{`\a`, "a", false, ignore.Ignored},
		{`a\ `, "a ", false, ignore.Ignored},
		{"a  ", "a", false, ignore.Ignored},
		{"a\x00b", "a", false, ignore.Ignored},
	} {
		if got := rules(c.rules).Match(c.path, c.dir); got != c.want {
			t.Errorf("%q on %q (%t) is %d and not %d", c.rules, c.path, c.dir, got, c.want)
		}
	}
	for _, empty := range []string{"", "\n\n", "# x\n", "!\n", "  \n"} {
		if rules(empty) != nil {
			t.Errorf("%q has rules", empty)
		}
	}
}

// TestEmpty has stacks with one kind of rules each.
func TestEmpty(t *testing.T) {
	x := rules("x")
	for name, s := range map[string]ignore.Stack{
		"global":        ignore.New(x, ""),
		"above":         ignore.Stack{}.Above("sub", rules("/sub/x")),
		"above exclude": ignore.Stack{}.AboveExclude("sub", rules("/sub/x")),
		"tool":          ignore.Stack{}.Enter(0, ignore.Directory{Tool: [2]*ignore.Rules{x, nil}}),
		"second tool":   ignore.Stack{}.Enter(0, ignore.Directory{Tool: [2]*ignore.Rules{nil, x}}),
		"git":           ignore.Stack{}.Enter(0, ignore.Directory{Git: x}),
		"exclude":       ignore.Stack{}.Enter(0, ignore.Directory{Repository: true, Exclude: x}),
	} {
		if s.Empty() {
			t.Errorf("%s: no rules", name)
		}
		if !s.Match("x", false) || s.Match("y", false) {
			t.Errorf("%s: x %t, y %t", name, s.Match("x", false), s.Match("y", false))
		}
	}
	var none ignore.Stack
	for name, s := range map[string]ignore.Stack{
		"zero": none, "global": ignore.New(nil, "top"), "above": none.Above("sub", nil), "above exclude": none.AboveExclude("sub", nil),
		"directory": none.Enter(0, ignore.Directory{Repository: true}), "ended": none.Above("sub", x).AboveExclude("sub", x).Enter(0, ignore.Directory{Repository: true}),
	} {
		if !s.Empty() || s.Match("x", false) {
			t.Errorf("%s: has rules", name)
		}
	}
}

// TestOrder has rules that contradict each other at every level.
func TestOrder(t *testing.T) {
	x, not := rules("x"), rules("!x")
	for name, c := range map[string]struct {
		stack ignore.Stack
		want  bool
	}{
		"tool before git":         {ignore.Stack{}.Enter(0, ignore.Directory{Tool: [2]*ignore.Rules{x, nil}, Git: not}), true},
		"first tool before other": {ignore.Stack{}.Enter(0, ignore.Directory{Tool: [2]*ignore.Rules{not, x}}), false},
		"git before exclude":      {ignore.Stack{}.Enter(0, ignore.Directory{Repository: true, Git: not, Exclude: x}), false},
		"exclude before global":   {ignore.New(x, "").Enter(0, ignore.Directory{Repository: true, Exclude: not}), false},
		"near before above":       {ignore.Stack{}.Above("a", x).Enter(0, ignore.Directory{Git: not}), false},
		"global from the top":     {ignore.New(rules("/sub/x"), "sub"), true},
		"global in a repository":  {ignore.New(rules("/x"), "sub").Enter(0, ignore.Directory{Repository: true}), true},
	} {
		if got := c.stack.Match("x", false); got != c.want {
			t.Errorf("%s: ignored is %t", name, got)
		}
	}
	below := ignore.Stack{}.Enter(0, ignore.Directory{Git: rules("/x")}).Enter(2, ignore.Directory{Git: rules("/y")})
	for path, want := range map[string]bool{"d/x": false, "d/y": true, "d/z": false} {
		if got := below.Match(path, false); got != want {
			t.Errorf("%s: ignored is %t", path, got)
		}
	}
}
