package messages_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/messages"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
)

// sent sends messages, such as "42 hello", in the workspace of the environment.
func sent(t *testing.T, all ...string) (ids []string) {
	t.Helper()
	h := host.New(host.FromEnvironment())
	defer h.Close()
	b, err := h.Bus()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		to, content, _ := strings.Cut(one, " ")
		r, err := b.Send(t.Context(), bus.Message{Channel: "telegram", To: to, Content: content})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.ID)
	}
	return ids
}

// messages runs "helve messages" with arguments and returns the exit status.
func run(t *testing.T, out io.Writer, args ...string) (status int) {
	t.Helper()
	return cmd.Main(append([]string{"messages"}, args...), strings.NewReader(""), out, io.Discard)
}

// answered runs "helve messages" and decodes its data.
func answered[T any](t *testing.T, args ...string) (data T) {
	t.Helper()
	var b bytes.Buffer
	run(t, &b, args...)
	var e struct {
		OK    bool
		Error json.RawMessage
		Data  *T
	}
	e.Data = &data
	if err := json.Unmarshal(b.Bytes(), &e); err != nil || !e.OK {
		t.Fatalf("%v: %v %s", args, err, b.String())
	}
	return data
}

type received struct {
	Messages []bus.Message `json:"messages"`
}

func (r received) contents() (all []string) {
	for _, m := range r.Messages {
		all = append(all, fmt.Sprintf("%s %s %d", m.To, m.Content, m.Deliveries))
	}
	return all
}

// TestMessagesReceived takes messages, gives one back, and acknowledges them.
func TestMessagesReceived(t *testing.T) {
	cmdtest.Home(t)
	ids := sent(t, "1 a", "2 b", "1 c")
	first := answered[received](t, "recv", "--consumer", "c", "--max", "1")
	if d := cmp.Diff([]string{"1 a 1"}, first.contents()); d != "" {
		t.Error(d)
	}
	// c comes after a, which is with the first receiver.
	if d := cmp.Diff([]string{"2 b 1"}, answered[received](t, "recv", "--consumer", "c").contents()); d != "" {
		t.Error(d)
	}
	var empty bytes.Buffer
	if status := run(t, &empty, "recv", "--consumer", "c"); status != 0 || !strings.Contains(empty.String(), `"warnings":["c holds 3 messages`) {
		t.Errorf("nothing, without a reason: %d %s", status, empty.String())
	}
	answered[any](t, "nak", ids[0], "--consumer", "c")
	again := answered[received](t, "recv", "--consumer", "c", "--ack")
	if d := cmp.Diff([]string{"1 a 2", "1 c 1"}, again.contents()); d != "" {
		t.Error(d)
	}
	type acked struct{ Acknowledged, Unknown []string }
	if d := cmp.Diff(acked{Acknowledged: ids[1:2]}, answered[acked](t, "ack", ids[1], "--consumer", "c")); d != "" {
		t.Error(d)
	}
	var b bytes.Buffer
	if status := run(t, &b, "ack", ids[1], ids[2], "--consumer", "c"); status != fault.NotFound.Exit() || !strings.Contains(b.String(), `"unknown":["`+ids[1]) {
		t.Errorf("again: %d %s", status, b.String())
	}
	if got := answered[received](t, "recv", "--consumer", "c", "--wait", "1ms"); len(got.Messages) != 0 || got.Messages == nil {
		t.Errorf("then %v", got)
	}
	if d := cmp.Diff([]string{"1 a 1", "2 b 1", "1 c 1"}, answered[received](t, "recv", "--consumer", "d").contents()); d != "" {
		t.Error(d) // another consumer gets them all
	}
	// What could not be printed is given back.
	if status := run(t, failing{}, "recv", "--consumer", "e", "--ack", "--max", "1"); status == 0 {
		t.Error("printed to nowhere")
	}
	if d := cmp.Diff([]string{"1 a 2", "2 b 1", "1 c 1"}, answered[received](t, "recv", "--consumer", "e").contents()); d != "" {
		t.Error(d)
	}
}

// failing is a stream that cannot be written to.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestMessagesTail(t *testing.T) {
	cmdtest.Home(t)
	sent(t, "1 a", "2 b", "1 c")
	contents := func(args ...string) (all []string) {
		for _, m := range answered[received](t, args...).Messages {
			all = append(all, m.Content)
		}
		return all
	}
	for args, want := range map[string][]string{
		"tail": {"a", "b", "c"}, "tail --limit 1": {"c"}, "tail --to 1": {"a", "c"}, "tail --channel email": nil,
		"tail --after 0 --limit 1": {"a"}, "sent": {"a", "b", "c"}, "sent --to 2": {"b"}, "sent --turn 9": nil,
	} {
		if got := contents(strings.Fields(args)...); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", args, got, want)
		}
	}
	var b bytes.Buffer
	if run(t, &b, "tail", "--after", "99"); !strings.Contains(b.String(), `"messages":[],"next":99`) {
		t.Errorf("none: %s", b.String())
	}
	// Followed, each is a line, and those to come are there at once.
	r, w := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	h := host.New(host.FromEnvironment())
	defer h.Close()
	p := out.New(w, io.Discard)
	c := messages.Command(h, p)
	c.SetArgs([]string{"tail", "-f", "--to", "1", "--limit", "1"})
	ended := make(chan error, 1)
	go func() {
		ended <- c.ExecuteContext(ctx)
		_ = w.Close()
	}()
	dec := json.NewDecoder(r)
	var got []string
	for range 3 {
		var m bus.Message
		if err := dec.Decode(&m); err != nil {
			t.Fatal(err)
		}
		if got = append(got, m.Content); len(got) == 1 {
			sent(t, "2 d", "1 e", "1 f")
		}
	}
	cancel()
	if err := <-ended; err != nil || !slices.Equal(got, []string{"c", "e", "f"}) {
		t.Errorf("followed %v, %v", got, err)
	}
	if rest, err := io.ReadAll(io.MultiReader(dec.Buffered(), r)); err != nil || strings.TrimSpace(string(rest)) != "" {
		t.Errorf("after the end: %q, %v", rest, err)
	}
}

// delivered is a sink in the document of "helve messages deliver".
type delivered struct {
	Sink      string
	Delivered int
	Failed    int
	Dead      int
	LastError string `json:"last_error"`
}

// TestMessagesDelivered delivers to a file, to standard output, and to a program that
// fails for good.
func TestMessagesDelivered(t *testing.T) {
	_, settings := cmdtest.Home(t)
	dir := filepath.Dir(settings)
	if err := os.WriteFile(settings, []byte(`{"messages": {"sinks": [{"name": "log", "kind": "file", "path": "out.ndjson"}, {"name": "gone", "kind": "file", "path": "absent/out", "to": "2"}]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	ids := sent(t, "1 a", "2 b", "1 c")
	type counted struct {
		Sinks []delivered `json:"sinks"`
	}
	got := answered[counted](t, "deliver", "--once")
	missing := "file not found: " + filepath.Join(dir, "absent", "out")
	if d := cmp.Diff(counted{[]delivered{{Sink: "log", Delivered: 3}, {Sink: "gone", Failed: 1, LastError: missing}}}, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(counted{[]delivered{{Sink: "log"}}}, answered[counted](t, "deliver", "--sink", "log")); d != "" {
		t.Error(d)
	}
	text, err := os.ReadFile(filepath.Join(dir, "out.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if status := run(t, &b, "deliver", "--sink", "stdout"); status != 0 || b.String() != string(text) {
		t.Errorf("exit status %d, on standard output\n%s\nin the file\n%s", status, b.String(), text)
	}
	for i, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		if !strings.HasPrefix(line, `{"id":"`+ids[i]+`","seq":`) {
			t.Errorf("line %d is %s", i, line)
		}
	}
	b.Reset()
	if status := run(t, &b, "deliver", "--sink", "stdout"); status != 0 || b.Len() > 0 {
		t.Errorf("again: %d %s", status, b.String())
	}
	// A stream that ends takes nothing along.
	sent(t, "1 d")
	if status := run(t, failing{}, "deliver", "--sink", "stdout"); status != 0 {
		t.Errorf("without a reader: %d", status)
	}
	if run(t, &b, "deliver", "--sink", "stdout"); !strings.Contains(b.String(), `"content":"d"`) {
		t.Errorf("after that: %s", b.String())
	}
}
