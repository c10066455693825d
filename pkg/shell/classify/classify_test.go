package classify

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/policy"
)

var world = Options{Root: "/src/project", Home: "/home/ann", Scratch: []string{"/tmp/private"}}

func TestCommands(t *testing.T) {
	v := Classify(`a=1 sh -c 'rm "$x" b' | xargs -0 wc -l > out; "l"s *.go`, world)
	want := []policy.Command{
		{Argv: []string{"sh", "-c", `rm "$x" b`}, Risk: Destructive}, {Argv: []string{"rm", `"$x"`, "b"}, Risk: Destructive},
		{Argv: []string{"xargs", "-0", "wc", "-l"}, Risk: Read}, {Argv: []string{"wc", "-l", "…"}, Risk: Read}, {Argv: []string{"ls", "*.go"}, Risk: Read},
	}
	if d := cmp.Diff(want, v.Commands); d != "" {
		t.Error(d)
	}
	if v.Rest.Risk != Write || !slices.Contains(v.Written, "/src/project/out") {
		t.Errorf("the redirection is %+v to %q", v.Rest, v.Written)
	}
}

// TestParts checks that what is done outside of a command does not count as its own.
func TestParts(t *testing.T) {
	type parts struct {
		Commands []policy.Command
		Rest     policy.Command
	}
	for _, c := range []struct {
		command string
		want    parts
	}{
		{"echo x > /etc/x", parts{[]policy.Command{{Argv: []string{"echo", "x"}, Risk: Read}}, policy.Command{Risk: Destructive}}},
		{"env curl x", parts{[]policy.Command{{Argv: []string{"env", "curl", "x"}, Risk: Write, Network: true}, {Argv: []string{"curl", "x"}, Risk: Write, Network: true}}, policy.Command{Risk: Read}}},
		{"touch a; git -C /other commit", parts{[]policy.Command{
			{Argv: []string{"touch", "a"}, Risk: Write}, {Argv: []string{"git", "-C", "/other", "commit"}, Risk: Destructive}}, policy.Command{Risk: Read}}},
		{"echo x > /dev/tcp/h/1", parts{[]policy.Command{{Argv: []string{"echo", "x"}, Risk: Read}}, policy.Command{Risk: Write, Network: true}}},
	} {
		v := Classify(c.command, world)
		if d := cmp.Diff(c.want, parts{v.Commands, v.Rest}); d != "" {
			t.Errorf("%s: %s", c.command, d)
		}
	}
	many := strings.Repeat("ls\n", 200) + "rm a"
	if v := Classify(many, world); len(v.Commands) != 200 || v.Rest.Risk != Destructive {
		t.Errorf("%d commands, the rest is %s", len(v.Commands), v.Rest.Risk)
	}
}

func TestDeny(t *testing.T) {
	o := world
	o.Deny = []*regexp.Regexp{regexp.MustCompile(`^terraform (apply|destroy)\b`)}
	if v := Classify(`ls && "terra"form   destroy`, o); !v.HardDeny {
		t.Errorf("the pattern was not tried: %+v", v)
	}
	if v := Classify(`echo terraform destroy`, o); v.HardDeny {
		t.Errorf("the pattern was tried on text: %+v", v)
	}
}

func TestArgv(t *testing.T) {
	for _, c := range []struct {
		argv []string
		want policy.Risk
	}{
		{[]string{"ls", "; rm -rf /"}, Read},
		{[]string{"echo", "$(rm a)"}, Read},
		{[]string{"rm", "a"}, Destructive},
		{[]string{"sh", "-c", "rm a"}, Destructive},
		{[]string{"git", "status"}, Read},
		{[]string{"touch", "a b"}, Write},
		{[]string{"ls\x00", "a"}, Destructive},
		{nil, Read},
	} {
		if v := Argv(c.argv, world); v.Risk != c.want {
			t.Errorf("%q is %s, want %s", c.argv, v.Risk, c.want)
		}
	}
}

func TestGivenVariables(t *testing.T) {
	for _, c := range []struct {
		env, command string
		want         policy.Risk
	}{
		{"X=1", "ls", Read}, {"PATH=/x", "ls", Destructive}, {"GIT_DIR=x", "git status", Destructive}, {"PYTHONPATH=x", "ls", Write},
		{"x=a[$(id)]", "echo $((x))", Destructive},
	} {
		o := world
		o.Env = []string{c.env}
		if v := Classify(c.command, o); v.Risk != c.want {
			t.Errorf("%s %s is %s, want %s", c.env, c.command, v.Risk, c.want)
		}
	}
}

func TestWorld(t *testing.T) {
	o := world
	o.LookPath = func(name string) (string, bool) { return "/src/project/bin/" + name, name != "ls" }
	if v := Classify("ls", o); v.Risk != Write || !v.Has(PathShadow) || !v.Has(Opaque) {
		t.Errorf("a shadowed name: %+v", v)
	}
	if v := Classify("cat a", o); v.Risk != Read {
		t.Errorf("a trusted name: %+v", v)
	}
	o = world
	o.Resolve = func(abs string) string { return strings.Replace(abs, "/src/project/link", "/elsewhere", 1) }
	if v := Classify("touch link/a", o); v.Risk != Destructive || !v.Has(Outside) {
		t.Errorf("through a link: %+v", v)
	}
	o = world
	o.Exists = func(abs string) bool { return abs == "/src/project/file" }
	if v := Classify("git checkout main", o); v.Risk != Write {
		t.Errorf("a branch: %+v", v)
	}
	if v := Classify("git checkout file", o); v.Risk != Destructive {
		t.Errorf("a file: %+v", v)
	}
	o = world
	o.Protect = func(rel string) bool { return rel == "SOUL.md" }
	if v := Classify("echo x > SOUL.md", o); v.Risk != Destructive || !v.Has(Protected) {
		t.Errorf("a protected file: %+v", v)
	}
	o = world
	o.Cwd = "/src/project/sub"
	if v := Classify("touch ../a", o); v.Risk != Write {
		t.Errorf("from a directory below: %+v", v)
	}
	o.Dialect = Zsh
	if v := Classify("ls", o); v.Risk != Write || !v.Has(Unparsed) {
		t.Errorf("another shell: %+v", v)
	}
	o.Dialect = POSIX
	if v := Classify("cat <(ls)", o); v.Risk != Destructive || !v.Has(Syntax) {
		t.Errorf("bash in sh: %+v", v)
	}
}
