package cmd_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// A closed stdout ends the process quietly: no signal, nothing on stderr.
func TestClosedStdout(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, dir, "big.txt", strings.Repeat("0123456789abcdef\n", 200_000))
	c := cmdtest.Helve(dir, "read", `{"path":"big.txt","limit":1000000,"max_bytes":16777216}`)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	out.Close()
	if err := c.Wait(); err != nil || stderr.Len() > 0 {
		t.Errorf("%v, stderr %q", err, stderr.String())
	}
}

// Ctrl-C while helve waits for arguments ends the call with canceled.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no interrupt to send")
	}
	dir := cmdtest.Workspace(t)
	c := cmdtest.Helve(dir, "write")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	// Once all this has gone through the pipe, the process has run long enough to
	// listen for signals.
	if _, err := io.WriteString(in, `{"path":"x","content":"`+strings.Repeat("y", 24<<20)); err != nil {
		t.Fatal(err)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // the status is checked below
	var a cmdtest.Answer
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		t.Fatalf("%v: %q", err, out.String())
	}
	if a.Error.Code != "canceled" || c.ProcessState.ExitCode() != 6 {
		t.Errorf("%+v, status %d", a, c.ProcessState.ExitCode())
	}
	if _, err := os.Lstat(filepath.Join(dir, "x")); err == nil {
		t.Error("something was written")
	}
}

func TestHostileInput(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, dir, "file.txt", "x\n")
	cmdtest.Put(t, dir, "bin.dat", "\x7fELF\x02\x01\x01\x00\x00\x00\x00")
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	hundred := `{"path":"file.txt","content":"` + strings.Repeat("a", 100<<20) + `"}`
	for _, c := range []struct {
		name, tool, stdin, code string
		exit                    int
	}{
		{"100 MB of arguments", "write", hundred, "too_large", 1},
		{"invalid UTF-8", "write", "{\"path\":\"file.txt\",\"content\":\"a\xffb\"}", "invalid_arguments", 2},
		{"lone surrogate", "write", `{"path":"file.txt","content":"\ud83d"}`, "invalid_arguments", 2},
		{"wrong type", "write", `{"path":7,"content":[]}`, "invalid_arguments", 2},
		{"no arguments", "read", ``, "invalid_arguments", 2},
		{"an array", "read", `["file.txt"]`, "invalid_arguments", 2},
		{"a directory for a file", "write", `{"path":"sub","content":"x"}`, "is_directory", 1},
		{"a file for a directory", "write", `{"path":"file.txt/x","content":"x"}`, "not_a_directory", 1},
		{"a binary file", "read", `{"path":"bin.dat"}`, "binary_file", 1},
		{"outside", "read", `{"path":"../../etc/passwd"}`, "outside_workspace", 3},
		{"outside, absolute", "write", `{"path":"/etc/helve-test","content":"x"}`, "outside_workspace", 3},
		{"protected", "write", `{"path":".git/hooks/pre-commit","content":"x"}`, "protected_path", 3},
		{"protected, another spelling", "write", `{"path":".GIT/Hooks/pre-commit","content":"x"}`, "protected_path", 3},
		{"NUL", "read", `{"path":"a\u0000b"}`, "invalid_arguments", 2},
		{"there already", "write", `{"path":"file.txt","content":"x","mode":"create"}`, "already_exists", 1},
		{"another sha", "write", `{"path":"file.txt","content":"x","expect_sha":"0000000000000000"}`, "stale", 1},
		{"bad zone", "time -", `{"timezone":"Mars/Olympus"}`, "invalid_arguments", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := cmdtest.Helve(dir, strings.Fields(c.tool)...)
			p.Stdin = strings.NewReader(c.stdin)
			a, exit := cmdtest.Call(t, p)
			if a.OK || a.Error.Code != c.code || exit != c.exit || a.Error.Message == "" || a.Error.Hint == "" {
				t.Errorf("exit %d, %+v; want %s with a hint and exit %d", exit, a, c.code, c.exit)
			}
		})
	}
	got, err := os.ReadFile(filepath.Join(dir, "file.txt"))
	if err != nil || string(got) != "x\n" {
		t.Errorf("the file has changed: %q, %v", got, err)
	}
}

// What the system denies is permission_denied and changes nothing.
func TestNoPermission(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	file := cmdtest.Put(t, dir, "secret.txt", "x\n")
	if err := os.Chmod(file, 0); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"read", "secret.txt"}, {"write", `{"path":"secret.txt","content":"y"}`}} {
		a, exit := cmdtest.Call(t, unprivileged(t, cmdtest.Helve(dir, args...)))
		if a.Error.Code != "permission_denied" || exit != 3 || a.Error.Hint == "" {
			t.Errorf("%v: exit %d, %+v", args, exit, a)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Size() != 2 || info.Mode().Perm() != 0 {
		t.Errorf("the file has changed: %v, %v", info, err)
	}
}

// unprivileged makes file modes apply to the process, also when root runs the
// tests.
func unprivileged(t *testing.T, c *exec.Cmd) *exec.Cmd {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("modes do not deny reading there")
	}
	if os.Geteuid() != 0 {
		return c
	}
	as, err := exec.LookPath("setpriv")
	if err != nil {
		t.Skip("root without setpriv: no right can be given up")
	}
	dropped := exec.Command(as, append([]string{"--bounding-set=-dac_override,-dac_read_search", c.Path}, c.Args[1:]...)...)
	dropped.Dir = c.Dir
	return dropped
}
