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
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/cmd/cmdtest"
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
	dir = cmdtest.Workspace(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"web":{"allow_private":true}}`)
	return dir, s.URL, func() { close(seen) }
}

// onTerminal makes standard error of a process a terminal of so many columns, where a person
// waits. Standard output is a pipe of its own.
func onTerminal(t *testing.T, p *exec.Cmd, columns uint16, env ...string) (terminal *os.File, shown *os.File, out *bytes.Buffer) {
	t.Helper()
	shown, terminal = cmdtest.Terminal(t)
	if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
	cmdtest.AtTerminal(p, terminal)
	p.Env = append(append(p.Environ(), "TERM=xterm", "CI=", "COLUMNS="), env...)
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
	return strings.TrimSuffix(cmdtest.ReadUntil(t, shown, "THE END"), "THE END")
}

const erased = "\r\x1b[K"

// A person who waits for a page sees how much of it has come, in a line that fits and that
// is gone before the result.
func TestLineOfFetch(t *testing.T) {
	t.Parallel()
	dir, url, release := dripping(t)
	p := cmdtest.Person(t, dir, "fetch", url)
	terminal, shown, out := onTerminal(t, p, 40)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	all := cmdtest.ReadUntil(t, shown, "1000 of 3.0K from")
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
	var a cmdtest.Answer
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
	t.Parallel()
	for _, interrupted := range []bool{false, true} {
		dir := cmdtest.Commands(t)
		p := cmdtest.Person(t, dir, "exec", pending)
		terminal, shown, out := onTerminal(t, p, 100)
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		all := cmdtest.ReadUntil(t, shown, "work")
		if interrupted {
			if err := p.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		} else {
			cmdtest.Put(t, dir, "go", "")
		}
		_ = p.Wait() // its status is in the document
		all += rest(t, terminal, shown)
		if !strings.HasSuffix(all, erased) || strings.ContainsAny(all, "\u009b\u202e") || !strings.Contains(all, `at \u{9b}2J \u{202e}work`) {
			t.Errorf("%q", all)
		}
		var a cmdtest.Answer
		if err := json.Unmarshal(out.Bytes(), &a); err != nil || a.OK == interrupted || interrupted && a.Error.Code != "canceled" {
			t.Errorf("%v: %s", err, out)
		}
	}
}

// A call that is approved takes as long as any: the person sees what it is at.
func TestLineOfApproved(t *testing.T) {
	t.Parallel()
	dir, url, release := dripping(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"web":{"allow_private":true},"rules":[{"path":"SOUL.md","write":"ask"}]}`)
	a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "fetch", url, "--save", "SOUL.md"))
	if a.Error.Code != "approval_required" {
		t.Fatalf("%+v", a)
	}
	p := cmdtest.Person(t, dir, "approve", a.Error.Details["approval"].(map[string]any)["id"].(string))
	terminal, shown, out := onTerminal(t, p, 100)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	all := cmdtest.ReadUntil(t, shown, "1000 of 3.0K")
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
	t.Parallel()
	dir := cmdtest.Commands(t)
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
		p := cmdtest.Person(t, dir, c.args...)
		terminal, shown, _ := onTerminal(t, p, 100, c.env)
		if err := p.Run(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := rest(t, terminal, shown); got != "" {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	program := cmdtest.Person(t, dir).Path
	p := exec.Command("bash", "-mc", `"$0" "$@" >out & wait`, program, slow[0], slow[1])
	p.Dir = dir
	terminal, shown, _ := onTerminal(t, p, 100)
	if err := p.Run(); err != nil {
		t.Fatal(err)
	}
	if got := rest(t, terminal, shown); strings.Contains(got, "exec") || !strings.Contains(cmdtest.Content(t, filepath.Join(dir, "out")), `"ok":true`) {
		t.Errorf("in the background: %q", got)
	}
}

// A host reads how far a call has come, a line each, and then the result, which it can tell
// apart.
func TestStreamOfProgress(t *testing.T) {
	t.Parallel()
	dir, url, release := dripping(t)
	p := cmdtest.Helve(dir, "fetch", url, "--stream")
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	for err == nil && !strings.Contains(line, "1000 of") {
		line, err = lines.ReadString('\n')
	}
	if want := `{"t":"progress","done":1000,"total":3000,"message":"1000 of 3.0K from 127.0.0.1"}` + "\n"; line != want {
		t.Fatalf("%v: %q", err, line)
	}
	release()
	var last string
	for err == nil {
		if line, err = lines.ReadString('\n'); err == nil {
			last = line
		}
	}
	if err := p.Wait(); err != nil || !strings.HasPrefix(last, `{"ok":true,"data":{`) {
		t.Errorf("%v: %q", err, last)
	}
}

// A reader that goes away, or that reads only in the end, keeps no call from its end.
func TestStreamOfSilentReaders(t *testing.T) {
	t.Parallel()
	t.Run("closed", func(t *testing.T) {
		dir, url, release := dripping(t)
		p := cmdtest.Helve(dir, "fetch", url, "--save", "page.txt", "--stream")
		out, err := p.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		p.Stderr = &stderr
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		out.Close()
		release()
		if err := p.Wait(); err != nil || stderr.Len() > 0 || len(cmdtest.Content(t, filepath.Join(dir, "page.txt"))) != 3000 {
			t.Errorf("%v, stderr %q", err, stderr.String())
		}
	})
	t.Run("silent", func(t *testing.T) {
		dir, url, release := dripping(t)
		release()
		p := cmdtest.Helve(dir, "fetch", url, "--stream")
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		p.Stdout = w
		err = p.Run()
		w.Close()
		all, readErr := io.ReadAll(r)
		if err != nil || readErr != nil || !strings.Contains(string(all), `{"ok":true,`) {
			t.Errorf("%v, %v, %s", err, readErr, all)
		}
	})
}

// Commands keep their stream: lines of what they print, and none about progress.
func TestStreamOfCommands(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	out, err := cmdtest.Person(t, dir, "exec", "--stream", "echo one; sleep 0.5; echo two").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^\{"t":"out","d":"one\\n"\}\n\{"t":"out","d":"two\\n"\}\n\{"ok":true,.*\}\n$`).Match(out) {
		t.Errorf("%s", out)
	}
}

// A client of MCP hears how far its calls have come: of a page that the server holds back,
// of many files that are searched.
func TestProgressOverMCP(t *testing.T) {
	t.Parallel()
	dir, url, release := dripping(t)
	for i := range 300 {
		cmdtest.Put(t, dir, fmt.Sprintf("f%d.txt", i), "hay\n")
	}
	p := cmdtest.Helve(dir, "mcp")
	in, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	until := func(words string) {
		t.Helper()
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatalf("no line with %s: %v", words, err)
			}
			if strings.Contains(line, words) {
				return
			}
		}
	}
	say := func(id int, name, args string) {
		t.Helper()
		if _, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"_meta":{"progressToken":"t%[1]d"},"name":%q,"arguments":%s}}`+"\n", id, name, args); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.WriteString(in, cmdtest.Initialize); err != nil {
		t.Fatal(err)
	}
	until(`"serverInfo"`)
	say(1, "fetch", `{"url":"`+url+`"}`)
	until(`"progressToken":"t1","message":"1000 of 3.0K from 127.0.0.1","progress":1000,"total":3000`)
	release()
	until(`"id":1,"result"`)
	say(2, "grep", `{"pattern":"needle"}`)
	until(`"progressToken":"t2","message":"`)
	until(`"id":2,"result"`)
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
}

// A custom tool streams what it reports; one with an argument of that name keeps it.
func TestStreamOfCustomTools(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	manifest := func(name, parameters, script string, words ...string) {
		t.Helper()
		braces := strings.NewReplacer("{", "{{", "}", "}}") // in which parameters are
		argv, err := json.Marshal(append([]string{"sh", "-c", braces.Replace(script), "sh"}, words...))
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf(`{"name":%q,"description":"Work.","risk":"read","run":{"argv":%s,"output":"content"},"parameters":{"type":"object","properties":{%s}}}`, name, argv, parameters)
		if out, err := cmdtest.Person(t, dir, "tools", "register", cmdtest.Put(t, t.TempDir(), name+".json", text)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	manifest("works", "", `echo '{"progress":1,"total":2,"message":"half"}'; until [ -e go ]; do sleep 0.02; done; echo '{"content":[{"type":"text","text":"all"}]}'`)
	manifest("takes", `"stream":{"type":"string","description":"What it takes."}`, `printf '{"content":[{"type":"text","text":"takes %s"}]}' "$1"`, "{stream}")
	p := cmdtest.Person(t, dir, "works", "--stream")
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil || line != `{"t":"progress","done":1,"total":2,"message":"half"}`+"\n" {
		t.Errorf("%v: %s", err, line)
	}
	cmdtest.Put(t, dir, "go", "")
	if line, err := lines.ReadString('\n'); err != nil || !strings.HasPrefix(line, `{"ok":true,`) {
		t.Errorf("%v: %s", err, line)
	}
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "takes", "--stream", "water")); !strings.Contains(fmt.Sprint(a), "takes water") {
		t.Errorf("%+v", a)
	}
}
