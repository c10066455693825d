//go:build unix

package classify_test

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
)

// judges are the shells that say what a command does.
var judges = []struct {
	name    string
	dialect classify.Dialect
}{{"bash", classify.Bash}, {"dash", classify.POSIX}, {"zsh", classify.Zsh}}

// seeds is the number of batches of commands that TestShells tries in each shell: 300 commands
// each. They are the same everywhere, so what one machine finds, all find.
var seeds = flag.Uint64("seeds", 2, "batches of commands that the shells judge")

// TestShells has the real shells judge: commands are composed of pieces that may create
// the file m, and a command that is judged to read must not create it.
func TestShells(t *testing.T) {
	for i := range judges {
		for seed := range *seeds {
			t.Run(fmt.Sprintf("%s/%d", judges[i].name, seed), func(t *testing.T) { compare(t, seed, i) })
		}
	}
}

// FuzzShells is TestShells with any seed.
func FuzzShells(f *testing.F) {
	for i := range judges {
		f.Add(uint64(1), uint8(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, which uint8) { compare(t, seed, int(which)%len(judges)) })
}

// compare lets a shell judge the commands of a seed.
func compare(t *testing.T, seed uint64, which int) {
	judge, support := judges[which], native.Probe(sandbox.Cache{})
	if !support.Best().Confines() {
		t.Skip("no sandbox here in which commands could be run")
	}
	shell, err := exec.LookPath(judge.name)
	if err != nil {
		t.Skip("no " + judge.name)
	}
	g := composer{rand.New(rand.NewPCG(seed, uint64(judge.dialect)))}
	var read []string
	for range 300 {
		command := g.script()
		if classify.Classify(command, classify.Options{Root: "/w", Dialect: judge.dialect}).Risk == classify.Read {
			read = append(read, command)
		}
	}
	t.Logf("%d of 300 commands are judged to read", len(read))
	for _, command := range creating(t, support, shell, read) {
		t.Errorf("%q is judged to read, but %s creates a file", command, judge.name)
	}
}

// TestShellsAreHeard checks that the marker is seen when a command creates it.
func TestShellsAreHeard(t *testing.T) {
	support := native.Probe(sandbox.Cache{})
	shell, err := exec.LookPath("bash")
	if err != nil || !support.Best().Confines() {
		t.Skip("no bash, or no sandbox")
	}
	all := []string{"x='a[$(>m)]'; echo $((x))", "cd d; touch m", "ls", "read x < f; [[ x -eq 1 ]]", ">../m"}
	if got := creating(t, support, shell, all); len(got) != 4 {
		t.Errorf("files are created by %q", got)
	}
}

// contents are the files that a command finds.
var contents = map[string]string{
	"f": "a[$(>m)]\n", "g": "-v a[$(>m)]\n", "d/a[$(>m)]": "x\n", "d/-v": "", "h": "$(>m)\n`>m`\n([0]=$(>m))\n",
}

// creating runs commands in the sandbox, each in a directory of its own, and
// returns those that create the marker.
func creating(t *testing.T, support sandbox.Support, shell string, commands []string) []string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i, command := range commands {
		dir := filepath.Join(root, fmt.Sprint(i))
		if err := os.MkdirAll(filepath.Join(dir, "d"), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range contents {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(dir+".command", []byte(command), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sb, err := native.New(sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: root}, support, support.Best())
	if err != nil {
		t.Fatal(err)
	}
	const each = `ulimit -t 2; ulimit -f 64; ulimit -n 64
i=0
while [ "$i" -lt "$2" ]; do
	text=$(cat "$i.command"; echo .)
	(cd "$i" && exec env -i HOME="$PWD" PATH="$PATH" "$1" -c "${text%.}") </dev/null >/dev/null 2>&1
	i=$((i + 1))
done`
	result, err := run.Run(context.Background(), run.Command{
		Argv: []string{"/bin/sh", "-c", each, "sh", shell, fmt.Sprint(len(commands))}, Dir: root, Env: []string{"PATH=/usr/bin:/bin"},
		Timeout: 2 * time.Minute, Sandbox: sb,
	})
	if err != nil || result.ExitCode != 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	var guilty []string
	for i, command := range commands {
		found := false
		err := filepath.WalkDir(filepath.Join(root, fmt.Sprint(i)), func(_ string, d fs.DirEntry, err error) error {
			found = found || err == nil && d.Name() == "m"
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if found {
			guilty = append(guilty, command)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "m")); err == nil {
		guilty = append(guilty, "one of them, in the directory above")
	}
	return guilty
}

// composer composes commands. A function unsets itself, so that none runs without
// end. In the patterns of a composer %v is the name of a variable, %q a
// quoted text, %w a word, %t a test, %c a simple command and %s a statement.
type composer struct{ *rand.Rand }

func (g composer) pick(all []string) string { return all[g.IntN(len(all))] }

func (g composer) script() string {
	var b strings.Builder
	for range g.IntN(5) {
		b.WriteString(g.fill(g.pick(sources), 3))
		b.WriteString(g.pick([]string{"; ", "\n"}))
	}
	b.WriteString(g.fill("%s", 4))
	return b.String()
}

// fill replaces the letters behind "%" in a pattern. When depth is used up, it
// takes the first choices, which hold no others.
func (g composer) fill(pattern string, depth int) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '%' || i+1 == len(pattern) {
			b.WriteByte(pattern[i])
			continue
		}
		i++
		all, ok := choices[pattern[i]]
		if !ok {
			b.WriteString(pattern[i-1 : i+1])
			continue
		}
		if depth <= 0 {
			all = all[:3]
		}
		b.WriteString(g.fill(g.pick(all), depth-1))
	}
	return b.String()
}

var choices = map[byte][]string{
	'v': {"x", "y", "z", "x", "y", "z", "a", "RANDOM", "OPTIND", "SECONDS", "REPLY", "PWD", "MAPFILE", "BASH_REMATCH", "_"},
	'p': payloads,
	'q': {"1", "x", "'y'", "'%p'", "'%p'", "'%p'", `"%p"`, "%p", "$'%p'", `\$\(\>m\)`, `"\$(>m)"`, "'%p%p'", "''", "$'%x'", "$'%x'", `"'%p'"`, `'"%p"'`, `"a"'%p'"%w"`, "%q%q"},
	// What $'...' decodes to a payload.
	'x': {`\x24(>m)`, `a[\x24(>m)]`, `\x{24}(>m)`, `\u0024(>m)`, `a[\44(>m)]`, `\x60>m\x60`, `\'%p`, `\c?\x24(>m)`, `x\x3d1`, `\x2dv`, `;\x3em`, `\x{2d}o`},
	'w': {"1", "$%v", `"$%v"`, "%q", "%q", "${%v}", `"$%v$%v"`, "$1", `"$@"`, "$#", "${#%v}", "$((%e))", "${%v:-%q}", "${%v%%%q}", "${%v/%q/%q}", "${%v:%e}",
		"${%v:1:%e}", "${%v[%e]}", `"${%v[@]}"`, "${%v^^%q}", "${%v#%g}", "${%v//%g/}", "${%v@Q}", "${!%v[@]}", "*", "d/*", "~", "{%q,%q}", "$(cat f)", "$(%c)",
		"`%c`", "<(%c)", "%g", `$"%p"`, "%u", "%u", `"%u"`, `"%u"`, `"%u%u"`, `"a%u'%p'"`, "$(<f)", "{1..3}", "{%w,%v}", "a{,%q}b", "$(wc -l < f)", "$(cat f | wc -l)", "$(grep -c %q f)",
		"$(date +%Y)", "$(%c | tr -cd 0-9)", "$[%e]", "$'%x'", "=ls", "~+", "%v=%q"},
	// Parameters, in which the rules of quotes change.
	'u': {"$%v", "${%v}", "${%v:-x}", "${%v:-%q}", "${%v-%q}", "${%v:+%q}", "${%v:-%w}", "${%v#%q}", "${%v%%%q}", "${%v/%q/%w}", "${%v//%q}", "${%v:-'%p}'", "${%v:-'}%p'}", `${%v:-"%p"}`,
		`${%v:-"'%p'"}`, "${%v:-${%v:-%q}}", "${%v:-$(%c)}", "${%v:-$'%x'}", "${%v^%q}", "${%v@U}", "${#%v[@]}", "${%v[@]:%e}", "${%v[%w]}", "${%v:-\\'%p\\'}", "${%v:-{%q,x\\}}", "${%v:?%q}",
		"${@:%e}", "${*:-%q}", "${!%v}", "${%v:-<(%c)}", "${%v##*'%p'}"},
	'g': {"a*", "[a-z]", "?", "@(a|%q)", "!(%w)", "+(%q|%w)", "?(x|@(y|%w))", "*(%p)", "%q*"},
	'e': {"1", "%v", "$%v", "%v+1", "$%v+1", "%v[%e]", "$%v$%v", "1?%e:2", "%v=%e", "%v++", "(%e)", "${%v}", "${#%v}", "'%p'", `"%p"`, "$(cat f)", "a[%w]", "%u", "$((%e))", "a$((%e))", "$(wc -l < f)", "%v%u", "10#%u", "%v[$%v]", "%e,%e", "%v=%u", "$(%c)", "$'%x'"},
	't': {"-n %v", "%v == y", "1 -lt 2", "%w == %w", "%w == %g", "%w != %q", "%e -eq 1", "%w -lt %w", "%v -ge %v", "-v %v", "-v %v[%e]", "-n %w", "%w =~ %w", "%w =~ (%q|%w)",
		"%w =~ (<(%c))", "%w =~ [%q]", "%w =~ ^%w$", "%w =~ %g", "-R %v", "-t %w", "%w -nt %w", "%w == %u", "%w =~ %u", "(%t)", "%v[%e] -eq %e", "! %t", "%t && %t", "-f %w", "-z %w || %t"},
	'c': {
		"ls", "echo x", ":", "echo %w", "echo %w %w", "printf %%s %w", "printf %%d %w", "printf '%p' %w", "cat f", "grep %q f", "grep -e %q f", "test %w = %w", "[ %w = %w ]", "[ %w ]",
		"[ %w %w ]", "[ -n %w -a %w ]", "[ ! %w = %w ]", "test -v '%v[%e]'", "test -v %q", "[ %w -eq %w ]", "unset '%v[%e]'", "unset %v", "let %e", "let %e%q", "let '%e'", "'let' '%e'", "cat <<< %w",
		"shift", "type %q", "command -v %w", "exit 3", "f %w", "g %w %w", "env %v=%q bash -c '%r'", "%v=%q bash -c '%r'", "bash -c '%r' %w %w", "sh -c '%r' %w",
		"bash -O extglob -c '%r' %w", "export %v=%w", "wait %w", "umask", "trap -p", "basename %w", "seq %w", "head -n %w f", "sort %q", "cut -d %q -f 1 f",
		"sed -n %q f", "sed -e %q f", "awk %q f", "awk -v %v=%q '{print %v}' f", "find . -name %q", "find d -newer %q", "xargs -a f echo", "xargs echo %q", "expr %w : %q",
		"tr %q %q", "date +%q", "wc -l %w", "cat %w", "ls %w", "diff f %q", "[ %q %q ]", "cat < %w", "cat < %g", "sed 's/a/b/%k' f", "awk '{print %k}' f", "sort -%l %q f",
		"find . -%l %q", "grep -%l %q f", "uniq f %q", "cut -%l %q f", "ls -%l %q", "tee %q", "date -%l %q",
		"cat 3<f >/dev/fd/3", "cat <f >/dev/stdin", "echo x >/dev/fd/1", "nice %c", "command %c", "builtin %c", "time -p %c", "env %c", "timeout 5 %c", "xargs -n 1 %c", "busybox %c",
		"find . -exec %c ;", "jobs -x %c", "jobs %q %q", "watch -x %c", "parallel %c", "test %u = %w", "[ %u -gt 3 ]", "printf %d %u", "echo %u %u", "cat %u", "tar tf %q", "tar t%lf %q", "tar -tf f --%l=%q", "nm %q", "grep -c %q f", "sort --%l=%q f",
		"jq %q f", "kill -l", "ulimit -a", "hash", "local", "readonly", "zsh -c '%r'", "dash -c '%r'", "exec %c", "cd %w", "shopt -p", "set -o", "alias", "declare -f %v",
		". ./f", "printf -v %v %q", "echo x 2>%w", "history", "fc -l", "getconf %q", "numfmt %q", "file %q", "stat -c %q f", "od -A %q f", "split %q f", "csplit f %q", "dd if=f", "cmp f %q",
	},
	// What runs in another shell, between single quotes.
	'r': {"ls", "echo $1", "echo $((%v))", "echo $(($1))", "[[ $1 -eq 1 ]]", "[[ %v -eq 1 ]]", "[ $1 = x ]", `[ "$1" "$2" ]`, "[[ x == @(a|$(>m)) ]]", "echo ${%v:$1}", "y=$1; echo $((y))", "echo \"${1:-x}\" | cat", "ls -l; echo $#", "set -- $1; ls", "[ -v \"$1\" ]", "let $1", "declare -i n=$1", "echo {1..$1}", "n=$(wc -l < f); echo $((n))"},
	'k': {"", "w m", "e", "> \"m\"", "| \"touch m\"", "g", "p", "$1", "e touch m"},
	'l': {"o", "n", "e", "f", "t", "k", "r", "s", "d", "c", "T", "-output", "fprint", "exec", "-files0-from", "fls"},
	's': {
		"%c", "ls", "%a", "%c; %s", "%c && %s", "%c | %s", "{ %s; }", "(%s)", "! %c", "if %c; then %s; fi", "if [[ %t ]]; then %s; fi", "[[ %t ]]", "[[ %t ]]", "((%e))",
		"for %v in %w %w; do %s; done", "for i in 1; do %s; done", "case %w in %w) %s;; esac", "case %w in %g) %s;; *) %s;; esac", "for ((i=%e;i<1;i++)); do %s; done",
		"while [[ %t ]]; do %s; break; done", "time %c", "cat <<E\n%p\n%w\nE", "cat <<'E'\n%p\nE", "%c 2>/dev/null", "%c < f", "%c <<< %w", "if !(%c); then ls; fi",
		"shopt -s extglob\n%s", "%a\n%s", "set -- %w\n%s", "select %v in %w; do break; done",
		"cat <<E\n%u\nE", "cat <<E\n'%p' \"%u\"\nE", "cat <<-E\n\t%u\n\tE", `cat <<"E"` + "\n%u\nE", "cat <<\\E\n%p\nE", "cat <<E | %c\n%u\nE", "cat <<A <<'B'\n%u\nA\n%p\nB", "$(cat <<E\n%w\nE\n)",
		"%c < <(%c)", "%c <&0", "exec 3<f; %s", "exec {x}<f; echo x >/dev/fd/$x", "%c {x}<f >&2", "coproc %c", "coproc x { %s; }", "shopt -s expand_aliases\nalias ls=%q\nls", "alias %v=%q",
		"function f { unset -f f; %s; }; f %w", "f() ( unset -f f; %s ); f %w", "f() { unset -f f; %s; } 2>/dev/null; f %u", "case %u in %u) %s;& *) %s;; esac", "case %w in (%q) %s;;& (%g|%u) %s;; esac", "for %v do %s; done",
		"for %v in %u; do echo $((%v)); done", "until [[ %t ]]; do %s; break; done", "{ %s; } < f", "( %s ) 2>&1 | cat", "%s & wait", "%c && ! %c", "[ %w ] || %s", "%a %c", "%v=%w %c",
		"local -a %v=(%w)", "for ((;%e;)); do break; done", "while read %v; do %s; done < f", "%c; set -- %u; echo $(($1))", "unset %v; %s", "trap '%r' EXIT", "trap - %q", "eval %q",
		"ls -la | head -n 2 && cat f; echo 'a b' \"c\"", "cat f | sort -r | uniq -c", "pwd; ls . d | wc -l", "grep -n x f || echo no", "echo a=b @x +y; ls -1 2>/dev/null", "find . -name 'f' -type f | head",
	},
	// Assignments.
	'a': {"%v=1", "%v=%v", "%v='%p'", "%v=%w", "%v=%w", "%v+=%q", "%v=(%q %w)", "%v[%e]=%q", "%v=([%w]=%q)", "read %v < f", "read -r %v <<< %w", "read -a%v < f", "read < f",
		"mapfile -t %v < f", "printf -v %v %%s %q", "printf -v '%v[%e]' x", "declare %v=%q", "declare %d %v=%w", `declare %d "%v=%p"`, "declare %d %v='%p'", "'declare' %d %v=%w",
		"typeset %d %v=%w", "readonly %v=%w", "export %v=%q", "declare %d %v", "declare '%v[%e]=%q'", "local %v=%w", "((%e))", "%v=$((%e))", "%v=%u", "%v=$(wc -l < f)", "%v=x$((%e))", "%v=%w%w", "declare -A %v; %v[%w]=%q", "%v=([x]=%q [%e]=%w)", "declare -n %v=%v", "readarray -t %v < f", "IFS= read -r %v < f",
		"%v+=(%w)", "declare %v+=%q", "%v[0]=%w", "%v=~%q", "%v={%q,%q}"},
	'd': {"-r", "-x", "-l", "-a", "-A", "-i", "-ai", "-g", "+i", "-u", "-p"},
}

// payloads create the marker when they are expanded or evaluated in some way.
var payloads = []string{
	"a[$(>m)]", "$(>m)", "`>m`", "a[`>m`]", "-v", "-v a[$(>m)]", "([0]=$(>m))", "($(>m))", "x", "y", "z", "x[y]", "a[", "$", "(>m)]", "*", ";>m", "|touch m", "x=1",
	"@(a|$(>m))", "@(')'$(>m)'(')", "<(>m)", "${x:=$(>m)}", "$((a[$(>m)]))", "1e touch m", "w m", `BEGIN{system("touch m")}`, `{print>"m"}`, "m", "touch m", "x[$y]",
}

// sources come first: they give variables values.
var sources = []string{
	"%a", "%a", "%a", "%a", "set -- %w %w", "f() { unset -f f; %s; }", "g() { unset -f g; local %v=$1; %s; }", "shopt -s extglob", "cd d", ": %w", "declare %d %v", "[[ %w =~ .* ]]", "getopts ab: %v",
}
