package classify

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/policy"
)

var world = Options{Root: "/src/project", Home: "/home/ann", Scratch: []string{"/tmp/private"}}

// known is a command of testdata/verdicts.tsv with its verdict.
type known struct {
	risk    policy.Risk
	denied  bool
	flags   []Flag
	command string
}

// verdicts reads testdata/verdicts.tsv.
func verdicts(t testing.TB) []known {
	t.Helper()
	var all []known
	for _, line := range lines(t, "testdata/verdicts.tsv") {
		columns := strings.SplitN(line, "\t", 3)
		if len(columns) != 3 {
			t.Fatalf("%q has not three columns", line)
		}
		k := known{risk: policy.Risk(columns[0]), command: columns[2]}
		if k.denied = columns[0] == "denied"; k.denied {
			k.risk = Destructive
		}
		if columns[1] != "-" {
			for flag := range strings.SplitSeq(columns[1], ",") {
				k.flags = append(k.flags, Flag(flag))
			}
		}
		if strings.HasPrefix(k.command, `"`) {
			unquoted, err := strconv.Unquote(k.command)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			k.command = unquoted
		}
		all = append(all, k)
	}
	return all
}

// lines reads a file of tests without its comments and empty lines.
func lines(t testing.TB, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Split(string(text), "\n")
	return slices.DeleteFunc(all, func(line string) bool { return line == "" || line[0] == '#' })
}

func TestVerdicts(t *testing.T) {
	all := verdicts(t)
	if len(all) < 1044 {
		t.Errorf("only %d cases", len(all))
	}
	for _, k := range all {
		v := Classify(k.command, world)
		if d := cmp.Diff(k, known{v.Risk, v.HardDeny, v.Flags, k.command}, cmp.AllowUnexported(known{})); d != "" {
			t.Errorf("%q: %s%v", k.command, d, v.Reasons)
		} else if v.Risk.Worse(Read) && len(v.Reasons) == 0 {
			t.Errorf("%q is %s for no reason", k.command, v.Risk)
		}
	}
}

// TestCollected judges commands that have fooled other judges, and plain ones. A
// command may be judged worse than it is labelled, except one that only reads.
func TestCollected(t *testing.T) {
	judged := 0
	for _, line := range lines(t, "testdata/collected.tsv") {
		label, quoted, ok := strings.Cut(line, "\t")
		var command string
		if err := json.Unmarshal([]byte(quoted), &command); err != nil || !ok {
			t.Fatalf("%s: %v", line, err)
		}
		judged++
		want := policy.Risk(label)
		if v := Classify(command, world); want.Worse(v.Risk) || want == Read && v.Risk != Read {
			t.Errorf("%q is %s, want %s: %v", command, v.Risk, label, v.Reasons)
		}
	}
	if judged < 190 {
		t.Errorf("only %d commands", judged)
	}
}

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

// TestParts holds what is done outside of a command against the command.
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

// TestHostile are commands that want to take time or stack.
func TestHostile(t *testing.T) {
	const n = 60_000
	for name, command := range map[string]string{
		"parentheses":   strings.Repeat("(", 100_000),
		"substitutions": strings.Repeat("$(", n/2),
		"closed":        strings.Repeat("(", 50_000) + "ls" + strings.Repeat(")", 50_000),
		"quoted":        strings.Repeat("(')'", n/4),
		"braces":        strings.Repeat("{a,", n/3),
		"stages":        strings.Repeat("a;", n/2) + "a",
		"pipes":         strings.Repeat("a|", n/2) + "a",
		"and":           strings.Repeat("a&&", n/3) + "a",
		"if":            strings.Repeat("if ", n/3),
		"not":           strings.Repeat("! ", n/2) + "a",
		"unary":         "echo $((" + strings.Repeat("!", n) + "1))",
		"ternary":       "echo $((" + strings.Repeat("1?1:", n/4) + "1))",
		"documents":     strings.Repeat("cat <<E;", n/8),
		"directories":   strings.Repeat("cd a;", n/5),
		"assignments":   strings.Repeat("a=$b ", n/5),
		"time":          strings.Repeat("time ", n/5) + "ls",
		"backquotes":    strings.Repeat("`a", n/2),
		"dollars":       strings.Repeat("${a:-", n/5),
	} {
		v := Classify(command, world)
		for _, why := range v.Reasons {
			if strings.Contains(why.String(), "could not be analyzed") {
				t.Errorf("%s: %s", name, why)
			}
		}
		if len(command) > 65_536 && v.Risk != Destructive {
			t.Errorf("%s: %s", name, v.Risk)
		}
	}
}

func BenchmarkTypical(b *testing.B) {
	for b.Loop() {
		Classify("git diff HEAD~1 -- src | head -50", world)
	}
}

func BenchmarkNested(b *testing.B) {
	command := strings.Repeat("(", 50_000) + strings.Repeat(")", 50_000)
	for b.Loop() {
		Classify(command, world)
	}
}
