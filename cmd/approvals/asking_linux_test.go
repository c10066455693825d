package approvals_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

func TestAskedOnTerminal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typed, code, content string }{
		{"y\n", "", "new\n"},
		{"\n", "rejected", "old\n"},
		{"rather not\n", "rejected", "old\n"},
	} {
		t.Run(strings.TrimSpace(c.typed), func(t *testing.T) {
			dir, soul := cmdtest.Asked(t)
			typist, terminal := cmdtest.Terminal(t)
			p := cmdtest.Person(t, dir, "write", `{"path":"SOUL.md","content":"new\n"}`)
			var out bytes.Buffer
			p.Stdout = &out
			cmdtest.AtTerminal(p, terminal)
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			shown := cmdtest.ReadUntil(t, typist, "why not: ")
			if !strings.Contains(shown, "old") || !strings.Contains(shown, "new") {
				t.Errorf("no diff was shown: %q", shown)
			}
			if _, err := typist.WriteString(c.typed); err != nil {
				t.Fatal(err)
			}
			_ = p.Wait() // its status is in the document
			var a cmdtest.Answer
			if err := json.Unmarshal(out.Bytes(), &a); err != nil {
				t.Fatalf("%v: %q", err, out.String())
			}
			if a.Error.Code != c.code {
				t.Errorf("%+v", a)
			}
			if got := cmdtest.Content(t, soul); got != c.content {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestAskedThroughDescriptor(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	host, theirs := os.NewFile(uintptr(pair[0]), "host"), os.NewFile(uintptr(pair[1]), "theirs")
	defer host.Close()
	p := cmdtest.Helve(dir, "--approval-fd", "3", "write", `{"path":"SOUL.md","content":"new\n"}`)
	p.ExtraFiles = []*os.File{theirs}
	var out bytes.Buffer
	p.Stdout = &out
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	line, err := bufio.NewReader(host).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var request struct{ Type, ID, Tool, Preview string }
	if err := json.Unmarshal(line, &request); err != nil || request.Tool != "write" || !strings.Contains(request.Preview, "+new") {
		t.Fatalf("%s: %v", line, err)
	}
	if _, err := fmt.Fprintf(host, `{"id":%q,"decision":"approve"}`+"\n", request.ID); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	if got := cmdtest.Content(t, soul); got != "new\n" {
		t.Errorf("%q", got)
	}
}

// TestAskedThroughDescriptorAgain: a process that makes many calls asks about each on
// the same descriptor, until an answer cannot be understood.
func TestAskedThroughDescriptorAgain(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	host, theirs := os.NewFile(uintptr(pair[0]), "host"), os.NewFile(uintptr(pair[1]), "theirs")
	defer host.Close()
	p := cmdtest.Helve(dir, "call", "--no-input", "--approval-fd", "3")
	p.ExtraFiles = []*os.File{theirs}
	replies := []string{`"approve"`, `"deny","reason":"not again"`, `"perhaps"`}
	var calls bytes.Buffer
	for i := range len(replies) + 1 {
		fmt.Fprintf(&calls, `{"id":"%d","type":"function","function":{"name":"write","arguments":{"path":"SOUL.md","content":"soul %d\n"}}}`+"\n", i, i)
	}
	p.Stdin = &calls
	var out bytes.Buffer
	p.Stdout = &out
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	questions := bufio.NewReader(host)
	for _, reply := range replies {
		line, err := questions.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		var request struct{ ID string }
		if err := json.Unmarshal(line, &request); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if _, err := fmt.Fprintf(host, `{"id":%q,"decision":%s}`+"\n", request.ID, reply); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	if more, err := questions.ReadString('\n'); err == nil {
		t.Errorf("asked again: %s", more)
	}
	if got := cmdtest.Content(t, soul); got != "soul 0\n" {
		t.Errorf("%q", got)
	}
	answers := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{"wrote SOUL.md", "not again", "(approval_invalid)", "(approval_required)"} {
		if i >= len(answers) || !strings.Contains(answers[i], want) {
			t.Errorf("answer %d lacks %q: %s", i, want, out.String())
		}
	}
}

// A call that waits goes on when somebody decides elsewhere.
func TestWaitsForDecision(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	p := cmdtest.Helve(dir, "--approval-wait", "1m", "write", `{"path":"SOUL.md","content":"new\n"}`)
	var out bytes.Buffer
	p.Stdout = &out
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	watch := cmdtest.Person(t, dir, "approvals", "watch")
	lines, err := watch.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = watch.Process.Kill()
		_ = watch.Wait() // it was killed
	}()
	line, err := bufio.NewReader(lines).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var request struct{ ID string }
	if err := json.Unmarshal(line, &request); err != nil {
		t.Fatal(err)
	}
	a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", request.ID))
	err = p.Wait()
	var waited cmdtest.Answer
	if failed := json.Unmarshal(out.Bytes(), &waited); err != nil || failed != nil {
		t.Fatalf("the waiting call: %v, %v, %s", err, failed, out.String())
	}
	// Whichever of the two runs the call, the other gets its result.
	if !a.OK || cmdtest.JSON(a) != cmdtest.JSON(waited) {
		t.Errorf("approve: %+v; the waiting call: %+v", a, waited)
	}
	if got := cmdtest.Content(t, soul); got != "new\n" {
		t.Errorf("%q", got)
	}
}
