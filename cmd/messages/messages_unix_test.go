//go:build unix

package messages_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/bus"
)

// sentIn sends messages in a workspace.
func sentIn(t *testing.T, dir string, contents ...string) {
	t.Helper()
	h := cmdtest.HostOf(dir)
	defer h.Close()
	b, err := h.Bus()
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range contents { // to the conversation before a colon, or to 1
		to, _, ok := strings.Cut(content, ":")
		if !ok {
			to = "1"
		}
		if _, err := b.Send(t.Context(), bus.Message{Channel: "telegram", To: to, Content: content}); err != nil {
			t.Fatal(err)
		}
	}
}

// following starts a command that prints messages, a line each.
func following(t *testing.T, dir string, args ...string) (c *exec.Cmd, next func() string, closeOutput func()) {
	t.Helper()
	c = cmdtest.Person(t, dir, append([]string{"messages"}, args...)...)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() }) // if the test did not end it
	lines := bufio.NewReader(out)
	return c, func() string {
		t.Helper()
		line, err := lines.ReadString('\n')
		if err == io.EOF && line == "" {
			return "end"
		}
		var m struct{ Content string }
		if err != nil || json.Unmarshal([]byte(line), &m) != nil {
			t.Fatalf("%q %v", line, err)
		}
		return m.Content
	}, func() { _ = out.Close() }
}

// TestMessagesInterrupted ends what follows messages by SIGTERM: nothing that it printed
// comes again, and what is new comes at once.
func TestMessagesInterrupted(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"tail -f", "deliver --sink stdout --follow"} {
		dir := cmdtest.Workspace(t)
		sentIn(t, dir, "a")
		c, next, _ := following(t, dir, strings.Fields(args)...)
		if got := next(); got != "a" {
			t.Fatalf("%s printed %q", args, got)
		}
		for i := range 20 { // a process listens for signals from its fifth millisecond on
			sentIn(t, dir, strconv.Itoa(i))
			if got := next(); got != strconv.Itoa(i) {
				t.Fatalf("%s printed %q after %d messages", args, got, i)
			}
		}
		if err := c.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if got := next(); got != "end" {
			t.Errorf("%s then printed %q", args, got)
		}
		if err := c.Wait(); err != nil {
			t.Errorf("%s: %v", args, err)
		}
		if args == "tail -f" {
			continue
		}
		sentIn(t, dir, "b", "c")
		c, next, _ = following(t, dir, "deliver", "--sink", "stdout")
		if got := next() + next() + next(); got != "bcend" {
			t.Errorf("then %q", got)
		}
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// TestMessagesUnread closes the output of what follows messages: it ends quietly, and
// what nobody could read comes again at once.
func TestMessagesUnread(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"tail -f", "deliver --sink stdout --follow"} {
		dir := cmdtest.Workspace(t)
		sentIn(t, dir, "a")
		c, next, closeOutput := following(t, dir, strings.Fields(args)...)
		if got := next(); got != "a" {
			t.Fatalf("%s printed %q", args, got)
		}
		closeOutput()
		sentIn(t, dir, "b")
		if err := c.Wait(); err != nil {
			t.Errorf("%s: %v", args, err)
		}
		if args == "tail -f" {
			continue
		}
		c, next, _ = following(t, dir, "deliver", "--sink", "stdout")
		if got := next() + next(); got != "bend" {
			t.Errorf("then %q", got)
		}
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// TestMessagesShared has two processes deliver to a webhook that fails at times. Each
// message arrives once, signed, and in the order of its conversation.
func TestMessagesShared(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	const each = 12
	type request struct{ id, to, content string }
	requests := make(chan request, 100)
	var failed atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct{ ID, To, Content string }
		err := json.NewDecoder(r.Body).Decode(&m)
		if err != nil || m.ID != r.Header.Get("webhook-id") || !strings.HasPrefix(r.Header.Get("webhook-signature"), "v1,") {
			t.Errorf("%v: %+v with %v", err, m, r.Header)
		}
		if m.Content == "2:3" && failed.CompareAndSwap(false, true) {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		requests <- request{m.ID, m.To, m.Content}
	}))
	defer server.Close()
	cmdtest.Put(t, cmdtest.HomeOf(dir), "key", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n")
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"web": {"allow_private": true}, "messages": {"sinks": [{"name": "hook", "kind": "webhook", "url": "`+server.URL+`", "secret_file": "key"}]}}`)
	var pumps []*exec.Cmd
	for range 2 {
		c := cmdtest.Person(t, dir, "messages", "deliver", "--follow")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Process.Kill() }) // if the test did not end it
		pumps = append(pumps, c)
	}
	for i := range each {
		for to := range 3 {
			sentIn(t, dir, strconv.Itoa(to)+":"+strconv.Itoa(i))
		}
	}
	seen := map[string]bool{}
	next := map[string]int{}
	for range 3 * each {
		r := <-requests
		if seen[r.id] {
			t.Errorf("%s arrived twice", r.content)
		}
		seen[r.id] = true
		to, number, _ := strings.Cut(r.content, ":")
		if number != strconv.Itoa(next[to]) || r.to != to {
			t.Errorf("%s arrived in the place of %d", r.content, next[to])
		}
		next[to]++
	}
	for _, c := range pumps {
		if err := c.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
	out, err := cmdtest.Person(t, dir, "messages", "deliver").Output()
	if err != nil || !failed.Load() || string(out) != `{"ok":true,"data":{"sinks":[{"sink":"hook","delivered":0,"failed":0,"dead":0}]}}`+"\n" {
		t.Errorf("then %s, %v", out, err)
	}
}
