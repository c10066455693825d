//go:build unix

package run

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
)

// sandboxes returns a sandbox of every kind that this machine has, and nil.
func sandboxes(t *testing.T, dir string) map[string]sandbox.Sandbox {
	t.Helper()
	support := native.Probe(sandbox.Cache{})
	all := map[string]sandbox.Sandbox{"plain": nil}
	kinds := []sandbox.Kind{sandbox.Seatbelt}
	if runtime.GOOS == "linux" {
		kinds = []sandbox.Kind{sandbox.Namespaces, sandbox.Landlock}
	}
	for _, kind := range kinds {
		sb, err := native.New(sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: dir}, support, kind)
		if err != nil {
			t.Logf("without %s: %v", kind, err)
			continue
		}
		all[string(kind)] = sb
	}
	return all
}

func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func environment(t *testing.T) []string {
	t.Helper()
	env, refused := Environment{Parent: os.Environ()}.Build()
	if len(refused) > 0 {
		t.Fatal(refused)
	}
	return env
}

func shell(t *testing.T, dir, line string) Command {
	t.Helper()
	return Command{Argv: []string{"sh", "-c", line}, Dir: dir, Env: environment(t), Timeout: 20 * time.Second}
}

func must(t *testing.T, c Command) *Result {
	t.Helper()
	r, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRun(t *testing.T) {
	dir := realDir(t)
	for _, c := range []struct {
		name, line, stdin string
		split             bool
		want              Result
	}{
		{name: "order of both outputs", line: "echo a; echo b >&2; echo c", want: Result{Output: Output{Text: "a\nb\nc\n", TotalBytes: 6}}},
		{name: "both apart", line: "echo a; echo b >&2; echo c", split: true, want: Result{
			Output: Output{Text: "a\nc\n", TotalBytes: 4}, Stderr: Output{Text: "b\n", TotalBytes: 2}}},
		{name: "status", line: "exit 7", want: Result{State: sandbox.State{ExitCode: 7}}},
		{name: "signal", line: "kill -TERM $$", want: Result{State: sandbox.State{ExitCode: -1, Signal: "SIGTERM"}}},
		{name: "no input", line: "cat; read x; echo done", want: Result{Output: Output{Text: "done\n", TotalBytes: 5}}},
		{name: "input", line: "cat", stdin: "hello\n", want: Result{Output: Output{Text: "hello\n", TotalBytes: 6}}},
		{name: "input that nobody reads", line: "echo x", stdin: strings.Repeat("x", 1<<20), want: Result{Output: Output{Text: "x\n", TotalBytes: 2}}},
		{name: "no terminal", line: "if (exec 3<> /dev/tty) 2> /dev/null; then echo terminal; else echo none; fi", want: Result{Output: Output{Text: "none\n", TotalBytes: 5}}},
		{name: "colours", line: `printf '\033[31mred\033[0m \033]0;title\007x\n'`, want: Result{Output: Output{Text: "red x\n", TotalBytes: 25}}},
		{name: "progress", line: `printf '1%%\r50%%\r100%%\nok\r\n'`, want: Result{Output: Output{Text: "100%\nok\n", TotalBytes: 16}}},
		{name: "not UTF-8", line: `printf 'a\377b'`, want: Result{Output: Output{Text: "a\uFFFDb", TotalBytes: 3}}},
		{name: "binary", line: `printf 'a\000b'`, want: Result{Output: Output{
			Text: "[binary output, 3 bytes]\n", Binary: true, Truncated: true, TotalBytes: 3, OmittedBytes: 3}}},
	} {
		for kind, sb := range sandboxes(t, dir) {
			t.Run(c.name+"/"+kind, func(t *testing.T) {
				command := shell(t, dir, c.line)
				command.Split, command.Sandbox = c.split, sb
				if c.stdin != "" {
					command.Stdin = strings.NewReader(c.stdin)
				}
				got := *must(t, command)
				got.Duration, got.Sandbox, got.Denials = 0, sandbox.Report{}, nil
				if !got.Output.Truncated && int64(len(got.Output.Printed)) != got.Output.TotalBytes {
					t.Errorf("it has %q of %d bytes", got.Output.Printed, got.Output.TotalBytes)
				}
				got.Output.Printed, got.Stderr.Printed = nil, nil
				if d := cmp.Diff(c.want, got); d != "" {
					t.Error(d)
				}
			})
		}
	}
}

// TestHangs runs commands that have made other runners wait.
func TestHangs(t *testing.T) {
	dir := realDir(t)
	for kind, sb := range sandboxes(t, dir) {
		for _, c := range []struct {
			name, line string
			env        string
			want       string // in the output
			left       string // in what was killed
			program    string // which not every machine has
		}{
			{name: "a child holds the output", line: "sleep 60.5 & echo hi", want: "hi\n", left: "sleep 60.5"},
			{name: "a child in a session of its own", line: "setsid sleep 60.25 & sleep 0.1; echo hi", want: "hi\n", left: "sleep 60.25"},
			{name: "a daemon", line: "(setsid sh -c 'sleep 60.125 & wait' > /dev/null 2>&1 < /dev/null &); sleep 0.1; echo hi", want: "hi\n", left: "sleep 60.125"},
			{name: "disowned", line: "bash -c 'sleep 60.75 & disown'; echo hi", want: "hi\n", left: "sleep 60.75"},
			{name: "an editor", line: `git init -q g && cd g && git -c user.name=x -c user.email=x commit --allow-empty; echo "status $?"`, want: "status 1\n"},
			{name: "a pager", line: "seq 1 1000 | less | tail -1", want: "1000\n", program: "less"},
			{name: "an interpreter", line: "python3; echo done", want: "done\n", program: "python3"},
			{name: "ssh", line: "ssh -o BatchMode=yes -o ConnectTimeout=1 nobody@127.0.0.1 -p 1; echo done", want: "done\n", program: "ssh"},
			{name: "read", line: "bash -c 'read -p password: x < /dev/tty'; echo done", want: "done\n"},
		} {
			t.Run(c.name+"/"+kind, func(t *testing.T) {
				if _, err := exec.LookPath(c.program); c.program != "" && err != nil {
					t.Skip("no " + c.program)
				}
				command := shell(t, dir, "rm -rf g; "+c.line)
				command.Sandbox, command.Timeout = sb, 15*time.Second
				r := must(t, command)
				if r.Ended != NoReason || !strings.HasSuffix(r.Output.Text, c.want) {
					t.Errorf("%q %q", r.Ended, r.Output.Text)
				}
				if c.left != "" && !slices.Contains(r.Killed, c.left) {
					t.Errorf("%q is not among %q", c.left, r.Killed)
				}
			})
		}
	}
}

func TestTimeout(t *testing.T) {
	dir := realDir(t)
	for kind, sb := range sandboxes(t, dir) {
		for _, c := range []struct {
			name, line, signal, want string
		}{
			{"ends when asked", "echo partial; sleep 60", "SIGTERM", "partial\n"},
			{"cleans up when asked", "trap 'echo bye; exit 0' TERM; echo partial; sleep 60 & wait", "", "partial\nbye\n"},
			{"does not listen", "trap '' TERM; echo partial; setsid sh -c \"trap '' TERM; sleep 61\" & sleep 60; sleep 60; sleep 60", "SIGKILL", "partial\n"},
		} {
			t.Run(c.name+"/"+kind, func(t *testing.T) {
				command := shell(t, dir, c.line)
				command.Sandbox, command.Timeout = sb, 300*time.Millisecond
				r := must(t, command)
				if r.Ended != TimedOut || r.Signal != c.signal || r.Output.Text != c.want {
					t.Errorf("%+v", r)
				}
			})
		}
	}
}

func TestIdleAndCancel(t *testing.T) {
	dir := realDir(t)
	command := shell(t, dir, "for i in 1 2 3 4 5; do echo $i; sleep 0.1; done; sleep 60")
	command.Idle = time.Second
	if r := must(t, command); r.Ended != Idle || r.Output.Text != "1\n2\n3\n4\n5\n" {
		t.Errorf("%+v", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	command = shell(t, dir, "echo started; sleep 60")
	command.Stream = func(Chunk) { cancel() }
	r, err := Run(ctx, command)
	if err != nil || r.Ended != Canceled || r.Output.Text != "started\n" {
		t.Errorf("%+v %v", r, err)
	}
}

func TestStream(t *testing.T) {
	command := shell(t, realDir(t), "echo a; echo b >&2; seq 1 50000")
	command.Split = true
	var out, err bytes.Buffer
	command.Stream = func(c Chunk) {
		if c.Stderr {
			err.Write(c.Data)
		} else {
			out.Write(c.Data)
		}
	}
	r := must(t, command)
	if err.String() != "b\n" || !strings.HasPrefix(out.String(), "a\n1\n") || !strings.HasSuffix(out.String(), "\n50000\n") || !r.Output.Truncated {
		t.Errorf("%q %d %+v", err.String(), out.Len(), r)
	}
}

type keeper struct {
	bytes.Buffer
	closed int
}

func (k *keeper) Close() error { k.closed++; return nil }

func TestTruncation(t *testing.T) {
	command := shell(t, realDir(t), "seq 1 100000")
	command.Head, command.Tail = 100, 200
	var k keeper
	command.Spill = func() (io.WriteCloser, error) { return &k, nil }
	r := must(t, command)
	lines := strings.Split(strings.TrimSuffix(r.Output.Text, "\n"), "\n")
	if lines[0] != "1" || lines[len(lines)-1] != "100000" || !r.Output.Truncated || !r.Output.Spilled || k.closed != 1 {
		t.Errorf("%+v, closed %d times", r, k.closed)
	}
	var whole strings.Builder
	for i := range 100000 {
		whole.WriteString(itoa(i+1) + "\n")
	}
	if k.String() != whole.String() {
		t.Errorf("the spill has %d bytes of %d", k.Len(), whole.Len())
	}
	if shown := int64(len(lines) - 1); shown+r.Output.OmittedLines != 100000 {
		t.Errorf("%d lines are shown and %d left out", shown, r.Output.OmittedLines)
	}
	if r.Output.TotalBytes != int64(whole.Len()) || r.Output.OmittedBytes <= 0 {
		t.Errorf("%+v", r.Output)
	}
	// No spill is made for what is kept as a whole.
	command = shell(t, command.Dir, "echo x")
	command.Spill = func() (io.WriteCloser, error) { t.Error("a spill for nothing"); return &k, nil }
	must(t, command)
	// A spill takes 64 MiB.
	command = shell(t, command.Dir, "head -c 70000000 /dev/zero | tr '\\0' a")
	var large keeper
	command.Spill = func() (io.WriteCloser, error) { return &large, nil }
	if must(t, command); large.Len() != 64<<20 {
		t.Errorf("the spill has %d bytes", large.Len())
	}
	// A spill that fails takes nothing away.
	command = shell(t, command.Dir, "seq 1 100000")
	command.Spill = func() (io.WriteCloser, error) { return nil, os.ErrPermission }
	if r := must(t, command); r.SpillErr == nil || r.Output.Spilled || !strings.HasSuffix(r.Output.Text, "\n100000\n") {
		t.Errorf("%+v", r)
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// TestEndless lets a command print without end. Memory must not grow with it.
func TestEndless(t *testing.T) {
	command := shell(t, realDir(t), "yes")
	command.Timeout = 500 * time.Millisecond
	largest := 0
	command.Stream = func(c Chunk) { largest = max(largest, len(c.Data)) }
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := must(t, command)
	runtime.ReadMemStats(&after)
	if kept := len(r.Output.Text); r.Output.TotalBytes < 10<<20 || kept < 32<<10 || kept > 32<<10+100 {
		t.Errorf("%d bytes, %d kept", r.Output.TotalBytes, kept)
	}
	if largest != 64<<10 {
		t.Errorf("at most %d bytes were read at once", largest)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
		t.Errorf("%d bytes were allocated for %d of output", grown, r.Output.TotalBytes)
	}
}

func TestErrors(t *testing.T) {
	dir := realDir(t)
	for _, c := range []struct {
		change func(*Command)
		code   fault.Code
	}{
		{func(c *Command) { c.Argv = nil }, fault.InvalidArguments},
		{func(c *Command) { c.Argv = []string{"no-such-program"} }, fault.NotFound},
		{func(c *Command) { c.Argv = []string{"./no-such-program"} }, fault.NotFound},
		{func(c *Command) { c.Argv = []string{dir + "/text"} }, fault.PermissionDenied},
		{func(c *Command) { c.Dir = filepath.Join(dir, "gone") }, fault.NotFound},
		{func(c *Command) { c.Dir = "relative" }, fault.InvalidArguments},
	} {
		if err := os.WriteFile(dir+"/text", []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		for kind, sb := range sandboxes(t, dir) {
			command := shell(t, dir, "true")
			command.Sandbox = sb
			c.change(&command)
			if _, err := Run(t.Context(), command); !fault.Is(err, c.code) {
				t.Errorf("%s %q: %v, want %s", kind, command.Argv, err, c.code)
			}
		}
	}
}

// TestConcurrent runs calls side by side in one process. Each ends its own
// processes and none of the others'.
func TestConcurrent(t *testing.T) {
	dir := realDir(t)
	for kind, sb := range sandboxes(t, dir) {
		type outcome struct {
			r   *Result
			err error
		}
		slow := make(chan outcome)
		ready := make(chan bool, 1)
		command := shell(t, dir, "setsid sh -c 'sleep 1; echo late' & echo ready; wait")
		command.Sandbox = sb
		command.Stream = func(Chunk) {
			select {
			case ready <- true:
			default:
			}
		}
		go func() {
			r, err := Run(t.Context(), command)
			slow <- outcome{r, err}
		}()
		<-ready
		quick := shell(t, dir, "(setsid sleep 60 &); echo quick")
		quick.Sandbox = sandboxes(t, dir)[kind] // a sandbox is for one command at a time
		if r := must(t, quick); r.Output.Text != "quick\n" || !slices.Contains(r.Killed, "sleep 60") {
			t.Errorf("%s: %+v", kind, r)
		}
		if a := <-slow; a.err != nil || a.r.Output.Text != "ready\nlate\n" {
			t.Errorf("%s: %+v %v", kind, a.r, a.err)
		}
	}
}
