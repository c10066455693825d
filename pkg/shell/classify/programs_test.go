//go:build unix

package classify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
)

var (
	forms    = flag.Int("forms", 400, "command lines of installed programs that TestPrograms runs")
	formSeed = flag.Uint64("formseed", 1, "what TestPrograms composes them from")
)

// installed are the programs whose options are varied. Those that a machine lacks judge
// nothing there.
const installed = "ls dir vdir cat head tail wc sort uniq cut tr tac rev nl od xxd hexdump strings nm objdump readelf size cmp diff comm join paste pr fmt fold " +
	"expand unexpand column col numfmt seq expr date cal stat file du df tree readlink realpath basename dirname pathchk md5sum sha1sum sha256sum cksum b2sum " +
	"base32 base64 sum grep egrep fgrep zgrep rg find fd sed awk gawk mawk jq yq gzip gunzip bzip2 bunzip2 xz unxz lzma zstd unzstd lz4 unlz4 zcat bzcat xzcat " +
	"zstdcat lzcat unzip tar jar zip git man less id who w ps pgrep pidof ss ip lsof netstat uname hostname uptime free locale getconf nproc printenv tty iconv " +
	"tsort dpkg rpm apt-cache php sqlite3 node bash sh dash systemctl journalctl lscpu lsblk whereis which pinky users groups pstree env nice timeout stdbuf " +
	"xargs nohup script watch strace perf parallel bat eza exa ag cargo rustc go pip npm terraform docker helm cmake make gcc python3 perl date split tee " +
	"csplit shuf top vmstat bc look test printf echo chmod openssl crontab dmesg mount sysctl just uv rustup tmux"

// heavy are those that take long to start: they get fewer forms.
const heavy = " node npm pip cargo rustc go jar php terraform docker helm apt-cache man journalctl systemctl tmux rustup uv top "

// words may follow a program: its subcommands, values and operands.
var words = strings.Fields("a.txt b.txt c.txt d d/e.txt a.gz a.xz a.bz2 a.zst a.lz4 a.zip a.tar a.tgz a.jar a.json a.yaml a.php a.js a.sh a.db elf new new.txt - -- . .. " +
	"0 1 2 3 10 1K : , x a /dev/null /dev/stdout { } ; + = .x s/a/b/ 1p p $p w new e 1,2d {print} BEGIN{} text json status log diff show branch tag list tree version " +
	"fmt pkg get config metadata env help ls stash remote blame HEAD main compose ps template toolchain .schema .tables -exec -name -type f -print -prune -delete -o -a " +
	"ls cat true +%Y +1 +x @a.txt a=b Q q t tf xf c -t -l -d -c -z -k -f -q -v -r -o -i -w -s -n -e -x -p")

// variables may stand before a program.
var variables = strings.Fields("LANG=C LC_ALL=C LANGUAGE=d TZ=UTC TERM=dumb COLUMNS=3 NO_COLOR=1 CI=1 NODE_ENV=d RUST_LOG=trace GOOS=linux GIT_TRACE=new GIT_TRACE=1 PAGER=cat " +
	"XZ_OPT=-d GZIP=-d TAR_OPTIONS=--delete UNZIP=-d LESS=-onew LS_COLORS=x BLOCK_SIZE=1 PYTHONDONTWRITEBYTECODE=x RPM_CONFIGDIR=. TMPDIR=d POSIXLY_CORRECT=1 " +
	"GOTOOLCHAIN=local GOPROXY=off DEBIAN_FRONTEND=x LESSCHARSET=utf-8 GIT_AUTHOR_NAME=x NODE_DEBUG=fs RUST_BACKTRACE=1 EDITOR=true JQ_COLORS=1 TIME_STYLE=iso")

// TestPrograms has installed programs judge their own options: what is judged to read must
// leave a directory as it was.
func TestPrograms(t *testing.T) {
	support := native.Probe(sandbox.Cache{})
	if !support.Best().Confines() {
		t.Skip("no sandbox here in which programs could be run")
	}
	b := newBench(t, support)
	var programs []string
	var helps [][]string
	for p := range strings.FieldsSeq(installed) {
		if _, err := exec.LookPath(p); err == nil {
			programs, helps = append(programs, p), append(helps, []string{p, "--help"})
		}
	}
	texts := b.run("help", helps)
	g := former{rand.New(rand.NewPCG(*formSeed, 2)), map[string][]string{}}
	for i, p := range programs {
		g.long[p] = longOptions.FindAllString(texts[i], -1)
	}
	var all [][]string
	judges := map[string]int{}
	for tries := 0; len(all) < *forms && tries < 200**forms; tries++ {
		p := programs[tries%len(programs)]
		if strings.Contains(heavy, " "+p+" ") && g.IntN(12) > 0 {
			continue
		}
		argv, options := g.form(p), classify.Options{Root: filepath.Join(b.root, "tree"), Exists: exists}
		if v := classify.Argv(argv, options); v.Risk == classify.Read {
			all = append(all, argv)
			judges[p]++
		}
	}
	t.Logf("%d forms of %d programs are judged to read", len(all), len(judges))
	for i, changed := range b.run("judge", all) {
		if changed != "" && !notes(all[i], changed) {
			t.Errorf("%q is judged to read, but changes %s", all[i], changed)
		}
	}
}

func exists(abs string) bool {
	_, err := os.Lstat(abs)
	return err == nil
}

// notes reports whether all that a program changes are notes of its own, which it does
// without where it may not write: git diff refreshes the times in the index, go counts
// how often it is called, and top, rustup and rpm make their directories.
func notes(argv []string, changed string) bool {
	for program, own := range map[string]string{"git": ".git/index", "go": "home/.config", "top": "home/.config", "rustup": "home/.rustup", "rpm": "home/.rpmdb"} {
		if slices.Contains(argv, program) && !strings.Contains(strings.ReplaceAll(changed, "tree/"+own, ""), "tree/") {
			return program != "git" || slices.Contains(argv, "diff")
		}
	}
	return false
}

// TestProgramsAreHeard checks that changes are seen.
func TestProgramsAreHeard(t *testing.T) {
	support := native.Probe(sandbox.Cache{})
	if !support.Best().Confines() {
		t.Skip("no sandbox here in which programs could be run")
	}
	all := [][]string{{"touch", "new"}, {"ls"}, {"sh", "a.sh"}, {"gzip", "-d", "a.gz"}, {"chmod", "600", "a.txt"}, {"cat", "a.txt"}, {"cp", "a.txt", "b.txt"}, {"rm", "a.txt"}, {"ls", "a.txt"}}
	for i, changed := range newBench(t, support).run("judge", all) {
		if reads := all[i][0] == "ls" || all[i][0] == "cat"; reads != (changed == "") {
			t.Errorf("%q changes %q", all[i], changed)
		}
	}
}

var longOptions = regexp.MustCompile(`--[a-z][a-z0-9-]+=?`)

// former composes command lines.
type former struct {
	*rand.Rand
	long map[string][]string // the long options of programs
}

func (g former) pick(all []string) string { return all[g.IntN(len(all))] }

// form returns a program with a few options and words.
func (g former) form(program string) []string {
	var argv []string
	if g.IntN(6) == 0 {
		argv = append(argv, "env", g.pick(variables))
	}
	argv = append(argv, program)
	for range g.IntN(6) {
		switch n := g.IntN(10); {
		case n < 3:
			argv = append(argv, "-"+g.letters(1+g.IntN(3)))
		case n < 5 && len(g.long[program]) > 0:
			option := g.pick(g.long[program])
			if strings.HasSuffix(option, "=") {
				option += g.pick(words)
			}
			argv = append(argv, option)
		case n == 5:
			argv = append(argv, "-"+g.letters(1)+g.pick(words))
		default:
			argv = append(argv, g.pick(words))
		}
	}
	return argv
}

func (g former) letters(n int) string {
	const all = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = all[g.IntN(len(all))]
	}
	return string(b)
}

// bench is a directory in which programs run in the sandbox.
type bench struct {
	t       *testing.T
	root    string
	support sandbox.Support
}

// newBench makes a directory with a copy of this program, which is seen in the sandbox
// there.
func newBench(t *testing.T, support sandbox.Support) bench {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", self, filepath.Join(root, "self")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return bench{t, root, support}
}

// run does in the sandbox to each of the commands what mode says, and returns the results.
func (b bench) run(mode string, argvs [][]string) []string {
	given, err := json.Marshal(argvs)
	if err == nil {
		err = os.WriteFile(filepath.Join(b.root, "given"), given, 0o600)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	sb, err := native.New(sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: b.root}, b.support, b.support.Best())
	if err != nil {
		b.t.Fatal(err)
	}
	env, _ := run.Environment{
		Parent: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.root + "/tree/home"}, Set: []string{"HELVE_FORMS=" + mode}, Temp: b.root,
		Workspace: b.root, Dir: b.root, ReadOnly: true, Sandboxed: true,
	}.Build()
	result, err := run.Run(context.Background(), run.Command{
		Argv: []string{b.root + "/self"}, Dir: b.root, Env: append(env, "HELVE_FORMS="+mode), Timeout: time.Hour, Sandbox: sb,
	})
	if err != nil || result.ExitCode != 0 {
		b.t.Fatalf("%+v, %v", result, err)
	}
	text, err := os.ReadFile(filepath.Join(b.root, "results"))
	if err != nil {
		b.t.Fatal(err)
	}
	var results []string
	if err := json.Unmarshal(text, &results); err != nil || len(results) != len(argvs) {
		b.t.Fatalf("%d results, %v", len(results), err)
	}
	return results
}

// TestMain lets this program be the one that runs others in the sandbox.
func TestMain(m *testing.M) {
	if mode := os.Getenv("HELVE_FORMS"); mode != "" {
		if err := perform(mode); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// perform runs the commands of the file given. It writes to the file results what they
// print, or what they change.
func perform(mode string) error {
	text, err := os.ReadFile("given")
	if err != nil {
		return err
	}
	var argvs [][]string
	if err := json.Unmarshal(text, &argvs); err != nil {
		return err
	}
	before, err := plant()
	if err != nil {
		return err
	}
	results := make([]string, len(argvs))
	for i, argv := range argvs {
		out := start(argv)
		if mode == "help" {
			results[i] = out
			continue
		}
		after := state()
		if after == before {
			continue
		}
		results[i] = difference(before, after)
		if before, err = plant(); err != nil {
			return err
		}
	}
	text, err = json.Marshal(results)
	if err == nil {
		err = os.WriteFile("results", text, 0o600)
	}
	return err
}

// start runs a command in the directory tree, and kills what remains of it.
func start(argv []string) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Dir, c.WaitDelay = "tree", 100*time.Millisecond
	c.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "HELVE_FORMS=") })
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	out := limited{}
	c.Stdout, c.Stderr = &out, &out
	_ = c.Run() // how it ends does not matter
	if c.Process != nil {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	}
	return out.String()
}

// limited keeps the first of what is written to it.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if l.Len() < 100_000 {
		l.Buffer.Write(p)
	}
	return len(p), nil
}

// plant makes the directory tree anew and returns its state.
func plant() (string, error) {
	if _, err := os.Stat("model"); err != nil {
		if out, err := exec.Command("sh", "-c", model).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %s", err, out)
		}
	}
	out, err := exec.Command("sh", "-c", "chmod -R u+rwX tree 2>/dev/null; rm -rf tree && cp -a model tree").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return state(), nil
}

// model makes what programs find: files of the kinds that they read. What a machine cannot
// pack is missing there.
const model = `mkdir -p model/d model/home && cd model
printf 'b 2\na 1\na 1\n' > a.txt; printf 'x\ny\n' > b.txt; : > c.txt; echo e > d/e.txt; echo '{"x":1}' > a.json; echo 'x: 1' > a.yaml
echo '<?php file_put_contents("new", 1);' > a.php; echo 'require("fs").writeFileSync("new", "")' > a.js; echo 'touch new' > a.sh; cp /bin/true elf
for p in gzip:gz xz:xz bzip2:bz2 zstd:zst lz4:lz4; do "${p%:*}" -c a.txt > a.${p#*:} 2>/dev/null || rm -f a.${p#*:}; done
tar cf a.tar a.txt b.txt; tar czf a.tgz a.txt
zip -q a.zip a.txt b.txt 2>/dev/null && cp a.zip a.jar
sqlite3 a.db 'create table t(x)' 2>/dev/null
git init -q && git add a.txt && git -c user.name=x -c user.email=x commit -qm x
true`

// state describes every entry of the directory tree. The time of a change shows also what
// was written back as it was; of a directory it does not count.
func state() string {
	var b strings.Builder
	_ = filepath.WalkDir("tree", func(name string, d fs.DirEntry, err error) error {
		var st syscall.Stat_t
		if err != nil || syscall.Lstat(name, &st) != nil {
			fmt.Fprintf(&b, "%s: unreadable\n", name)
			return nil //nolint:nilerr // the text says so
		}
		if d.IsDir() {
			fmt.Fprintf(&b, "%s %o\n", name, st.Mode)
		} else {
			fmt.Fprintf(&b, "%s %o %d %d %v\n", name, st.Mode, st.Size, st.Ino, changed(&st))
		}
		return nil
	})
	return b.String()
}

// difference returns the entries that are in one of two states.
func difference(before, after string) string {
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	var names []string
	for _, both := range [...][2][]string{{old, now}, {now, old}} {
		for _, line := range both[0] {
			if name, _, _ := strings.Cut(line, " "); !slices.Contains(both[1], line) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, ", ")
}
