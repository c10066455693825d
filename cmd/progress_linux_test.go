package cmd_test

import (
	"bytes"
	"encoding/json"

	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"testing"

	"golang.org/x/sys/unix"
)

// dripping is a server that sends 1000 bytes of 3000, and the rest once somebody calls
// release. The workspace may fetch from it.
func dripping(t *testing.T) (dir, url string, release func()) {
	t.Helper()
	seen := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Length", "3000")
		_, _ = io.WriteString(w, strings.Repeat("x", 1000))
		w.(http.Flusher).Flush()
		select {
		case <-seen:
		case <-r.Context().Done():
		}
		_, _ = io.WriteString(w, strings.Repeat("y", 2000))
	}))
	t.Cleanup(s.Close)
	dir = workdir(t)
	put(t, os.Getenv("HELVE_HOME"), "config.json", `{"web":{"allow_private":true}}`)
	return dir, s.URL, func() { close(seen) }
}

// onTerminal makes standard error of a process a terminal of so many columns, where a person
// waits. Standard output is a pipe of its own.
func onTerminal(t *testing.T, p *exec.Cmd, columns uint16, env ...string) (terminal *os.File, shown *os.File, out *bytes.Buffer) {
	t.Helper()
	shown, terminal = pty(t)
	if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
	atTerminal(p, terminal)
	p.Env = append(append(os.Environ(), "TERM=xterm", "CI=", "COLUMNS="), env...)
	out = &bytes.Buffer{}
	p.Stdout = out
	return terminal, shown, out
}

// rest returns what a terminal shows after what was read of it, once the process has ended.
func rest(t *testing.T, terminal, shown *os.File) string {
	t.Helper()
	if _, err := terminal.WriteString("THE END"); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(readUntil(t, shown, "THE END"), "THE END")
}

const erased = "\r\x1b[K"

// A person who waits for a page sees how much of it has come, in a line that fits and that
// is gone before the result.
func TestLineOfFetch(t *testing.T) {
	dir, url, release := dripping(t)
	p := person(t, dir, "fetch", url)
	terminal, shown, out := onTerminal(t, p, 40)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	all := readUntil(t, shown, "1000 of 3.0K from")
	release()
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	all += rest(t, terminal, shown)
	drawn := regexp.MustCompile(`\rfetch( \d+s)? 33%  1000 of 3\.0K from 127\.0\.0\.1\x1b\[K`)
	if !strings.HasSuffix(all, erased) || !drawn.MatchString(all) {
		t.Errorf("%q", all)
	}
	for drawn := range strings.SplitSeq(all, "\r") {
		if text := strings.TrimSuffix(drawn, "\x1b[K"); len(text) > 39 || strings.ContainsAny(text, "\x1b\n") {
			t.Errorf("%q", text)
		}
	}
	var a answer
	if err := json.Unmarshal(out.Bytes(), &a); err != nil || !a.OK {
		t.Errorf("%v: %s", err, out)
	}
}

// pending is a command that goes on once the file go is there, and prints a line that would
// drive a terminal.
const pending = `printf 'at \302\2332J \342\200\256work\n'; until [ -e go ]; do sleep 0.02; done; echo done`

// A command shows what it printed last, which drives no terminal; when it is interrupted,
// the line is gone.
func TestLineOfExec(t *testing.T) {
	for _, interrupted := range []bool{false, true} {
		dir := commands(t)
		p := person(t, dir, "exec", pending)
		terminal, shown, out := onTerminal(t, p, 100)
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		all := readUntil(t, shown, "work")
		if interrupted {
			if err := p.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		} else {
			put(t, dir, "go", "")
		}
		_ = p.Wait() // its status is in the document
		all += rest(t, terminal, shown)
		if !strings.HasSuffix(all, erased) || strings.ContainsAny(all, "\u009b\u202e") || !strings.Contains(all, `at \u{9b}2J \u{202e}work`) {
			t.Errorf("%q", all)
		}
		var a answer
		if err := json.Unmarshal(out.Bytes(), &a); err != nil || a.OK == interrupted || interrupted && a.Error.Code != "canceled" {
			t.Errorf("%v: %s", err, out)
		}
	}
}

// A call that is approved takes as long as any: the person sees what it is at.
func TestLineOfApproved(t *testing.T) {
	dir, url, release := dripping(t)
	put(t, os.Getenv("HELVE_HOME"), "config.json", `{"web":{"allow_private":true},"rules":[{"path":"SOUL.md","write":"ask"}]}`)
	a, _ := call(t, helve(dir, "fetch", url, "--save", "SOUL.md"))
	if a.Error.Code != "approval_required" {
		t.Fatalf("%+v", a)
	}
	p := person(t, dir, "approve", a.Error.Details["approval"].(map[string]any)["id"].(string))
	terminal, shown, out := onTerminal(t, p, 100)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	all := readUntil(t, shown, "1000 of 3.0K")
	release()
	if err := p.Wait(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if all += rest(t, terminal, shown); !strings.HasSuffix(all, erased) {
		t.Errorf("%q", all)
	}
}

// Quick calls draw nothing; nor do long ones that nobody watches, that are logged or whose
// shell has put them into the background.
func TestNoLine(t *testing.T) {
	dir := commands(t)
	slow := []string{"exec", "sleep 0.8"}
	for _, c := range []struct {
		name string
		args []string
		env  string
	}{
		{"quick", []string{"time"}, ""},
		{"a build", slow, "CI=true"},
		{"a dumb terminal", slow, "TERM=dumb"},
		{"a stream", append(slow, "--stream"), ""},
	} {
		p := person(t, dir, c.args...)
		terminal, shown, _ := onTerminal(t, p, 100, c.env)
		if err := p.Run(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := rest(t, terminal, shown); got != "" {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	program := person(t, dir).Path
	p := exec.Command("bash", "-mc", `"$0" "$@" >out & wait`, program, slow[0], slow[1])
	p.Dir = dir
	terminal, shown, _ := onTerminal(t, p, 100)
	if err := p.Run(); err != nil {
		t.Fatal(err)
	}
	if got := rest(t, terminal, shown); strings.Contains(got, "exec") || !strings.Contains(content(t, filepath.Join(dir, "out")), `"ok":true`) {
		t.Errorf("in the background: %q", got)
	}
}

// Commands keep their stream: lines of what they print, and none about progress.
func TestStreamOfCommands(t *testing.T) {
	dir := commands(t)
	out, err := person(t, dir, "exec", "--stream", "echo one; sleep 0.5; echo two").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^\{"t":"out","d":"one\\n"\}\n\{"t":"out","d":"two\\n"\}\n\{"ok":true,.*\}\n$`).Match(out) {
		t.Errorf("%s", out)
	}
}
