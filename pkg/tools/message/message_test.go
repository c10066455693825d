package message_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools/message"
	"github.com/helve-dev/helve/pkg/workspace"
)

// world is a workspace in which messages are sent.
type world struct {
	dir string
	env *tool.Env
	bus *bus.Bus
}

func newWorld(t *testing.T, host string) *world {
	t.Helper()
	dir := t.TempDir()
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	kept, err := state.Open(t.TempDir(), dir, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := bolt.Open(kept)
	t.Cleanup(func() { _ = s.Close() })
	w := &world{dir: dir, bus: bus.New(s, time.Now).WithMedia(kept, host), env: &tool.Env{
		Root:  func() (*workspace.Root, error) { return root, nil },
		State: func() (*state.Dir, error) { return kept, nil },
		Audit: func() (*state.Dir, error) { return kept, nil },
		Now:   time.Now, Session: "s", Channel: "telegram", Chat: "42", Turn: "t1", Run: "job@2026-03-01T12:00:00Z",
	}}
	tool.Provide(w.env, func() (*bus.Bus, error) { return w.bus, nil })
	return w
}

// deliver has the world deliver messages at once.
func (w *world) deliver(d bus.Deliver) {
	tool.Provide(w.env, func() (bus.Deliver, error) { return d, nil })
}

// send returns the result of a call, and its warnings.
func (w *world) send(t *testing.T, args string) (r message.Result, warnings string) {
	t.Helper()
	o := guard.Run(t.Context(), w.env, message.Tool, []byte(args))
	if o.Err != nil {
		t.Fatalf("%s: %v", args, o.Err)
	}
	if err := json.Unmarshal(o.JSON, &r); err != nil {
		t.Fatal(err)
	}
	for _, one := range o.Warnings {
		warnings += one.In(fault.English) + "\n"
	}
	return r, warnings
}

// A message says where it comes from: the conversation, the turn, and the run.
func TestOrigin(t *testing.T) {
	w := newWorld(t, "")
	r, _ := w.send(t, `{"content":"<think>hm</think>done","reply_to":"7","dedupe_key":"k","buttons":["Yes","No"]}`)
	m, err := w.bus.Get(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(bus.Message{
		ID: r.ID, Seq: r.Seq, Channel: "telegram", To: "42", Session: "s", Turn: "t1", Kind: bus.KindMessage, Content: "done",
		ReplyTo: "7", DedupeKey: "k", Buttons: [][]string{{"Yes", "No"}}, CreatedAt: m.CreatedAt,
		Origin: &bus.Origin{Kind: "cron", Job: "job", Run: "job@2026-03-01T12:00:00Z"},
	}, m); diff != "" {
		t.Error(diff)
	}
}

// What can deliver at once says what came of it. A message that was not delivered stays,
// and a duplicate is not delivered again.
func TestDelivery(t *testing.T) {
	w := newWorld(t, "")
	r, warnings := w.send(t, `{"content":"a"}`)
	if r.Delivery != bus.DeliveryQueued || warnings != "" {
		t.Errorf("without a sink: %+v %s", r, warnings)
	}
	var tried []string
	outcome, failure := bus.DeliveryDelivered, error(nil)
	w.deliver(func(_ context.Context, m bus.Message) (bus.Delivery, error) {
		tried = append(tried, m.Content)
		return outcome, failure
	})
	if r, warnings := w.send(t, `{"content":"b"}`); r.Delivery != bus.DeliveryDelivered || warnings != "" {
		t.Errorf("delivered: %+v %s", r, warnings)
	}
	if r, _ := w.send(t, `{"content":"b"}`); r.Delivery != bus.DeliveryQueued || !r.Duplicate {
		t.Errorf("again: %+v", r)
	}
	got, err := w.bus.Receive(t.Context(), bus.ReceiveOptions{Consumer: "c", Ack: true})
	if err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	if r, _ := w.send(t, `{"content":"b"}`); r.Delivery != bus.DeliveryDelivered || !r.Duplicate {
		t.Errorf("when it was received: %+v", r)
	}
	outcome, failure = bus.DeliveryFailed, fault.New(fault.Unavailable, fault.T("nobody listens"))
	if r, warnings := w.send(t, `{"content":"c"}`); r.Delivery != bus.DeliveryFailed || warnings != "not delivered yet: nobody listens\n" {
		t.Errorf("failed: %+v %s", r, warnings)
	}
	if diff := cmp.Diff([]string{"b", "c"}, tried); diff != "" {
		t.Error(diff)
	}
}

// A file is sent as it was, whatever becomes of it.
func TestMedia(t *testing.T) {
	w := newWorld(t, "here")
	name := filepath.Join(w.dir, "a.txt")
	for path, content := range map[string]string{name: "kept", filepath.Join(w.dir, "large.txt"): strings.Repeat("x", 300<<10)} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, warnings := w.send(t, `{"content":"see","media":["./a.txt","large.txt"]}`)
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	m, err := w.bus.Get(t.Context(), r.ID)
	if err != nil || len(m.Media) != 2 || m.Media[0].Path != "a.txt" || m.Media[0].MIME != "text/plain" {
		t.Fatal(m, err)
	}
	if content, err := os.ReadFile(m.Media[0].Kept); err != nil || string(content) != "kept" {
		t.Errorf("%q, %v", content, err)
	}
	if warnings != "large.txt is too large for the store that hosts share: it can be read on here alone\n" {
		t.Error(warnings)
	}
}
