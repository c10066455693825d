package classify

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/policy"
)

var world = Options{Root: "/src/project", Home: "/home/ann", Scratch: []string{"/tmp/private"}}

func TestCommands(t *testing.T) {
	v := Classify(`LANG=C sh -c 'rm "$x" b' | xargs -0 wc -l > out; "l"s *.go`, world)
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
	o.Deny = []*regexp.Regexp{regexp.MustCompile(`^(echo a b )?> out$`)}
	for command, want := range map[string]bool{
		"echo a 'b' > out": true, "{ ls; } > out": true, "echo a b > in": false, "echo a b < out": false, "cat << out\n> out\nout": false,
	} {
		if v := Classify(command, o); v.HardDeny != want {
			t.Errorf("%q with its redirection: denied is %t", command, v.HardDeny)
		}
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
		{"X=1", "ls", Write}, {"LC_ALL=C", "ls", Read}, {"X=1", "curl x", Write}, {"PATH=/x", "ls", Destructive}, {"GIT_DIR=x", "git status", Destructive}, {"PYTHONPATH=x", "ls", Write},
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
	o.LookPath = func(name string) (string, bool) { return "/src/project/bin/" + name, name == "cat" }
	if v := Classify("my-tool", o); v.Risk != Write || !v.Has(PathShadow) {
		t.Errorf("a shadowed name that is not known: %+v", v)
	}
	if v := Classify("cd src", o); v.Risk != Read {
		t.Errorf("a builtin: %+v", v)
	}
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
	testRepositories(t)
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
	o.Dialect = Other
	if v := Classify("ls", o); v.Risk != Write || !v.Has(Unparsed) {
		t.Errorf("another shell: %+v", v)
	}
	if v := Classify("cat c:x", Options{Root: "/"}); v.Risk != Read {
		t.Errorf("a colon below the root: %+v", v)
	}
	o.Dialect = POSIX
	if v := Classify("cat <(ls)", o); v.Risk != Destructive || !v.Has(Syntax) {
		t.Errorf("bash in sh: %+v", v)
	}
}

// TestPOSIX judges lines of sh: bash under that name takes $'...' for one text.
func TestPOSIX(t *testing.T) {
	o := world
	o.Dialect = POSIX
	for command, want := range map[string]policy.Risk{
		`echo $'\'' $(rm a) '\'''`: Destructive, `echo $'\n'`: Destructive, `echo $'a b'`: Read, `echo a'\'`: Read, `echo '\'`: Read, `echo "$x"'\'`: Read, `echo "${x:-'$(rm a)'}"`: Destructive,
		"echo ${x:-a}": Read, "n=$(wc -l < f); echo $((n))": Read, "ls && rm a": Destructive,
	} {
		if v := Classify(command, o); v.Risk != want {
			t.Errorf("%s is %s, want %s: %v", command, v.Risk, want, v.Reasons)
		}
	}
}

// testRepositories has a repository within that of the workspace, and one beside it.
func testRepositories(t *testing.T) {
	t.Helper()
	o := world
	o.Exists = func(abs string) bool {
		return slices.Contains([]string{"/src/project/.git", "/src/project/vendor/lib/.git", "/src/other/.git"}, abs)
	}
	for command, want := range map[string]policy.Risk{
		"git status": Read, "git -C src status": Read, "cd src && git diff": Read, "git -C . -C src log": Read, "git -C /src/project/src log": Read,
		"git -C vendor/lib diff": Write, "cd vendor/lib && git status": Write, "git -C vendor -C lib/sub log": Write, "git -C /src/project/vendor/lib log": Write,
		"git -C ../other log": Write, "git -C $x status": Write, "cd - && git status": Write, "cd vendor && git -C lib status": Write,
		"git diff --submodule=diff": Write, "git diff --submodule=log": Read, "git -C vendor/lib --version": Read,
		"git -C ../other commit -m x": Destructive,
	} {
		if v := Classify(command, o); v.Risk != want {
			t.Errorf("%s is %s, want %s: %v", command, v.Risk, want, v.Reasons)
		}
	}
	o.Cwd = "/src/project/vendor/lib"
	if v := Classify("git status && git -C ../.. status && git -C ../../src status", o); v.Risk != Read {
		t.Errorf("where the command starts: %v", v.Reasons)
	}
}

// TestProjectFiles judges commands by the files that a project has.
func TestProjectFiles(t *testing.T) {
	o := world
	o.Cwd = "/src/project/sub/a"
	o.Exists = func(abs string) bool { return abs == "/src/project/.mvn" }
	if v := Classify("mvn -v", o); v.Risk != Write {
		t.Errorf("a file of the project above: %v", v.Reasons)
	}
	for _, c := range []struct {
		files, command string
		want           policy.Risk
		network        bool
	}{
		{"node_modules/x", "npx ../x", Write, true}, // no program of node_modules/.bin
		{"", "cargo --version", Read, false}, {"rust-toolchain.toml", "cargo --version", Write, false}, {"rust-toolchain", "rustc -vV", Write, false},
		{"", "mvn -v", Read, false}, {".mvn", "mvn -v", Write, false}, {"gradle.properties", "gradle -v", Write, false}, {".mvn", "gradle -v", Read, false},
		{"", "pytest --version", Write, false}, {".mvn", "java -version", Read, false},
		{"", "cargo metadata --offline", Read, false}, {".cargo", "cargo metadata --offline", Write, false}, {"", "cargo metadata", Write, false},
		{"", "cargo --config x metadata --offline", Write, false}, {"", "cargo --config x metadata", Write, true}, {"", "cargo tree --frozen --config x", Write, false},
		{"node_modules/.bin/tsc", "npx tsc --noEmit", Write, false}, {"node_modules/.bin/tsc", "npx -y tsc", Write, false}, {"node_modules/.bin/tsc", "npx eslint .", Write, true},
		{"node_modules/.bin/tsc", "npx tsc@5", Write, true}, {"node_modules/.bin/tsc", "npx -p x tsc", Write, true}, {"node_modules/.bin/tsc", "cd - && npx tsc", Write, true},
		{"node_modules/.bin/tsc", "cd sub && npx tsc", Write, false}, {"node_modules/.bin/tsc", "npm exec tsc", Write, false}, {"node_modules/.bin/tsc", "npx $x", Write, true},
		{"a.db", "sqlite3 a.db .schema", Read, false}, {"a.db", "cd sub; sqlite3 a.db .schema", Write, false}, {"Cargo.lock", "cargo tree", Read, false},
		{"", "uv pip list", Read, false}, {".venv", "uv pip list", Write, false}, {"global.json", "dotnet --version", Write, false},
		{"sub/.mvn", "mvn -v", Read, false}, {"sub/.mvn", "cd sub && mvn -v", Write, false}, {"../.mvn", "mvn -v", Read, false},
	} {
		o := world
		o.Exists = func(abs string) bool { return c.files != "" && abs == path.Join(o.Root, c.files) }
		if v := Classify(c.command, o); v.Risk != c.want || v.Network != c.network {
			t.Errorf("%s with %q: %s, network %t, %v", c.command, c.files, v.Risk, v.Network, v.Reasons)
		}
	}
}

// TestLoss has a file that cannot be got back, and output that is made anew.
func TestLoss(t *testing.T) {
	o := world
	o.Loss = func(abs string, deletes bool) policy.Risk {
		if abs == "/src/project/big" || abs == "/src/project/sub/big" || deletes && !strings.Contains(abs, "/dist") {
			return Destructive
		}
		return Write
	}
	for command, want := range map[string]policy.Risk{
		"> a": Write, "> big": Destructive, ": > a": Write, "> $x": Destructive, "> ../a": Destructive, "truncate -s 0 a": Write, "truncate -s 0 a big": Destructive,
		"truncate -s 0 $x": Destructive, "echo x > big": Destructive, "echo x >> big": Write, "echo x > a": Write, "tee big": Destructive, "tee -a big": Write, "tee --append big": Write,
		"cp a big": Destructive, "cp a b": Write, "cp big a": Write, "mv a big": Destructive, "cp big sub": Destructive, "cp a sub": Write, "mv x/big sub/": Destructive, "mv a sub": Write,
		"sort -o big a": Destructive, "sort -o a big": Write, "sed -i s/a/b/ big": Destructive, "sed -i s/a/b/ a": Write, "dd if=a of=big": Destructive, "dd if=big of=a": Write,
		"rm a": Destructive, "rm -rf dist": Write, "rm -rf dist a": Destructive, "rm -rf dist/*": Write, `rm -rf "$x"`: Destructive, "rm -rf dist/*/": Destructive, "rm -rf *": Destructive,
		"rm dist/$x": Destructive, `rm -rf dist/"$x"`: Destructive, "rm -rf -- dist": Write, "rm -rf -- -x": Destructive, "rm -rf": Destructive, "ls | xargs rm -rf dist": Destructive, "touch big": Write, "cat big": Read,
		"sed --in-place s/a/b/ big": Destructive, "sed --in-place s/a/b/ a": Write,
	} {
		if v := Classify(command, o); v.Risk != want {
			t.Errorf("%s is %s, want %s: %v", command, v.Risk, want, v.Reasons)
		}
	}
	o.Directory = func(abs string) bool { return abs == "/src/project/big" }
	for command, want := range map[string]policy.Risk{"mv a big": Write, "cp a big": Destructive, "mv a sub/big": Destructive} {
		if v := Classify(command, o); v.Risk != want {
			t.Errorf("%s is %s, want %s: %v", command, v.Risk, want, v.Reasons)
		}
	}
	// Where it works is no entry that it may delete.
	o.Cwd = "/src/project/dist/a"
	for command, want := range map[string]policy.Risk{"rm -rf b": Write, "rm -rf .": Destructive, "rm -rf ..": Destructive} {
		if v := Classify(command, o); v.Risk != want {
			t.Errorf("%s in %s is %s, want %s: %v", command, o.Cwd, v.Risk, want, v.Reasons)
		}
	}
}
