//go:build linux && (amd64 || arm64)

package linux

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// fugitives are processes that try not to be found: one each in a session of its own,
// without its parent, and without the environment that it was started with. Each writes its
// number.
const fugitives = `
echo $$ > one
sh -c 'echo $$ > two; exec sleep 1000' &
setsid sh -c 'echo $$ > three; exec sleep 1000' &
(setsid env -i PATH="$PATH" sh -c 'setsid sh -c "echo \$\$ > four; trap : TERM HUP; while :; do sleep 1; done" & exit' &)
(env -i PATH="$PATH" setsid nohup sh -c 'echo $$ > five; exec sleep 1000' &)
until test -s one -a -s two -a -s three -a -s four -a -s five; do sleep 0.05; done
echo ready > ready.tmp; mv ready.tmp ready; sleep 1000`

// outlive runs a script in a sandbox until this process is killed.
func outlive(kind, dir, script string) int {
	p := surveyed(sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: filepath.Join(dir, "ws"), Lock: filepath.Join(dir, "lock")})
	sb, err := newConfined(p, support, sandbox.Kind(kind))
	null, err2 := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err = errors.Join(err, err2); err != nil {
		fmt.Println(err)
		return 1
	}
	running, err := sb.Start(sandbox.Command{Path: "/bin/sh", Argv: []string{"sh", "-c", script}, Dir: p.Workspace, Env: os.Environ(), Stdin: null, Stdout: null, Stderr: null})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("started")
	<-running.Done()
	return 0
}

// killed runs a script in a sandbox for a directory until it has made the file ready, and
// kills helve. meanwhile is called before that.
func killed(t *testing.T, kind sandbox.Kind, dir, script string, meanwhile func()) {
	t.Helper()
	c := exec.Command("/proc/self/exe", "__outlive", string(kind), dir, script)
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer c.Process.Kill() //nolint:errcheck // it may be dead already
	text := bufio.NewReader(out)
	if line, err := text.ReadString('\n'); line != "started\n" {
		t.Fatal(line, err)
	}
	until(t, "the command is ready", func() bool { return exists(filepath.Join(dir, "ws/ready")) })
	meanwhile()
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, text); err != nil { // until nobody holds the pipe
		t.Error(err)
	}
	_ = c.Wait() // it was killed
}

// placeFor returns a directory with a workspace and one for locks.
func placeFor(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err = errors.Join(err, os.Mkdir(filepath.Join(dir, "lock"), 0o700)); err != nil {
		t.Fatal(err)
	}
	workspaceIn(t, dir)
	return dir
}

// TestKilled kills helve while a command runs. Nothing of the command runs on, and nothing
// holds the pipes that helve had.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			if kind == sandbox.Landlock && support.LandlockABI < wardenABI {
				t.Skipf("Landlock %d keeps no signals inside", support.LandlockABI)
			}
			dir := placeFor(t)
			var all []int
			killed(t, kind, dir, fugitives, func() {
				for _, s := range processes() {
					if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", s.pid)); err == nil && cwd == filepath.Join(dir, "ws") {
						all = append(all, s.pid)
					}
				}
			})
			if len(all) < 5 {
				t.Fatalf("only %d processes", len(all))
			}
			for _, pid := range all {
				until(t, "process "+strconv.Itoa(pid)+" has ended", func() bool {
					s, ok := status(pid)
					return !ok || s.state == 'Z' || errors.Is(unix.Kill(pid, 0), unix.ESRCH)
				})
			}
		})
	}
}

// TestAbandoned kills helve while a command runs, and has the next one finish: what lies
// aside is said, what was protected is back, and settings that are harmless are in place.
func TestAbandoned(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds(t) {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			dir := placeFor(t)
			ws, lock := filepath.Join(dir, "ws"), filepath.Join(dir, "lock")
			write(t, filepath.Join(ws, ".envrc"), "mine\n")
			killed(t, kind, dir, `mkdir .vscode; echo evil > .vscode/tasks.json; echo evil > sub.envrc; mv sub.envrc .envrc; rm -f .git/config
				mkdir n; echo evil > n/.envrc; mkdir -p n/.git/objects n/.git/refs; echo > n/.git/HEAD; printf '[core]\n\tbare = false\n' > n/.git/config; exec 3>>n/.git/config
				: > ready; sleep 1000`, func() {
				if all, err := (System{}).Abandoned(lock, nil); len(all) > 0 || err != nil {
					t.Errorf("%+v %v while it runs", all, err)
				}
			})
			for _, name := range []string{".vscode/tasks.json", "n/.envrc"} {
				if exists(filepath.Join(ws, name)) {
					t.Errorf("%s is there before anybody finishes", name)
				}
			}
			all, err := System{}.Abandoned(lock, nil)
			if err != nil || len(all) != 1 || len(all[0].Alive) > 0 {
				t.Fatalf("%+v %v", all, err)
			}
			var moved []string
			for _, m := range all[0].Planted {
				moved = append(moved, strings.TrimPrefix(m.Path, ws))
				if !exists(m.To) {
					t.Errorf("%+v is not there", m)
				}
			}
			for _, want := range []string{"/.vscode", "/n/.envrc"} {
				if !slices.Contains(moved, want) {
					t.Errorf("moved %q, without %s", moved, want)
				}
			}
			if text := read(t, filepath.Join(ws, ".envrc")); text != "mine\n" {
				t.Errorf("%q", text)
			}
			if text := read(t, filepath.Join(ws, ".git/config")); text != "[core]\n" {
				t.Errorf("%q", text)
			}
			if text := read(t, filepath.Join(ws, "n/.git/config")); !strings.Contains(text, "bare") {
				t.Errorf("%q", text)
			}
			if exists(filepath.Join(lock, recordsName)) {
				t.Error("there is still something to finish")
			}
			if all, err := (System{}).Abandoned(lock, nil); len(all) > 0 || err != nil {
				t.Errorf("%+v %v twice", all, err)
			}
		})
	}
}

// until waits for a condition.
func until(t *testing.T, what string, f func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !f(); time.Sleep(10 * time.Millisecond) { //nolint:forbidigo // what is waited for is in other processes
		if time.Now().After(deadline) {
			t.Fatalf("not in time: %s", what)
		}
	}
}
