package approvals_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// watchScreen is "helve approvals watch" on a terminal of its own.
type watchScreen struct {
	t        *testing.T
	p        *exec.Cmd
	typist   *os.File
	terminal *os.File
	before   *unix.Termios

	mu    sync.Mutex
	shown bytes.Buffer // all that the terminal was sent
	from  int          // what is before was looked at
}

func watch(t *testing.T, dir string, args ...string) *watchScreen {
	t.Helper()
	typist, terminal := cmdtest.Terminal(t)
	before, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	w := &watchScreen{t: t, p: cmdtest.Person(t, dir, append([]string{"approvals", "watch"}, args...)...), typist: typist, terminal: terminal, before: before}
	w.resize(24, 100)
	w.p.Env = append(w.p.Environ(), "TERM=xterm", "NO_COLOR=", "HELVE_OUTPUT=")
	w.p.Stdout = terminal
	cmdtest.AtTerminal(w.p, terminal)
	if err := w.p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.p.Process.Kill() }) // it may have ended
	go func() {
		buffer := make([]byte, 64<<10)
		for {
			n, err := typist.Read(buffer)
			w.mu.Lock()
			w.shown.Write(buffer[:n])
			w.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return w
}

func (w *watchScreen) resize(rows, columns uint16) {
	w.t.Helper()
	if err := unix.IoctlSetWinsize(int(w.typist.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watchScreen) all() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.shown.String()
}

// sees waits until the terminal is sent these words, after those it saw before.
func (w *watchScreen) sees(words string) {
	w.t.Helper()
	for range 3000 {
		text := w.all()[w.from:]
		if at := strings.Index(text, words); at >= 0 {
			w.from += at + len(words)
			return
		}
		<-time.After(10 * time.Millisecond)
	}
	w.t.Fatalf("not %q in %q", words, w.all()[w.from:])
}

func (w *watchScreen) types(keys string) {
	w.t.Helper()
	if _, err := w.typist.WriteString(keys); err != nil {
		w.t.Fatal(err)
	}
}

// ends waits for the end, after which the terminal is as it was.
func (w *watchScreen) ends() {
	w.t.Helper()
	if err := w.p.Wait(); err != nil {
		w.t.Errorf("%v: %q", err, w.all())
	}
	after, err := unix.IoctlGetTermios(int(w.terminal.Fd()), unix.TCGETS)
	if err != nil {
		w.t.Fatal(err)
	}
	if *after != *w.before {
		w.t.Errorf("the terminal was %+v, is %+v", *w.before, *after)
	}
	w.sees("\x1b[?25h\x1b[?1049l")
}

// pendingEdit starts a change of SOUL.md that waits for a decision.
func pendingEdit(t *testing.T, dir string) (p *exec.Cmd, out *bytes.Buffer) {
	t.Helper()
	p, out = cmdtest.Helve(dir, "--approval-wait", "1m", "edit", `{"path":"SOUL.md","old_text":"old","new_text":"new"}`), &bytes.Buffer{}
	p.Stdout = out
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p, out
}

func answered(t *testing.T, p *exec.Cmd, out *bytes.Buffer) (a cmdtest.Answer) {
	t.Helper()
	var exit *exec.ExitError
	if err := p.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		t.Fatalf("%v: %q", err, out)
	}
	return a
}

func TestWatchApproves(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	w := watch(t, dir)
	w.sees("nothing waits for you")
	p, out := pendingEdit(t, dir)
	w.sees("1 of 1 waiting  edit  write")
	w.sees("session default, asked")
	w.sees("\x1b[31m-old\x1b[m")
	w.sees("\x1b[32m+new\x1b[m")
	w.types("a")
	w.sees("approved, and carried out:")
	if a := answered(t, p, out); !a.OK {
		t.Errorf("%+v", a)
	}
	if got := cmdtest.Content(t, soul); got != "new\n" {
		t.Errorf("%q", got)
	}
	w.types("a")
	w.sees("this one is settled")
	w.types("q")
	w.ends()
}

// TestWatchDenies: the words reach the model, pasted ones too, and a paste decides
// nothing.
func TestWatchDenies(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	w := watch(t, dir)
	p, out := pendingEdit(t, dir)
	w.sees("1 of 1 waiting")
	w.types("\x1b[200~aaa\x1b[201~d")
	w.sees("why not?")
	w.types("\x1b[200~not in\nthis tone\x1b[201~, 请改x\x7f\r")
	w.sees("denied by")
	if a := answered(t, p, out); a.Error.Code != "rejected" || a.Error.Details["reason"] != "not in this tone, 请改" {
		t.Errorf("%+v", a)
	}
	if got := cmdtest.Content(t, soul); got != "old\n" {
		t.Errorf("%q", got)
	}
	w.types("\x03")
	w.ends()
}

// TestWatchStale: an approval of what has changed since is said to be stale, and changes
// nothing.
func TestWatchStale(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	id := cmdtest.Ask(t, dir)
	w := watch(t, dir)
	w.sees(id)
	cmdtest.Put(t, dir, "SOUL.md", "other\n")
	w.types("a")
	w.sees("approval_stale")
	if got := cmdtest.Content(t, soul); got != "other\n" {
		t.Errorf("%q", got)
	}
	// One that is decided elsewhere leaves.
	id = cmdtest.Ask(t, dir)
	w.sees(id)
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "deny", id)); !a.OK {
		t.Fatalf("%+v", a)
	}
	w.sees("denied by")
	w.types("q")
	w.ends()
}

// TestWatchSession allows a call for its session, and says where no rule can do so.
func TestWatchSession(t *testing.T) {
	t.Parallel()
	dir, _ := cmdtest.Asked(t)
	p, out := pendingEdit(t, dir)
	w := watch(t, dir)
	w.sees("1 of 1 waiting")
	w.types("r")
	w.sees("no rule can say")
	w.types("s")
	w.sees("approved, and carried out:")
	if a := answered(t, p, out); !a.OK {
		t.Errorf("%+v", a)
	}
	cmdtest.Put(t, dir, "SOUL.md", "old\n")
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "edit", `{"path":"SOUL.md","old_text":"old","new_text":"new"}`)); !a.OK {
		t.Errorf("%+v", a)
	}
	w.types("q")
	w.ends()
}

// TestWatchHostile shows a request that a model made to deceive: nothing of it drives the
// terminal, and all of it can be seen on a screen of any size.
func TestWatchHostile(t *testing.T) {
	t.Parallel()
	dir, _ := cmdtest.Asked(t)
	var text strings.Builder
	text.WriteString("evil \x1b[2J\x1b]0;title\x07\u009b2J\u202egnp.exe\u200b\r\n" + strings.Repeat("wide字", 200) + "\n")
	for range 10_000 {
		text.WriteString("line\n")
	}
	text.WriteString("the end\n")
	args, err := json.Marshal(map[string]any{"path": "SOUL.md", "content": text.String()})
	if err != nil {
		t.Fatal(err)
	}
	c := cmdtest.Helve(dir, "write")
	c.Stdin = bytes.NewReader(args)
	if a, _ := cmdtest.Call(t, c); a.Error.Code != "approval_required" {
		t.Fatalf("%+v", a)
	}
	w := watch(t, dir)
	w.sees(`evil \u{1b}[2J\u{1b}]0;title\u{7}\u{9b}2J\u{202e}gnp.exe\u{200b}`)
	w.types("G")
	w.sees("lines in all]")
	w.resize(8, 20)
	w.sees("\x1b[8;1H") // the last row, drawn anew
	w.types("g")
	w.resize(3, 5)
	w.sees("\x1b[3;1H")
	w.resize(24, 100)
	w.sees("\x1b[24;1H")
	w.types("v")
	w.sees(`"content":"evil`)
	w.types("q")
	w.ends()
	for _, bad := range []string{"\x1b[2J\x1b]", "\x1b]0;", "\u009b", "\u202e", "\u200b", "\x07"} {
		if strings.Contains(w.all(), bad) {
			t.Errorf("%q reached the terminal", bad)
		}
	}
}

// TestWatchEnded: whatever ends it, the terminal is given back.
func TestWatchEnded(t *testing.T) {
	t.Parallel()
	dir, _ := cmdtest.Asked(t)
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		w := watch(t, dir)
		w.sees("nothing waits")
		if err := w.p.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		w.ends()
	}
}

// TestWatchAll decides about a request of another workspace.
func TestWatchAll(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	other := filepath.Join(t.TempDir(), "other")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	cmdtest.Setenv(other, "HELVE_HOME="+cmdtest.HomeOf(dir))
	w := watch(t, other, "--all")
	w.sees("nothing waits")
	p, out := pendingEdit(t, dir)
	w.sees(dir)
	w.types("a")
	if a := answered(t, p, out); !a.OK || cmdtest.Content(t, soul) != "new\n" {
		t.Errorf("%+v", a)
	}
	w.types("q")
	w.ends()
}

// TestWatchMany goes to and fro, and a key never decides about what comes next by itself.
func TestWatchMany(t *testing.T) {
	t.Parallel()
	dir, _ := cmdtest.Asked(t)
	for _, name := range []string{"first", "second"} {
		a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "write", `{"path":"SOUL.md","content":"`+name+`\n"}`))
		if a.Error.Code != "approval_required" {
			t.Fatalf("%+v", a)
		}
	}
	w := watch(t, dir)
	w.sees("1 of 2 waiting")
	w.types("n")
	w.sees("2 of 2 waiting")
	w.sees("+second")
	w.types("\x1b[D")
	w.sees("1 of 2 waiting")
	w.sees("+first")
	w.types("d\raaa")
	w.sees("denied by")
	w.types("n")
	w.sees("1 of 1 waiting")
	w.sees("+second")
	w.types("q")
	w.ends()
}

// TestWatchIsForPeople: a process that helve started gets no screen.
func TestWatchIsForPeople(t *testing.T) {
	t.Parallel()
	dir, _ := cmdtest.Asked(t)
	typist, terminal := cmdtest.Terminal(t)
	p := cmdtest.Helve(dir, "approvals", "watch")
	p.Env = append(p.Environ(), "TERM=xterm", "HELVE=1", "HELVE_OUTPUT=")
	p.Stdout = terminal
	cmdtest.AtTerminal(p, terminal)
	err := p.Run()
	var exit *exec.ExitError
	if shown := cmdtest.ReadUntil(t, typist, "denied"); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("%v: %q", err, shown)
	}
}
