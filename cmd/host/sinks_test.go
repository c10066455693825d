package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// sent sends a message and delivers it at once. The error says why it was not delivered.
func sent(t *testing.T, h *host.Host, channel, content string) (bus.Delivery, error) {
	t.Helper()
	env, _, err := h.Env()
	if err != nil {
		t.Fatal(err)
	}
	b, err := h.Bus()
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.Send(t.Context(), bus.Message{Channel: channel, To: "1", Content: content})
	if err != nil {
		t.Fatal(err)
	}
	m, err := b.Get(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	deliver, err := tool.Service[bus.Deliver](env)
	if err != nil {
		t.Fatal(err)
	}
	return deliver(t.Context(), m)
}

// contents returns what is in the file of a sink, such as "a b".
func contents(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		_, rest, _ := strings.Cut(line, `"content":"`)
		content, _, _ := strings.Cut(rest, `"`)
		all = append(all, content)
	}
	return strings.Join(all, " ")
}

// TestDeliveredAtOnce delivers to a sink of the settings when a message is sent, those
// before it first.
func TestDeliveredAtOnce(t *testing.T) {
	h := newHost(t, nil)
	dir := filepath.Join(t.TempDir(), "later")
	file := filepath.Join(dir, "out")
	want := func(channel, content string, delivery bus.Delivery, code fault.Code, there string) {
		t.Helper()
		got, err := sent(t, h, channel, content)
		if got != delivery || (err == nil) != (code == "") || err != nil && !fault.Is(err, code) {
			t.Errorf("%s is %s, %v; want %s, %s", content, got, err, delivery, code)
		}
		if now := contents(t, file); now != there {
			t.Errorf("after %s, the file has %q, want %q", content, now, there)
		}
	}
	want("telegram", "a", bus.DeliveryQueued, "", "") // without a sink
	put(t, h.Dirs.UserConfig, fmt.Sprintf(`{"messages": {"sinks": [{"name": "out", "kind": "file", "path": %q, "channel": "telegram", "at_once": true}, {"name": "later", "kind": "file", "path": %q}]}}`, file, file+".2"))
	want("email", "b", bus.DeliveryQueued, "", "") // which the sink does not want
	// a, which waits to be tried again, holds c up.
	want("telegram", "c", bus.DeliveryQueued, "", "")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if contents(t, file+".2") != "" {
		t.Error("a sink that does not want it at once got it")
	}
	put(t, h.Dirs.UserConfig, fmt.Sprintf(`{"messages": {"sinks": [{"name": "other", "kind": "file", "path": %q, "channel": "telegram", "at_once": true}]}}`, file))
	want("telegram", "d", bus.DeliveryDelivered, "", "a c d")
	want("telegram", "e", bus.DeliveryDelivered, "", "a c d e")
}

// TestFailedAtOnce keeps a message that could not be delivered at once.
func TestFailedAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs of Unix")
	}
	h := newHost(t, nil)
	file := filepath.Join(t.TempDir(), "out")
	for argv, code := range map[string]fault.Code{
		`["sh", "-c", "exit 75"]`: fault.Unavailable, `["sh", "-c", "exit 1"]`: fault.IOError, `["sleep", "600"]`: fault.Timeout, `["no-such-program"]`: fault.NotFound,
	} {
		name, timeout := "s"+string(code), "60"
		if code == fault.Timeout {
			timeout = "1"
		}
		put(t, h.Dirs.UserConfig, `{"messages": {"sinks": [{"name": "`+name+`", "kind": "command", "argv": `+argv+`, "timeout": `+timeout+`, "channel": "`+name+`", "at_once": true}]}}`)
		if got, err := sent(t, h, name, "a"); got != bus.DeliveryFailed || !fault.Is(err, code) {
			t.Errorf("%s: %s, %v", argv, got, err)
		}
	}
	// A key that is not there fails before anything is sent.
	put(t, h.Dirs.UserConfig, `{"messages": {"sinks": [{"name": "w", "kind": "webhook", "url": "https://hooks.example/", "secret_file": "`+filepath.ToSlash(file)+`", "at_once": true}]}}`)
	if got, err := sent(t, h, "telegram", "b"); got != bus.DeliveryFailed || !fault.Is(err, fault.NotConfigured) {
		t.Errorf("without a key: %s, %v", got, err)
	}
	b, err := h.Bus()
	if err != nil {
		t.Fatal(err)
	}
	o, err := b.Channels(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range o.Conversations {
		if c.Queued != 1 {
			t.Errorf("%s: %d are queued", c.Channel, c.Queued)
		}
	}
}
