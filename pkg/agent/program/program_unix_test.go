//go:build unix

package program_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/agent/program"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// world is a person's machine: a workspace, a home directory, and helve's state.
type world struct {
	*testing.T
	dir, home, state string
	machine          *tool.Machine
	env              *tool.Env
	kind             sandbox.Kind // the best one here

	mu     sync.Mutex
	events []loop.Event
	record func(loop.Event) error // nil keeps them
}

func newWorld(t *testing.T) *world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, dir: filepath.Join(base, "workspace"), home: filepath.Join(base, "home"), state: filepath.Join(base, "state")}
	for _, dir := range []string{w.dir, filepath.Join(w.home, ".claude"), w.state} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	root, err := workspace.Open(w.dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	kept, err := state.Open(w.state, w.dir, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := policy.New(nil, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.machine = &tool.Machine{
		Settings: config.Exec{Sandbox: "auto", Network: "none"}, Home: w.home, Hidden: []string{w.state},
		Environ: append(os.Environ(), "HOME="+w.home, "PROVIDER_KEY=k1", "OTHER_KEY=k2"),
	}
	stateOf := func() (*state.Dir, error) { return kept, nil }
	w.env = &tool.Env{
		Root: func() (*workspace.Root, error) { return root, nil }, State: stateOf, Audit: stateOf, Policy: rules, Now: time.Now, Session: "sub",
		Journal: sync.OnceValues(func() (*journal.Journal, error) { return journal.New(kept, root.Tree(), journal.Options{}), nil }),
		Machine: func() (*tool.Machine, error) { return w.machine, nil },
	}
	if w.kind = native.Probe(sandbox.Cache{}).Best(); !w.kind.Confines() {
		w.machine.Settings.Sandbox = "off"
	}
	return w
}

// write makes a file in the workspace.
func (w *world) write(name, text string) {
	w.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o755); err != nil {
		w.Fatal(err)
	}
}

// options are those of an agent that runs a shell script, with the words after it.
func (w *world) options(task, script string, words ...string) program.Options {
	w.Helper()
	w.write("agent.sh", script)
	return program.Options{
		Agent: config.Agent{Name: "robot", Argv: append([]string{"sh", "agent.sh"}, words...)},
		Env:   w.env, JobID: "job-1", Task: task, Timeout: time.Minute, Now: time.Now, Record: w.keep,
	}
}

func (w *world) keep(e loop.Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.record != nil {
		if err := w.record(e); err != nil {
			return err
		}
	}
	w.events = append(w.events, e)
	return nil
}

// printed returns the text of all events of output.
func (w *world) printed() string {
	var all strings.Builder
	for _, e := range w.events {
		if e.Kind == loop.Printed {
			all.WriteString(e.Text)
		}
	}
	return all.String()
}

func (w *world) completed(got agent.Outcome, want string) {
	w.Helper()
	if got.Status != agent.Completed || got.Result != want || got.Reason != "" || got.Err != nil {
		w.Errorf("%+v\n%s", got, w.printed())
	}
}

// failed checks that the program is to blame, and why.
func (w *world) failed(got agent.Outcome, code fault.Code, says string) {
	w.Helper()
	if got.Status != agent.Failed || got.Reason != agent.ByProgram || !fault.Is(got.Err, code) || !strings.Contains(fault.As(got.Err).Message.In(fault.English), says) {
		w.Errorf("%+v, want %s with %q\n%s", got, code, says, w.printed())
	}
	if got.Err != nil && fault.As(got.Err).Hint.In(fault.English) == "" {
		w.Errorf("%v has no hint", got.Err)
	}
}

func TestTask(t *testing.T) {
	const echo = `cat >in; printf '|'; printf '%s|' "$@"; cat in`
	for _, c := range []struct {
		system, task string
		words        []string
		want         string
	}{
		{"", "do it", nil, "||do it"},
		{"Be brief.", "do it", nil, "||Be brief.\n\ndo it"},
		{"", "do\n`it` $(now) 'x'", []string{"-p", "{task}"}, "|-p|do\n`it` $(now) 'x'|"},
		{"", "--version", []string{"{task}"}, "| --version|"},
		{"", "-x", []string{"--prompt={task}"}, "|--prompt=-x|"},
		{"", "say {task} and {result}", []string{"{task}", "a{task}"}, "|say {task} and {result}|asay {task} and {result}|"},
		{"", "", []string{"{task}"}, "||"},
		{"", "世界", []string{"{task}", "--", "{task}"}, "|世界|--|世界|"},
	} {
		w := newWorld(t)
		o := w.options(c.task, echo, c.words...)
		o.System = c.system
		w.completed(program.Run(t.Context(), o), c.want)
	}
}

// A task that no argument can hold is refused with the way out, and that works.
func TestLongTask(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat("x", 128<<10)
	if runtime.GOOS == "linux" {
		o := w.options(long, "echo done", "{task}")
		w.failed(program.Run(t.Context(), o), fault.TooLarge, "131072 bytes")
		o.Task = long[1:]
		w.completed(program.Run(t.Context(), o), "done")
	}
	w.completed(program.Run(t.Context(), w.options(long, "wc -c | tr -d ' '")), "131072")
	w.failed(program.Run(t.Context(), w.options("a\x00b", "echo done", "{task}")), fault.InvalidArguments, "NUL")
	w.completed(program.Run(t.Context(), w.options("a\x00b", "wc -c | tr -d ' '")), "3")
	// A program need not read its task.
	w.completed(program.Run(t.Context(), w.options(strings.Repeat(long, 20), "echo done")), "done")
}

func TestEnvironment(t *testing.T) {
	w := newWorld(t)
	o := w.options("x", `echo "$HELVE $HELVE_AGENT $HELVE_SESSION [$PROVIDER_KEY] [$OTHER_KEY] $LD_PRELOAD"; pwd; mkdir -p "${HELVE_HOME:-$TMPDIR}" && echo x >"${HELVE_HOME:-$TMPDIR}/x"`)
	o.Agent.Pass = []string{"PROVIDER_KEY", "LD_PRELOAD", "UNSET"}
	w.machine.Environ = append(w.machine.Environ, "LD_PRELOAD=/nothing")
	w.completed(program.Run(t.Context(), o), "1 job-1 sub [k1] [] \n"+w.dir)
	if got := w.printed(); !strings.Contains(got, "LD_PRELOAD is never passed") || strings.Contains(got, "UNSET") {
		t.Error(got)
	}
}

// What the program changes can be undone, and what it may not change stays.
func TestChanges(t *testing.T) {
	w := newWorld(t)
	w.write("old", "old\n")
	w.completed(program.Run(t.Context(), w.options("x", "echo new >new; rm old; echo done")), "done")
	if _, err := os.Stat(filepath.Join(w.dir, "new")); err != nil {
		t.Error(err)
	}
	j, err := w.env.Journal()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Undo(t.Context(), "sub", journal.Selector{}, false); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(w.dir, "old")); err != nil || string(text) != "old\n" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "new")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if !strings.Contains(w.printed(), "undo what it changed") {
		t.Error(w.printed())
	}
}

func TestConfined(t *testing.T) {
	for _, setting := range []string{"auto", string(sandbox.Landlock)} {
		t.Run(setting, func(t *testing.T) { testConfined(t, setting) })
	}
}

func testConfined(t *testing.T, setting string) {
	w := newWorld(t)
	if support := native.Probe(sandbox.Cache{}); !w.kind.Confines() || setting != "auto" && !support.Has(sandbox.Kind(setting)) {
		t.Skip("no sandbox here")
	}
	w.machine.Settings.Sandbox = setting
	for name, text := range map[string]string{".claude/login": "token\n", ".netrc": "secret\n", "plain": "plain\n"} {
		if err := os.WriteFile(filepath.Join(w.home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := w.env.State()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(kept.WriteFile("kept", []byte("helve's\n")), os.WriteFile(filepath.Join(w.state, "kept"), []byte("helve's\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	const try = `for f in "$HOME/.claude/login" "$HOME/.netrc" "$1/kept" "$1"/*/kept; do grep . "$f" 2>/dev/null || echo hidden; done
for f in "$HOME/plain" "$HOME/.claude/new" "$HOME/new" in; do echo x 2>/dev/null >"$f" && echo wrote || echo refused; done`
	o := w.options("x", try, w.state)
	w.completed(program.Run(t.Context(), o), "hidden\nhidden\nhidden\nhidden\nrefused\nrefused\nrefused\nwrote")

	w.events = nil
	o.Agent.Writes = []string{"~/.claude", "~/.missing", "~", w.state, w.home}
	w.completed(program.Run(t.Context(), o), "token\nhidden\nhidden\nhidden\nrefused\nwrote\nrefused\nwrote")
	for _, path := range []string{w.home + "/.missing", w.home, w.state} {
		if !strings.Contains(w.printed(), "robot may not write to "+path+":") {
			t.Errorf("%s: %s", path, w.printed())
		}
	}
	if strings.Contains(w.printed(), ".claude:") {
		t.Error(w.printed())
	}

	// A run that only reads changes nothing, wherever.
	w.env.ReadOnly = true
	w.completed(program.Run(t.Context(), o), "token\nhidden\nhidden\nhidden\nrefused\nrefused\nrefused\nrefused")
}

// Without a sandbox it takes the person's word to run a program.
func TestUnconfined(t *testing.T) {
	w := newWorld(t)
	w.machine.Settings.Sandbox = "off"
	o := w.options("x", "echo done")
	w.completed(program.Run(t.Context(), o), "done")
	w.env.ReadOnly = true
	if got := program.Run(t.Context(), o); got.Status != agent.Failed || !fault.Is(got.Err, fault.SandboxUnavailable) {
		t.Errorf("%+v", got)
	}
	w = newWorld(t)
	w.env.Machine = nil
	o.Env = w.env
	if got := program.Run(t.Context(), o); got.Status != agent.Failed || !fault.Is(got.Err, fault.Unsupported) {
		t.Errorf("%+v", got)
	}
}

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		script string
		code   fault.Code
		says   string
		result string
	}{
		{"echo part; echo why >&2; exit 3", fault.IOError, "robot failed with status 3: why", "part"},
		{"echo only out; exit 1", fault.IOError, "status 1: only out", "only out"},
		{"exit 4", fault.IOError, "status 4 and printed nothing", ""},
		{"kill -SEGV $$", fault.IOError, "killed: SIGSEGV", ""},
		{"echo thought >&2", fault.IOError, "without a result: thought", ""},
		{`printf ' \n\t\n'`, fault.IOError, "without a result", ""},
		{`printf 'a\0b'`, fault.IOError, "not text", ""},
		{`i=0; while [ $i -lt 900 ]; do echo "line $i"; i=$((i+1)); done >&2; exit 3`, fault.IOError, "line 895\nline 896\nline 897\nline 898\nline 899", ""},
	} {
		w := newWorld(t)
		got := program.Run(t.Context(), w.options("x", c.script))
		w.failed(got, c.code, c.says)
		if got.Result != c.result {
			t.Errorf("%s: %q", c.script, got.Result)
		}
		last := w.events[len(w.events)-1]
		if last.Kind != loop.Ended || last.Status != agent.Failed || last.Reason != agent.ByProgram || !strings.Contains(last.Error, c.says) {
			t.Errorf("%s: %+v", c.script, last)
		}
	}
}

func TestMissingProgram(t *testing.T) {
	w := newWorld(t)
	w.write("text", "no program\n")
	for argv, code := range map[string]fault.Code{
		"no-such-agent": fault.NotConfigured, "/no/such/agent": fault.NotConfigured, "./no-such-agent": fault.NotConfigured,
	} {
		o := w.options("x", "")
		o.Agent.Argv = []string{argv}
		w.failed(program.Run(t.Context(), o), code, "spawn.agents")
		if filepath.Base(argv) != argv && !filepath.IsAbs(argv) {
			continue // it is in the workspace, which a check does not know
		}
		if err := program.Check(o.Agent, w.machine.Environ); !fault.Is(err, code) {
			t.Errorf("%s: %v", argv, err)
		}
	}
	for _, argv := range []string{"sh", "/bin/sh"} {
		if err := program.Check(config.Agent{Name: "a", Argv: []string{argv}}, w.machine.Environ); err != nil {
			t.Error(err)
		}
	}
	o := w.options("x", "")
	o.Agent.Argv = []string{w.dir} // a directory
	if got := program.Run(t.Context(), o); got.Status != agent.Failed || got.Reason != agent.ByProgram {
		t.Errorf("%+v", got)
	}
	if err := program.Check(o.Agent, nil); !fault.Is(err, fault.NotConfigured) {
		t.Error(err)
	}
}

// A program that hangs is ended when its time is over, with all that it has started; what
// it has said so far is the result there is.
func TestTimeout(t *testing.T) {
	w := newWorld(t)
	o := w.options("x", "trap '' TERM; echo part; sleep 600 & sleep 600")
	o.Timeout = 300 * time.Millisecond
	got := program.Run(t.Context(), o)
	if got.Status != agent.Incomplete || got.Reason != agent.ByTimeout || got.Result != "part" || !fault.Is(got.Err, fault.Timeout) {
		t.Errorf("%+v", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond) // as a worker may set it
	defer cancel()
	o.Timeout = 0
	if got := program.Run(ctx, o); got.Status != agent.Incomplete || got.Reason != agent.ByTimeout {
		t.Errorf("%+v", got)
	}
}

func TestCancel(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w.record = func(e loop.Event) error {
		if strings.Contains(e.Text, "ready") {
			cancel()
		}
		return nil
	}
	got := program.Run(ctx, w.options("x", "echo ready; sleep 600"))
	if got.Status != agent.Canceled || got.Reason != "" || got.Result != "ready" || !fault.Is(got.Err, fault.Canceled) {
		t.Errorf("%+v", got)
	}
	if got := program.Run(ctx, w.options("x", "echo ready")); got.Status != agent.Canceled {
		t.Errorf("a job that was canceled before: %+v", got)
	}
}

// If what happens cannot be kept, the program ends, and it was not its fault.
func TestFullDisk(t *testing.T) {
	for _, kind := range []string{loop.Started, loop.Printed, loop.Ended} {
		w := newWorld(t)
		w.record = func(e loop.Event) error {
			if e.Kind == kind {
				return fault.System(syscall.ENOSPC, "transcript")
			}
			return nil
		}
		script := "echo a; sleep 600"
		if kind == loop.Ended {
			script = "echo a"
		}
		if got := program.Run(t.Context(), w.options("x", script)); got.Status != agent.Failed || got.Reason != agent.BySystem || !errors.Is(got.Err, syscall.ENOSPC) {
			t.Errorf("%s: %+v", kind, got)
		}
	}
}

// A process that leaves the program's session is killed with it.
func TestDaemon(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	w := newWorld(t)
	w.write("agent.py", `
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open("pid", "w").write(open("/proc/self/stat").read().split()[0] if os.path.exists("/proc/self/stat") else str(os.getpid()))
        open("ready", "w").close()
        time.sleep(600)
    os._exit(0)
while not os.path.exists("ready"):
    time.sleep(0.01)
print("done: " + sys.stdin.read())
`)
	o := w.options("x", "")
	o.Agent.Argv = []string{python, "agent.py"}
	w.completed(program.Run(t.Context(), o), "done: x")
	if w.kind == sandbox.Namespaces { // the number is that of another namespace
		if !strings.Contains(w.printed(), "left a process running") {
			t.Error(w.printed())
		}
		return
	}
	text, err := os.ReadFile(filepath.Join(w.dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the daemon lives: %v", err)
	}
}

// However much a program prints, memory, the transcript and the result have bounds, and
// the result begins and ends as it should. All of it is in a file.
func TestFlood(t *testing.T) {
	w := newWorld(t)
	const megabytes = 100
	script := "echo begin; echo end-of-errors >&2; yes 'a line of output that is repeated' | head -c " + strconv.Itoa(megabytes<<20) + "; echo; echo end"
	got := program.Run(t.Context(), w.options("x", script))
	if got.Status != agent.Completed || len(got.Result) > agent.MaxResult || !strings.HasPrefix(got.Result, "begin\n") || !strings.Contains(got.Result, "\nend\n[all of it is in .helve/artifacts/sub/exec-") {
		t.Errorf("%s %v %d bytes: %.200s ... %s", got.Status, got.Err, len(got.Result), got.Result, got.Result[max(0, len(got.Result)-200):])
	}
	printed := w.printed()
	if n := len(printed); n < 1<<20 || n > 1<<20+1<<10 || !strings.Contains(printed, "begin\n") || !strings.Contains(printed, "[more was printed, which is left out here]\n") {
		t.Errorf("%d bytes of events", n)
	}
	for _, e := range w.events {
		if len(e.Text) > agent.MaxResult {
			t.Errorf("an event of %d bytes", len(e.Text))
		}
	}
}

func TestText(t *testing.T) {
	w := newWorld(t)
	w.completed(program.Run(t.Context(), w.options("x", `printf '\033[31mred\033[0m \377\376 \303\n'`)), "red \uFFFD \uFFFD")
	if got := w.printed(); !strings.Contains(got, "red \uFFFD \uFFFD\n") || strings.Contains(got, "\033") {
		t.Errorf("%q", got)
	}
	// A long line without an end is no reason to wait for it.
	w = newWorld(t)
	w.completed(program.Run(t.Context(), w.options("x", `head -c 50000 /dev/zero | tr '\0' z >&2; echo ok`)), "ok")
	if got := w.printed(); strings.Count(got, "z") != 50000 {
		t.Errorf("%d of 50000 bytes", strings.Count(got, "z"))
	}
	kinds := []string{w.events[0].Kind, w.events[len(w.events)-1].Kind}
	if !slices.Equal(kinds, []string{loop.Started, loop.Ended}) {
		t.Error(kinds)
	}
}

func TestResultFile(t *testing.T) {
	for _, c := range []struct {
		script, want string
		code         fault.Code
	}{
		{`echo progress; printf 'the result\n' >"$1"`, "the result", ""},
		{`echo progress`, "", fault.NotFound},
		{`: >"$1"`, "", fault.IOError},
		{`mkdir "$1"`, "", fault.IsDirectory},
		{`mkfifo "$1"`, "", fault.NotAFile},
		{`ln -s /etc/passwd "$1"`, "", fault.OutsideWorkspace},
		{`echo other >"$TMPDIR/other"; ln -s other "$1"`, "", fault.OutsideWorkspace},
		{`echo why >&2; echo half >"$1"; exit 3`, "", fault.IOError},
	} {
		w := newWorld(t)
		o := w.options("x", c.script, "{result}")
		o.Agent.Result = "file"
		got := program.Run(t.Context(), o)
		if c.code == "" {
			w.completed(got, c.want)
			continue
		}
		w.failed(got, c.code, "")
	}
	w := newWorld(t)
	o := w.options("x", `echo begin >"$1"; head -c 20000000 /dev/zero | tr '\0' 'x' >>"$1"`, "{result}")
	o.Agent.Result = "file"
	if got := program.Run(t.Context(), o); got.Status != agent.Completed || len(got.Result) > agent.MaxResult || !strings.HasPrefix(got.Result, "begin\n") || !strings.HasSuffix(got.Result, "[the first 8388608 of 20000006 bytes]") {
		t.Errorf("%s %v %d bytes: %.100s ... %s", got.Status, got.Err, len(got.Result), got.Result, got.Result[max(0, len(got.Result)-100):])
	}
	// The result of an earlier attempt is not that of this one.
	o = w.options("x", `[ "$2" = second ] || echo first >"$1"; true`, "{result}", "{task}")
	o.Agent.Result, o.Task = "file", "first"
	w.completed(program.Run(t.Context(), o), "first")
	o.Task = "second"
	w.failed(program.Run(t.Context(), o), fault.NotFound, "did not write")
}

// TestLanguages runs programs as people write them.
func TestLanguages(t *testing.T) {
	for program_, text := range map[string]string{
		"python3": "import os, sys\nopen('made', 'w').write('x')\nprint('from', sys.stdin.read().upper(), os.environ['HELVE_AGENT'])\n",
		"node":    "const fs = require('fs');\nfs.writeFileSync('made', 'x');\nconsole.log('from', fs.readFileSync(0, 'utf8').toUpperCase(), process.env.HELVE_AGENT);\n",
	} {
		t.Run(program_, func(t *testing.T) {
			if _, err := exec.LookPath(program_); err != nil {
				t.Skip("no " + program_)
			}
			w := newWorld(t)
			w.write("agent.txt", text)
			o := w.options("task", "")
			o.Agent.Argv = []string{program_, "agent.txt"}
			w.completed(program.Run(t.Context(), o), "from TASK job-1")
			if _, err := os.Stat(filepath.Join(w.dir, "made")); err != nil {
				t.Error(err)
			}
		})
	}
}
