package policy

import (
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// TestEverything has operands that are the whole file system or the home directory,
// which a person may have or not.
func TestEverything(t *testing.T) {
	for _, c := range []struct {
		operand    string
		home, none bool // whether it is everything with a home directory, and without one
	}{
		{"/", true, true}, {"/*", true, true}, {"/.", true, true}, {"//", true, true}, {"/./*", true, true}, {"/home", true, false}, {"/home/me", true, false}, {"/home/me/", true, false},
		{"~", true, true}, {"~/", true, true}, {"$HOME", true, true}, {"${HOME}/*", true, true}, {"~/..", true, true},
		{"~/x", false, false}, {"$HOME/x", false, false}, {"~other", false, false}, {"$HOMER", false, false}, {"/home/me/x", false, false}, {"/usr", false, false}, {"/~x", false, false},
		{"", false, false}, {"-rf", false, false}, {".", false, false}, {"*", false, false}, {"home/me", false, false},
	} {
		if got := build(t, Options{Home: "/home/me"}).everything(c.operand); got != c.home {
			t.Errorf("%q with a home directory: %t", c.operand, got)
		}
		if got := build(t, Options{}).everything(c.operand); got != c.none {
			t.Errorf("%q without a home directory: %t", c.operand, got)
		}
	}
}

// TestRecursive has the ways to ask rm for recursion.
func TestRecursive(t *testing.T) {
	for arg, want := range map[string]bool{
		"-r": true, "-R": true, "-fr": true, "--recursive": true, "--rec": true, "--r": true, "-f": false, "--": false, "--force": false, "--recursively": false, "r": false, "": false,
	} {
		if recursive([]string{"x", arg}) != want {
			t.Errorf("%q: %t", arg, !want)
		}
	}
}

// TestRawDevices has names of disks on all systems, and paths that look like them.
func TestRawDevices(t *testing.T) {
	for name, want := range map[string]bool{
		"/dev/sda": true, "/dev/nvme0n1": true, "/dev/../dev/sda1": true, "/dev/mapper/root": true, "/dev/mem": true,
		`\\.\PhysicalDrive0`: true, "//./physicaldrive1": true, "/./PHYSICALDRIVE1": true, "/physicaldrive0": true,
		"/dev/null": false, "/dev/stdout": false, "sda": false, "/devs/sda": false, "physicaldrive0": false, "/x/physicaldrive0": false, "": false,
	} {
		if rawDevice(name) != want {
			t.Errorf("%q: %t", name, !want)
		}
	}
	for _, c := range []struct {
		line string
		want bool
	}{
		{"dd if=x of=/dev/sda", true}, {"dd of=x if=/dev/sda", false}, {"cp x /dev/sda", true}, {"cp /dev/sda x", false}, {"cp", false}, {"tee -a /dev/sda", true}, {"cat /dev/sda", false},
	} {
		argv := strings.Fields(c.line)
		if writesDevice(argv[0], argv[1:]) != c.want {
			t.Errorf("%s: %t", c.line, !c.want)
		}
	}
}

// TestLongLine cuts a command between characters.
func TestLongLine(t *testing.T) {
	for _, c := range []struct {
		argv []string
		want int // bytes before the sign for what is cut off; -1 is all
	}{
		{[]string{"echo", "x"}, -1},
		{[]string{strings.Repeat("x", 200)}, -1},
		{[]string{strings.Repeat("x", 201)}, 200},
		{[]string{strings.Repeat("x", 199) + "é"}, 199},
		{[]string{strings.Repeat("x", 198) + "éé"}, 200},
		{[]string{strings.Repeat("x", 199) + "漢字"}, 199},
	} {
		whole := strings.Join(c.argv, " ")
		want := whole
		if c.want >= 0 {
			want = whole[:c.want] + "…"
		}
		if got := line(c.argv); got != want || !utf8.ValidString(got) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := line([]string{strings.Repeat("\x80", 300)}); got != "…" {
		t.Errorf("%q", got)
	}
}

// TestPathRulesAlone asks about a path without a call: only rules about paths alone
// count, in the project they name.
func TestPathRulesAlone(t *testing.T) {
	on := true
	for _, c := range []struct {
		name    string
		rule    Rule
		project Project
		want    Verdict
		permits bool
	}{
		{"denies", Rule{Path: "a", Decision: Deny}, Project{}, Deny, false},
		{"asks", Rule{Path: "a", Decision: Ask}, Project{}, Ask, false},
		{"allows", Rule{Path: "a", Decision: Allow}, Project{}, Allow, true},
		{"allows where it is foreign", Rule{Path: "a", Decision: Allow}, Project{Foreign: true}, Allow, false},
		{"allows another path", Rule{Path: "b", Decision: Allow}, Project{}, Allow, false},
		{"denies another path", Rule{Path: "b", Decision: Deny}, Project{}, Allow, false},
		{"of a tool", Rule{Path: "a", Tool: "write", Decision: Deny}, Project{}, Allow, false},
		{"of a risk", Rule{Path: "a", Risk: Write, Decision: Deny}, Project{}, Allow, false},
		{"of the network", Rule{Path: "a", Network: &on, Decision: Deny}, Project{}, Allow, false},
		{"allows to a tool", Rule{Path: "a", Tool: "write", Decision: Allow}, Project{}, Allow, false},
		{"of no path", Rule{Tool: "write", Decision: Deny}, Project{}, Allow, false},
		{"of the project", Rule{Path: "a", Project: "one", Decision: Deny}, Project{ID: "one"}, Deny, false},
		{"of another project", Rule{Path: "a", Project: "two", Decision: Deny}, Project{ID: "one"}, Allow, false},
		{"of a project, in the workspace", Rule{Path: "a", Project: "two", Decision: Deny}, Project{}, Allow, false},
		{"allows in the project", Rule{Path: "a", Project: "one", Decision: Allow}, Project{ID: "one", Foreign: true}, Allow, true},
		{"allows in another project", Rule{Path: "a", Project: "two", Decision: Allow}, Project{ID: "one"}, Allow, false},
		{"off", Rule{Path: "a", Decision: Allow, Requires: switches}, Project{}, Deny, false},
		{"off and foreign", Rule{Path: "a", Decision: Allow, Requires: switches}, Project{Foreign: true}, Deny, false},
		{"off for another project", Rule{Path: "a", Project: "two", Decision: Allow, Requires: switches}, Project{ID: "one"}, Allow, false},
	} {
		p := build(t, Options{}, c.rule)
		if got := p.Path(c.project, "a", schema.WritePath); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := p.Permits(c.project, "a"); got != c.permits {
			t.Errorf("%s: permits %t", c.name, got)
		}
	}
}

// TestRuleIn has where a call's own rule counts: its project, its directory, and its
// switch.
func TestRuleIn(t *testing.T) {
	in := func(project Project, cwd string) Request {
		q := run(Write, "make", "all")
		q.Project, q.Cwd = project, cwd
		return q
	}
	for _, c := range []struct {
		name string
		rule Rule
		q    Request
		want Verdict
	}{
		{"in its directory", Rule{Argv: [][]string{{"make"}}, Cwd: "/w", Decision: Deny}, in(Project{}, "/w"), Deny},
		{"in another directory", Rule{Argv: [][]string{{"make"}}, Cwd: "/w", Decision: Deny}, in(Project{}, "/x"), Allow},
		{"in any directory", Rule{Argv: [][]string{{"make"}}, Decision: Deny}, in(Project{}, "/x"), Deny},
		{"exactly", Rule{Argv: [][]string{{"make"}, {"all"}}, Exact: true, Decision: Deny}, in(Project{}, ""), Deny},
		{"exactly, with more", Rule{Argv: [][]string{{"make"}}, Exact: true, Decision: Deny}, in(Project{}, ""), Allow},
		{"exactly, with less", Rule{Argv: [][]string{{"make"}, {"all"}, {"now"}}, Exact: true, Decision: Deny}, in(Project{}, ""), Allow},
		{"in the project", Rule{Tool: "exec", Project: "one", Decision: Deny}, in(Project{ID: "one"}, ""), Deny},
		{"in another project", Rule{Tool: "exec", Project: "two", Decision: Deny}, in(Project{ID: "one"}, ""), Allow},
		{"off, of no path", Rule{Tool: "exec", Decision: Deny, Requires: switches}, in(Project{}, ""), Allow},
	} {
		if got := build(t, Options{}, c.rule).Decide(c.q); got.Verdict != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestNetworkDoesNotDestroy allows the network, and with it nothing that destroys.
func TestNetworkDoesNotDestroy(t *testing.T) {
	on := true
	call := func(risk Risk) Request {
		q := run(risk, "curl", "x")
		q.Commands[0].Network = true
		return q
	}
	for _, c := range []struct {
		rule Rule
		risk Risk
		want Verdict
	}{
		{Rule{Network: &on, Decision: Allow}, Write, Allow},
		{Rule{Network: &on, Decision: Allow}, Destructive, Ask},
		{Rule{Network: &on, Decision: Deny}, Destructive, Deny},
		{Rule{Network: &on, Risk: Destructive, Decision: Allow}, Destructive, Allow},
		{Rule{Network: &on, Argv: [][]string{{"curl"}}, Decision: Allow}, Destructive, Allow},
		{Rule{Decision: Allow, Tool: "exec"}, Destructive, Allow},
	} {
		if got := build(t, Options{}, c.rule).Decide(call(c.risk)); got.Verdict != c.want {
			t.Errorf("%+v, %s: %s", c.rule, c.risk, got.Verdict)
		}
	}
}

// TestTreeRules has rules about files below a directory: what changes the directory
// changes them, and what reads it does not.
func TestTreeRules(t *testing.T) {
	for _, c := range []struct {
		path Path
		want Verdict
	}{
		{Path{Path: "d", Use: schema.WritePath, Tree: true}, Deny},
		{Path{Path: "d", Use: schema.WritePath}, Allow},
		{Path{Path: "d", Use: schema.ReadPath, Tree: true}, Allow},
		{Path{Path: "d/secret", Use: schema.ReadPath}, Deny},
		{Path{Path: "e", Use: schema.WritePath, Tree: true}, Allow},
	} {
		if got := build(t, Options{}, Rule{Path: "d/secret", Decision: Deny}).Decide(touch("write", Write, c.path)); got.Verdict != c.want {
			t.Errorf("%+v: %s", c.path, got.Verdict)
		}
	}
}

// TestWidens has each way in which a rule allows something.
func TestWidens(t *testing.T) {
	for _, c := range []struct {
		rule Rule
		want bool
	}{
		{Rule{Decision: Allow}, true}, {Rule{Read: Allow}, true}, {Rule{Write: Allow}, true}, {Rule{Edit: Allow}, true}, {Rule{Delete: Allow}, true},
		{Rule{}, false}, {Rule{Decision: Deny, Read: Ask, Write: Ask, Edit: Ask, Delete: Deny}, false},
	} {
		if c.rule.Widens() != c.want {
			t.Errorf("%+v: %t", c.rule, !c.want)
		}
	}
}

// TestOthersExplained lists the rules beside the one that decided, and that one once.
func TestOthersExplained(t *testing.T) {
	p := build(t, Options{}, Rule{Path: "a", Decision: Ask}, Rule{Tool: "write", Decision: Deny}, Rule{Tool: "w*", Decision: Deny}, Rule{Path: "b", Decision: Deny})
	e := p.Explain(touch("write", Write, Path{Path: "a", Use: schema.WritePath}))
	var others []string
	for _, m := range e.Others {
		others = append(others, m.Rule.From+" "+string(m.Verdict))
	}
	if got := strings.Join(others, ", "); e.Decision.Rule == nil || e.Decision.Rule.From != "#2" || got != "#3 deny, #1 ask" {
		t.Errorf("%+v, others %s", e.Decision.Rule, got)
	}
	shown, err := schema.Marshal(e.In(fault.English))
	if err != nil || !strings.Contains(string(shown), `"from":"#2"`) {
		t.Errorf("%s, %v", shown, err)
	}
	if e := build(t, Options{}).Explain(touch("write", Write)); e.Decision.Rule != nil || len(e.Others) != 0 {
		t.Errorf("%+v", e)
	}
}

// TestFoldedNames folds what file systems ignore, and nothing beside it.
func TestFoldedNames(t *testing.T) {
	for _, r := range [...][2]rune{{0x200c, 0x200f}, {0x202a, 0x202e}, {0x206a, 0x206f}, {0xfeff, 0xfeff}} {
		for _, c := range r {
			if got := fold("a" + string(c) + "b"); got != "ab" {
				t.Errorf("%x: %q", c, got)
			}
		}
		for _, c := range []rune{r[0] - 1, r[1] + 1} {
			if got := fold("a" + string(c) + "b"); got == "ab" {
				t.Errorf("%x is ignored", c)
			}
		}
	}
}

// TestShownBytes has rules for names that are not UTF-8, in the form in which they are
// shown. Other backslashes of a path separate names where that narrows.
func TestShownBytes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no names that are not UTF-8")
	}
	for _, c := range []struct {
		pattern, path string
		exact, folded bool
	}{
		{`caf\xe9.txt`, `caf\xe9.txt`, true, true},
		{`CAF\xe9.{txt,md}`, `caf\xe9.TXT`, false, true},
		{`caf\xe9.txt`, `cafxe9.txt`, false, false},
		{`caf\xe9.txt`, `caf\xe8.txt`, false, false},
		{`caf/**`, `caf\xe9.txt`, false, false},
		{`caf*`, `caf\xe9.txt`, true, true},
		{`d\xfe/**`, `d\xfe/a\xff`, true, true},
		{`a\*\xe9`, `a*\xe9`, true, true},
		{`a\\xe9`, `a\xe9`, true, false}, // any backslash, in the grammar of the pattern
		{`.git/**`, `.git\config`, false, true},
		{`.git/**`, `.git\x5cconfig`, false, true},
		{`a\x5cxe9`, `a\x5cxe9`, true, false},
		{`a\`, `a\`, false, false},
	} {
		g, bad := parseGlob(c.pattern)
		if !bad.IsZero() {
			if c.exact || c.folded {
				t.Errorf("%s: %s", c.pattern, bad.In(fault.English))
			}
			continue
		}
		if exact, folded := g.match(namesOf(c.path)), g.matchFolded(namesOf(c.path), false); exact != c.exact || folded != c.folded {
			t.Errorf("%s and %s: %t, folded %t", c.pattern, c.path, exact, folded)
		}
	}
}

// TestClassInBraces has a class of characters with a comma or a brace in it.
func TestClassInBraces(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"{a[,]b,c}", "a,b", true}, {"{a[,]b,c}", "c", true}, {"{a[,]b,c}", "b", false}, {"{a[}]b,c}", "a}b", true}, {"[{]a", "{a", true},
		{`\{a,b\}`, "{a,b}", true}, {"{a,{b,c}}d", "cd", true}, {"{a,{b,c}}d", "bd", true}, {"{a,{b,c}}d", "d", false}, {"a{,b}", "a", true},
		{"**", "a/b", true}, {"a/**", "a/b/c", true}, {"a/**", "a", true}, {"**/b", "a/x/b", true}, {"**/b", "a/b/c", false}, {"a/**/c", "a/c", true}, {"a/b", "a/b/c", false}, {"a/b/c", "a/b", false},
	} {
		g, bad := parseGlob(c.pattern)
		if !bad.IsZero() {
			t.Errorf("%s: %s", c.pattern, bad.In(fault.English))
			continue
		}
		if got := g.match(namesOf(c.path)); got != c.want {
			t.Errorf("%s and %s: %t", c.pattern, c.path, got)
		}
	}
}
