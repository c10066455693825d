package calls_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// A server ends, and what it runs with it, when nobody reads what it says, and when it is
// told to end; standard input stays open.
func TestMCPEndsWithItsClient(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"stdout", "SIGTERM", "SIGINT", "SIGHUP"} {
		t.Run(end, func(t *testing.T) {
			if end == "SIGHUP" && signal.Ignored(syscall.SIGHUP) {
				t.Skip("who started the tests ignores it, as nohup does")
			}
			dir := cmdtest.Workspace(t)
			cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"rules":[{"tool":"exec","decision":"allow"}]}`)
			mark := fmt.Sprint(1_000_000 + rand.IntN(1_000_000_000)) // how long no other process sleeps
			began := filepath.Join(dir, "began")
			c := cmdtest.Helve(dir, "mcp")
			in, err := c.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, say, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			var errw bytes.Buffer
			c.Stdout, c.Stderr = say, &errw
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			_ = say.Close() // the process has its own
			defer out.Close()
			call := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"exec","arguments":{"command":"echo >began; exec sleep %s","timeout":600}}}`+"\n", mark)
			if _, err := io.WriteString(in, cmdtest.Initialize+call); err != nil {
				t.Fatal(err)
			}
			if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, `"serverInfo"`) {
				t.Fatalf("%q, %v", line, err)
			}
			cmdtest.Eventually(t, "the command begins", func() bool { return isThere(began) })
			switch end {
			case "stdout":
				err = out.Close()
			case "SIGTERM":
				err = c.Process.Signal(syscall.SIGTERM)
			case "SIGINT":
				err = c.Process.Signal(syscall.SIGINT)
			case "SIGHUP":
				err = c.Process.Signal(syscall.SIGHUP)
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Wait(); err != nil || errw.Len() > 0 {
				t.Errorf("%v: %s", err, errw.String())
			}
			cmdtest.Eventually(t, "the command ends", func() bool { return !sleeps(t, mark) })
		})
	}
}

func isThere(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// Nothing but the protocol is on standard output: no fault of the command line or of the
// settings, nothing that a command it runs writes to its own, and no help.
func TestMCPWritesNothingButTheProtocol(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	config := cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"rules":[{"tool":"exec","decision":"allow"}]}`)
	run := func(stdin string, args ...string) (out, errs string, status int) {
		c := cmdtest.Helve(dir, append([]string{"mcp"}, args...)...)
		var o, e bytes.Buffer
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader(stdin), &o, &e
		if err := c.Run(); err != nil && c.ProcessState == nil {
			t.Fatal(err)
		}
		return o.String(), e.String(), c.ProcessState.ExitCode()
	}
	refused := func(status int, code string, args ...string) {
		t.Helper()
		if out, errs, got := run(cmdtest.Initialize, args...); out != "" || got != status || !strings.Contains(errs, `"code":"`+code+`"`) {
			t.Errorf("%q: status %d, stdout %q, stderr %q", args, got, out, errs)
		}
	}
	refused(2, "usage", "--nonsense")
	refused(2, "usage", "word")
	refused(2, "unknown_tool", "--tools", "nonsense")
	out, errs, status := run(cmdtest.Initialize + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"exec","arguments":{"command":"echo out; echo err >&2; echo more >/proc/self/fd/1; ls /proc/$PPID/fd >/dev/null"}}}`)
	if lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n"); status != 0 || errs != "" || len(lines) != 2 || !strings.Contains(lines[1], `out\nerr\nmore`) {
		t.Errorf("status %d, stdout %s, stderr %s", status, out, errs)
	}
	if err := os.WriteFile(config, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errs, status := run(cmdtest.Initialize); out != "" || status == 0 || !strings.Contains(errs, `"ok":false`) {
		t.Errorf("broken settings: status %d, stdout %q, stderr %q", status, out, errs)
	}
}

// No program that helve starts has what the protocol is written to.
func TestMCPKeepsItsOutput(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"rules":[{"tool":"exec","decision":"allow"}],"exec":{"sandbox":"off"}}`)
	protocol := filepath.Join(t.TempDir(), "protocol")
	f, err := os.Create(protocol)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c := cmdtest.In(dir, exec.Command("helve", "mcp"))
	c.Stdout = f
	c.Stdin = strings.NewReader(cmdtest.Initialize + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"exec","arguments":{"command":"ls -l /proc/self/fd"}}}`)
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(protocol)
	if err != nil || !bytes.Contains(text, []byte("/dev/null")) || bytes.Contains(text, []byte(protocol)) {
		t.Errorf("%v: %s", err, text)
	}
}
