package cmd_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestEndlessOutput limits what helve needs for a command that prints without end to
// little more than what it needs for one that prints a little more than is shown, since what
// shortens the output is the same for both.
func TestEndlessOutput(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	_, little := peakDuring(t, dir, "yes | head -c 100000; sleep 1")
	a, kilobytes := peakDuring(t, dir, "echo first; yes")
	out, _ := a.Data["output"].(string)
	if !a.OK || !strings.HasPrefix(out, "first\ny\n") || !strings.HasSuffix(out, "\ny\n") || a.Data["truncated"] != true || a.Data["total_bytes"].(float64) < 1<<25 {
		t.Errorf("%.200s… %v of %v bytes", out, len(out), a.Data["total_bytes"])
	}
	t.Logf("%d KiB for %v bytes of output, %d KiB for few", kilobytes, a.Data["total_bytes"], little)
	if little == 0 || kilobytes > little+(4<<10) {
		t.Errorf("%d KiB for %v bytes of output, %d KiB for few", kilobytes, a.Data["total_bytes"], little)
	}
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(a.Data["output_file"].(string))))
	if err != nil || info.Size() < 1<<25 {
		t.Errorf("%v %v", info, err)
	}
}

// peakDuring runs a command for two seconds at most, and returns the answer of helve and the
// most memory that helve used, in KiB.
func peakDuring(t *testing.T, dir, command string) (a cmdtest.Answer, kilobytes int) {
	t.Helper()
	c := cmdtest.Person(t, dir, "exec", fmt.Sprintf(`{"command":%q,"timeout":2}`, command))
	var text bytes.Buffer
	c.Stdout = &text
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	// The system's peak of an ended process includes the memory of the process that
	// started it, so the running process is read.
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for running := true; running; {
		select {
		case err := <-ended:
			if running = false; err != nil {
				t.Fatal(err)
			}
		case <-look.C:
			kilobytes = max(kilobytes, peak(c.Process.Pid))
		}
	}
	if err := json.Unmarshal(text.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	return a, kilobytes
}

// peak returns the most memory that a process has used, in KiB; 0 once it has
// ended.
func peak(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kilobytes := 0
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		return 0
	}
	return kilobytes
}

// TestChangedWhileAsked changes a script between the question to the host and its
// answer: the call then does not run.
func TestChangedWhileAsked(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	// The next call is asked about again, though the person had allowed the same.
	for _, test := range []struct{ script, code string }{
		{"rm -rf kept\n", "approval_stale"}, {"echo harmless; rm -f nothing\n", ""}, {"rm -rf kept\n", "approval_stale"},
	} {
		cmdtest.Put(t, dir, "kept", "x")
		cmdtest.Put(t, dir, "s.sh", "echo harmless; rm -f nothing\n")
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		host, theirs := os.NewFile(uintptr(pair[0]), "host"), os.NewFile(uintptr(pair[1]), "theirs")
		c := cmdtest.Person(t, dir, "--approval-fd", "3", "exec", "bash s.sh; rm -f gone")
		c.ExtraFiles = []*os.File{theirs}
		var out bytes.Buffer
		c.Stdout = &out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		theirs.Close()
		line, err := bufio.NewReader(host).ReadBytes('\n')
		if err != nil {
			_ = c.Wait() // its status is in the document
			t.Fatalf("%v instead of a question: %s", err, &out)
		}
		var request struct{ ID string }
		if err := json.Unmarshal(line, &request); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		cmdtest.Put(t, dir, "s.sh", test.script)
		if _, err := fmt.Fprintf(host, `{"id":%q,"decision":"approve"}`+"\n", request.ID); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // its status is in the document
		host.Close()
		var a cmdtest.Answer
		if err := json.Unmarshal(out.Bytes(), &a); err != nil || a.Error.Code != test.code {
			t.Errorf("%q: %v %+v", test.script, err, a)
		}
		if _, err := os.Stat(filepath.Join(dir, "kept")); err != nil {
			t.Error(err)
		}
	}
}

// TestCommandsSeeNoPages: a command cannot read kept web pages, which may be private
// and of another workspace, nor how imported servers are started, with which words.
func TestCommandsSeeNoPages(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.MkdirTemp(here, "sandbox-") //nolint:usetesting // commands have a /tmp of their own
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(home); err != nil {
			t.Error(err)
		}
	})
	cmdtest.Setenv(dir, "HELVE_HOME="+home)
	cmdtest.Put(t, home, "config.json", `{"web":{"allow_private":true}}`)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "max-age=600")
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, "for your eyes only\n") // the client may be gone
	}))
	defer site.Close()
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "fetch", site.URL)); !a.OK {
		t.Fatalf("%+v", a)
	}
	pages := filepath.Join(home, "cache", "web")
	if kept, err := filepath.Glob(filepath.Join(pages, "*", "*", "*")); err != nil || len(kept) == 0 {
		t.Fatalf("nothing is kept in %s: %v", pages, err)
	}
	servers := filepath.Join(home, "servers")
	if err := os.Mkdir(servers, 0o700); err != nil {
		t.Fatal(err)
	}
	cmdtest.Put(t, servers, "tracker.json", `{"name":"tracker","command":["tracker","--key","word"],"trust":"ask","tools":[]}`)
	for _, hidden := range []string{pages, servers} {
		a := cmdtest.Exec(t, dir, map[string]any{"command": "ls -R " + hidden + "/*"})
		if tier := a.Data["sandbox"].(map[string]any)["tier"]; tier == "none" {
			t.Skip("nothing holds commands here")
		}
		// Where the sources are below /tmp, the command would not see them anyway.
		if !a.OK || a.Data["exit_code"] == 0.0 || !strings.Contains(fmt.Sprint(a.Data["denials"]), "secret "+hidden) {
			t.Errorf("%s: %+v", hidden, a)
		}
	}
}
