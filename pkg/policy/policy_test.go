package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

var switches = []string{"memory"}

func given(rules ...Rule) []Given {
	var out []Given
	for i, r := range rules {
		out = append(out, Given{r, "#" + string(rune('1'+i))})
	}
	return out
}

func build(t *testing.T, opt Options, rules ...Rule) *Policy {
	t.Helper()
	opt.Switches = switches
	p, err := New(given(rules...), opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func touch(tool string, risk Risk, paths ...Path) Request {
	return Request{Tool: tool, Risk: risk, Paths: paths}
}

func run(risk Risk, argv ...string) Request {
	return Request{Tool: "exec", Risk: risk, Commands: []Command{{Argv: argv, Risk: risk}}}
}

func TestDefaults(t *testing.T) {
	p := build(t, Options{})
	network := run(Write, "curl", "x")
	network.Commands[0].Network = true
	unconfined := run(Write, "make")
	unconfined.Unconfined = true
	redirected := run(Read, "echo", "x")
	redirected.Risk = Destructive
	for _, c := range []struct {
		name string
		q    Request
		want Verdict
	}{
		{"read", touch("read", Read, Path{Path: "a", Use: schema.ReadPath}), Allow},
		{"write", touch("write", Write, Path{Path: "a", Use: schema.WritePath}), Allow},
		{"delete", touch("delete", Destructive, Path{Path: "a", Use: schema.RemovePath}), Ask},
		{"no paths", Request{Tool: "message", Risk: Write}, Allow},
		{"unknown risk", Request{Tool: "x", Risk: "harmless"}, Ask},
		{"command that writes", run(Write, "make"), Allow},
		{"without a sandbox", unconfined, Ask},
		{"command that destroys", run(Destructive, "rm", "-r", "x"), Ask},
		{"network", network, Ask},
		{"riskier than its commands", redirected, Ask},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := p.Decide(c.q)
			if d.Verdict != c.want || d.By != ByDefault || (d.Verdict == Allow) != (d.Err() == nil) || (d.Verdict == Allow) != (len(d.Why()) == 0) {
				t.Errorf("%+v", d)
			}
		})
	}
}

// The files of a personal agent, in both states of the memory switch.
func TestMemory(t *testing.T) {
	rules := []Rule{
		{Path: "SOUL.md", Write: Ask, Edit: Ask},
		{Path: "{USER,MEMORY}.md", Decision: Allow, Requires: []string{"memory"}},
	}
	type row struct{ read, write, edit, remove string }
	for _, c := range []struct {
		name string
		on   []string
		want map[string]row
	}{
		{"on", switches, map[string]row{
			"SOUL.md": {"", "approval_required", "approval_required", "approval_required"},
			"USER.md": {"", "", "", ""}, "MEMORY.md": {"", "", "", ""},
			"other": {"", "", "", "approval_required"},
		}},
		{"off", nil, map[string]row{
			"SOUL.md":   {"", "approval_required", "approval_required", "approval_required"},
			"USER.md":   {"not_registered", "not_registered", "not_registered", "not_registered"},
			"MEMORY.md": {"not_registered", "not_registered", "not_registered", "not_registered"},
			"memory.MD": {"not_registered", "not_registered", "not_registered", "not_registered"},
			"other":     {"", "", "", "approval_required"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := build(t, Options{On: c.on}, rules...)
			for file, want := range c.want {
				code := func(tool string, risk Risk, use schema.PathUse) string {
					if err := p.Decide(touch(tool, risk, Path{Path: file, Use: use})).Err(); err != nil {
						return string(fault.As(err).Code)
					}
					return ""
				}
				got := row{code("read", Read, schema.ReadPath), code("write", Write, schema.WritePath), code("edit", Write, schema.EditPath), code("delete", Destructive, schema.RemovePath)}
				if d := cmp.Diff(want, got, cmp.AllowUnexported(row{})); d != "" {
					t.Errorf("%s: %s", file, d)
				}
			}
			if n := len(p.Rules()); n != 1+len(c.on) {
				t.Errorf("%d rules are listed", n)
			}
		})
	}
}

func TestStrictestWins(t *testing.T) {
	allow, ask, deny := Rule{Tool: "*", Decision: Allow}, Rule{Path: "a/**", Decision: Ask}, Rule{Risk: Write, Decision: Deny, Why: "frozen"}
	q := touch("write", Write, Path{Path: "a/b", Use: schema.WritePath})
	for _, rules := range [][]Rule{{allow, ask, deny}, {deny, ask, allow}, {ask, deny, allow}} {
		d := build(t, Options{}, rules...).Decide(q)
		if d.Verdict != Deny || d.Rule.Rule.Why != "frozen" || !strings.Contains(d.Err().Error(), "frozen") {
			t.Errorf("%+v", d)
		}
	}
	if d := build(t, Options{}, allow, ask).Decide(q); d.Verdict != Ask {
		t.Errorf("%+v", d)
	}
	// An allowing rule lifts the default, for its own part only.
	p := build(t, Options{}, Rule{Path: "tmp/**", Delete: Allow})
	if d := p.Decide(touch("delete", Destructive, Path{Path: "tmp/x", Use: schema.RemovePath})); d.Verdict != Allow {
		t.Errorf("%+v", d)
	}
	if d := p.Decide(touch("delete", Destructive, Path{Path: "tmp/x", Use: schema.RemovePath}, Path{Path: "y", Use: schema.RemovePath})); d.Verdict != Ask {
		t.Errorf("%+v", d)
	}
}

func TestPathSpellings(t *testing.T) {
	p := build(t, Options{}, Rule{Path: "SOUL.md", Write: Deny}, Rule{Path: "secret/Ünï/", Decision: Deny}, Rule{Path: "free/*", Delete: Allow})
	for _, name := range []string{
		"SOUL.md", "soul.md", "Soul.MD", "./SOUL.md", "a/../SOUL.md", "SOUL.md.", "SOUL.md ", "SO\u200cUL.md", "ſoul.md", "/SOUL.md", `.\SOUL.md`,
		"secret/ünï", "SECRET/U\u0308NI\u0308/deep/x",
	} {
		if v := p.Path(Project{}, name, schema.WritePath); v != Deny {
			t.Errorf("%q: %s", name, v)
		}
		if d := p.Decide(touch("write", Write, Path{Path: name, Use: schema.WritePath})); d.Verdict != Deny {
			t.Errorf("%q: %+v", name, d)
		}
	}
	for _, name := range []string{"SOUL.mdx", "x/SOUL.md", "SOUL", "secrets/ünï"} {
		if v := p.Path(Project{}, name, schema.WritePath); v != Allow {
			t.Errorf("%q: %s", name, v)
		}
	}
	// What widens goes by the letter.
	for name, want := range map[string]Verdict{"free/x": Allow, "FREE/x": Ask, "free/x/y": Ask, "a/free/x": Ask} {
		if d := p.Decide(touch("delete", Destructive, Path{Path: name, Use: schema.RemovePath})); d.Verdict != want {
			t.Errorf("%q: %+v", name, d)
		}
	}
}

func TestUnnamedChanges(t *testing.T) {
	p := build(t, Options{}, Rule{Path: "a", Edit: Ask}, Rule{Path: "b", Delete: Deny}, Rule{Path: "c", Write: Deny, Edit: Allow}, Rule{Path: "d/keep", Write: Ask})
	for _, c := range []struct {
		path Path
		want Verdict
	}{
		{Path{Path: "a", Use: schema.ReadPath}, Allow},
		{Path{Path: "a", Use: schema.WritePath}, Ask},
		{Path{Path: "a", Use: schema.RemovePath}, Ask},
		{Path{Path: "b", Use: schema.WritePath}, Allow},
		{Path{Path: "c", Use: schema.EditPath}, Allow},
		{Path{Path: "c", Use: schema.RemovePath}, Deny},
		{Path{Path: "d", Use: schema.RemovePath, Tree: true}, Ask}, // takes d/keep along
		{Path{Path: "d", Use: schema.ReadPath, Tree: true}, Allow},
		{Path{Path: "D", Use: schema.RemovePath, Tree: true}, Ask},
		{Path{Path: "e", Use: schema.RemovePath, Tree: true}, Allow},
	} {
		if d := p.Decide(touch("move", Write, c.path)); d.Verdict != c.want {
			t.Errorf("%+v: %+v", c.path, d)
		}
	}
}

func TestGlobs(t *testing.T) {
	for _, c := range []struct {
		pattern  string
		yes, not []string
	}{
		{"**", []string{"a", "a/b", "."}, nil},
		{"*", []string{"a", ".a"}, []string{"a/b", "."}},
		{"**/*.key", []string{"x.key", "a/b/x.key"}, []string{"x.keys", "key"}},
		{"a/**/b", []string{"a/b", "a/x/b", "a/x/y/b"}, []string{"a/x", "b", "a/bb"}},
		{"a/**/b/**/c", []string{"a/b/c", "a/b/b/x/c", "a/x/b/c/c"}, []string{"a/c", "a/b/c/d"}},
		{"a/**", []string{"a", "a/b/c"}, []string{"ab"}},
		{"[a-c]?.{md,txt}", []string{"b1.md", "cx.txt"}, []string{"d1.md", "b.md", "b1.mdx"}},
		{"{a,b/{c,d}}/x", []string{"a/x", "b/c/x", "b/d/x"}, []string{"b/x", "c/x"}},
		{`\{a\}`, []string{"{a}"}, []string{"a"}},
		{"a{,b}", []string{"a", "ab"}, []string{"b"}},
		{strings.Repeat("**/a/", 20) + "b", nil, []string{strings.Repeat("a/", 60) + "c"}},
	} {
		g, bad := parseGlob(c.pattern)
		if !bad.IsZero() {
			t.Errorf("%q: %s", c.pattern, bad)
			continue
		}
		for _, list := range []struct {
			names []string
			want  bool
		}{{c.yes, true}, {c.not, false}} {
			for _, name := range list.names {
				if got := g.match(namesOf(name)); got != list.want {
					t.Errorf("%q on %q: %v", c.pattern, name, got)
				}
				if got := g.matchFolded(namesOf(name), false); got != list.want {
					t.Errorf("%q on %q, folded: %v", c.pattern, name, got)
				}
			}
		}
	}
	alternatives := func(n int) string { return "{" + strings.Repeat("a,", n-1) + "a}" }
	parts := func(n int) string { return strings.Repeat("a/", n-1) + "a" }
	for _, at := range []struct{ most, more string }{
		{strings.Repeat("a", 1024), strings.Repeat("a", 1025)}, {parts(64), parts(65)}, {alternatives(64), alternatives(65)},
	} {
		if _, bad := parseGlob(at.most); !bad.IsZero() {
			t.Errorf("%.20q…: %s", at.most, bad)
		}
		if _, bad := parseGlob(at.more); bad.IsZero() {
			t.Errorf("%.20q… was accepted", at.more)
		}
	}
	for _, pattern := range []string{"/etc/passwd", "../x", "a/../b", "[", "a[", "{a", "a}", "", ".", "{" + strings.Repeat("a,", 100) + "}", strings.Repeat("{a,b}", 10), "a\x00", strings.Repeat("a/", 100)} {
		if _, bad := parseGlob(pattern); bad.IsZero() {
			t.Errorf("%q was accepted", pattern)
		}
	}
}

func TestNeverAllowed(t *testing.T) {
	p := build(t, Options{Home: "/home/me"}, Rule{Tool: "*", Decision: Allow}, Rule{Path: "**", Decision: Allow}, Rule{Argv: [][]string{{"rm", "helve", "sudo"}}, Decision: Allow})
	for _, text := range []string{
		"rm -rf /", "rm -fr /*", "rm -r --force //", "/bin/rm --recurs /.", "rm -R ~", "rm -rf ~/", "rm -rf ~/*", "rm -rf $HOME", "rm -rf ${HOME}/*",
		"rm -rf /home/me", "rm -rf /home", "rm -rf /tmp/..", "rm -rf /home/me/x/..", "sudo -u root rm -rf /", "env A=b nohup rm -rf /", "RM.EXE -rf /", "find / -delete",
		"mkfs.ext4 x", "mkfs x", "dd if=/dev/zero of=/dev/sda", "tee /dev/nvme0n1", "cp x /dev/sda1", "shred /dev/../dev/sda", "wipefs -a /dev/vda",
		"helve approve X", "helve --root /x deny X", "/opt/helve --lang=zh approve X", "helve config set a b", "helve config trust", "helve memory on",
		"helve tools register x", "sudo helve approve X", "helve --odd thing approve X", "helve -o json approve X",
	} {
		d := p.Decide(run(Write, strings.Fields(text)...))
		if d.Verdict != Deny || d.By != ByBuiltIn || !fault.Is(d.Err(), fault.Denied) {
			t.Errorf("%s: %+v", text, d)
		}
	}
	for _, text := range []string{
		"rm -rf x", "rm -rf ./*", "rm -rf /tmp/x", "rm /", "rm -rf /home/me/x", "rm -rf /home/men", "rm -f ~", "find / -name x", "echo rm -rf /", "dd if=/dev/sda of=x",
		"cp /dev/sda x", "helve read approve", "helve config show", "helve memory", "helve tools list", "helve --root approve read x", "ls /dev/sda", "tee /dev/null",
	} {
		if d := p.Decide(run(Write, strings.Fields(text)...)); d.Verdict != Allow {
			t.Errorf("%s: %+v", text, d)
		}
	}
	for _, name := range []string{".helve/config.json", ".HELVE/x", "a/../.helve", "sub/.helve/tools/x.json"} {
		if d := p.Decide(touch("write", Write, Path{Path: name, Use: schema.WritePath})); d.By != ByBuiltIn {
			t.Errorf("%s: %+v", name, d)
		}
	}
	if d := p.Decide(Request{Tool: "exec", Risk: Read, Forbidden: fault.T("this is a fork bomb")}); d.Verdict != Deny {
		t.Errorf("%+v", d)
	}
}

func TestReadOnly(t *testing.T) {
	p := build(t, Options{ReadOnly: true}, Rule{Tool: "*", Decision: Allow}, Rule{Path: "**", Decision: Allow})
	for _, q := range []Request{
		touch("write", Write, Path{Path: "a", Use: schema.WritePath}), touch("liar", Read, Path{Path: "a", Use: schema.EditPath}), {Tool: "custom", Risk: Write},
		{Tool: "odd", Risk: "?"}, run(Write, "make"), {Tool: "exec", Risk: Write, Commands: []Command{{Argv: []string{"echo"}, Risk: Read}}},
	} {
		if d := p.Decide(q); d.Verdict != Deny || d.By != ByReadOnly {
			t.Errorf("%+v: %+v", q, d)
		}
	}
	if d := p.Decide(touch("read", Read, Path{Path: "a", Use: schema.ReadPath})); d.Verdict != Allow {
		t.Errorf("%+v", d)
	}
	if p.Path(Project{}, "a", schema.WritePath) != Deny || p.Path(Project{}, "a", schema.ReadPath) != Allow {
		t.Error("Path does not know of it")
	}
}

func TestBadRules(t *testing.T) {
	for _, c := range []struct {
		rule Rule
		want []string // pointers
	}{
		{Rule{}, []string{"", ""}},
		{Rule{Decision: Allow}, []string{""}},
		{Rule{Tool: "x"}, []string{""}},
		{Rule{Tool: "x", Write: Ask}, []string{""}},
		{Rule{Tool: "[", Decision: Ask}, []string{"/tool"}},
		{Rule{Tool: "x", Decision: "perhaps"}, []string{"/decision"}},
		{Rule{Risk: "small", Decision: Ask}, []string{"/risk"}},
		{Rule{Path: "/x", Decision: Ask, Argv: [][]string{{"a"}}}, []string{"/path", "/argv"}},
		{Rule{Argv: [][]string{{"a"}, {}}, Decision: Ask}, []string{"/argv/1"}},
		{Rule{Argv: [][]string{{""}}, Decision: Ask}, []string{"/argv/0"}},
		{Rule{Tool: "x", Match: [][]string{{"a"}}, Decision: Ask}, []string{""}},
		{Rule{Argv: [][]string{{"a"}}, Match: [][]string{{"b"}, {"a", "c"}, {}}, Decision: Ask}, []string{"/match/0", "/match/2"}},
		{Rule{Argv: [][]string{{"a"}}, NotMatch: [][]string{{"b"}, {"A"}}, Decision: Ask}, []string{"/not_match/1"}},
		{Rule{Tool: "x", Decision: Ask, Requires: []string{"memory", "luck"}}, []string{"/requires/1"}},
	} {
		var got []string
		for _, p := range c.rule.Check(switches) {
			got = append(got, p.Pointer)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%+v: %s", c.rule, d)
		}
		if p, err := New(given(c.rule), Options{Switches: switches}); p != nil || !fault.Is(err, fault.NotConfigured) {
			t.Errorf("%+v: %v, %v", c.rule, p, err)
		}
	}
}

func TestTooManyRules(t *testing.T) {
	rules := slices.Repeat([]Given{{Rule{Tool: "x", Decision: Ask}, "f"}}, 2001)
	if _, err := New(rules[:2000], Options{}); err != nil {
		t.Error(err)
	}
	if _, err := New(rules, Options{}); !fault.Is(err, fault.NotConfigured) {
		t.Error(err)
	}
}

func TestExplain(t *testing.T) {
	p := build(t, Options{}, Rule{Path: "SOUL.md", Write: Ask, Why: "it is who you are"}, Rule{Tool: "write", Decision: Allow}, Rule{Path: "*.md", Decision: Deny, Tool: "edit"})
	e := p.Explain(touch("write", Write, Path{Path: "SOUL.md", Use: schema.WritePath}))
	if e.Decision.Verdict != Ask || e.Decision.Rule.From != "#1" || len(e.Others) != 1 || e.Others[0].Rule.From != "#2" {
		t.Errorf("%+v", e)
	}
	reason := e.Decision.Reasons[0]
	if reason.In(fault.English) != "rule #1 asks before write of SOUL.md (it is who you are)" || reason.In(fault.Chinese) != "规则 #1 要求在对 SOUL.md 执行 write 前询问（it is who you are）" {
		t.Errorf("%s / %s", reason.In(fault.English), reason.In(fault.Chinese))
	}
}

func TestRevision(t *testing.T) {
	base := build(t, Options{On: switches}, Rule{Tool: "x", Decision: Ask})
	same := build(t, Options{On: switches}, Rule{Tool: "x", Decision: Ask})
	revision := func(p *Policy) string {
		r, err := p.Revision()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if revision(base) != revision(same) || len(revision(base)) != 64 {
		t.Error(revision(base), revision(same))
	}
	for _, other := range []*Policy{
		build(t, Options{}, Rule{Tool: "x", Decision: Ask}), build(t, Options{On: switches, ReadOnly: true}, Rule{Tool: "x", Decision: Ask}),
		build(t, Options{On: switches}, Rule{Tool: "x", Decision: Deny}), build(t, Options{On: switches}),
	} {
		if revision(other) == revision(base) {
			t.Error("another policy has the same revision")
		}
	}
}

func TestNarrowed(t *testing.T) {
	r, left := Rule{Path: "a", Read: Allow, Write: Deny, Decision: Allow}.Narrowed()
	if d := cmp.Diff(Rule{Path: "a", Write: Deny}, r); d != "" || !left || r.Widens() {
		t.Error(d, left)
	}
	if r, left := (Rule{Tool: "x", Decision: Allow}).Narrowed(); left {
		t.Error(r)
	}
}
