package sink_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/bus/sink"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
)

// open opens the store of a state directory.
func open(t *testing.T, base, workspace string) store.Store {
	t.Helper()
	dir, err := state.Open(base, workspace, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := bolt.Open(dir)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// later is a clock that is ahead.
func later(d time.Duration) func() time.Time { return func() time.Time { return time.Now().Add(d) } }

// send sends messages, such as 42:hello.
func send(t *testing.T, b *bus.Bus, all ...string) {
	t.Helper()
	for _, one := range all {
		to, content, _ := strings.Cut(one, ":")
		channel := "telegram"
		if to == bus.System {
			channel = bus.System
		}
		if _, err := b.Send(t.Context(), bus.Message{Channel: channel, To: to, Content: content}); err != nil {
			t.Fatal(err)
		}
	}
}

// notes is a sink that notes what it was given, and fails as fail says.
type notes struct {
	fail func(m bus.Message) error

	mu  sync.Mutex
	got []string // such as 42:hello
}

func (n *notes) Deliver(_ context.Context, m bus.Message) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.got = append(n.got, m.To+":"+m.Content)
	if n.fail == nil {
		return nil
	}
	return n.fail(m)
}

func busy() error {
	return &sink.Failure{Err: fault.New(fault.Unavailable, fault.T("busy"))}
}

// now is a delay of nothing.
func now(int) time.Duration { return 0 }

// standing returns how many messages the consumer of a sink has not acknowledged, and how
// many dead letters there are.
func standing(t *testing.T, b *bus.Bus, name string) (waiting int, reasons []string) {
	t.Helper()
	all, err := b.Channels(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all.Consumers {
		if c.Name == sink.Consumer(name) {
			waiting = c.Open + c.Behind
		}
	}
	letters, err := b.Dead(t.Context(), sink.Consumer(name), bus.Filter{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range letters {
		reasons = append(reasons, strconv.Itoa(l.Deliveries)+" "+l.Message.Content+": "+l.Reason)
	}
	return waiting, reasons
}

func TestPump(t *testing.T) {
	kept := open(t, t.TempDir(), t.TempDir())
	b := bus.New(kept, time.Now)
	send(t, b, "1:a", "system:x", "2:b", "1:c", "2:d")
	n := &notes{}
	var events []string
	p := &sink.Pump{Bus: b, Name: "n", Sink: n, Filter: bus.Filter{NoSystem: true}, Timeout: time.Minute, Report: func(e sink.Event) {
		events = append(events, e.Sink+" "+e.Message.Content+" "+string(e.Result))
	}}
	if err := p.Run(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"1:a", "2:b", "1:c", "2:d"}, n.got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"n a delivered", "n b delivered", "n c delivered", "n d delivered"}, events); d != "" {
		t.Error(d)
	}
	n.got = nil
	if err := p.Run(t.Context(), true); err != nil || n.got != nil {
		t.Errorf("delivered again: %v, %v", n.got, err)
	}
	if open, dead := standing(t, b, "n"); open != 0 || dead != nil {
		t.Errorf("%d open, dead letters %v", open, dead)
	}
}

// TestPumpOrder lets a message fail twice: the conversation waits, the others do not.
func TestPumpOrder(t *testing.T) {
	kept := open(t, t.TempDir(), t.TempDir())
	b := bus.New(kept, time.Now)
	send(t, b, "1:a", "1:b", "2:c", "1:d")
	failures := 0
	n := &notes{fail: func(m bus.Message) error {
		if m.Content == "a" && failures < 2 {
			failures++
			return busy()
		}
		return nil
	}}
	long := func(int) time.Duration { return time.Hour }
	p := &sink.Pump{Bus: b, Name: "n", Sink: n, Timeout: time.Minute, Delay: long}
	if err := p.Run(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"1:a", "2:c"}, n.got); d != "" {
		t.Error(d)
	}
	p.Bus, n.got = bus.New(kept, later(2*time.Hour)), nil
	p.Delay = now
	if err := p.Run(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"1:a", "1:a", "1:b", "1:d"}, n.got); d != "" {
		t.Error(d)
	}
}

// TestPumpDead buries what a receiver refuses for good, and what fails too often.
func TestPumpDead(t *testing.T) {
	kept := open(t, t.TempDir(), t.TempDir())
	b := bus.New(kept, time.Now)
	send(t, b, "1:never", "1:tired", "1:fine")
	n := &notes{fail: func(m bus.Message) error {
		switch m.Content {
		case "never":
			return &sink.Failure{Outcome: sink.Never, Err: fault.New(fault.HTTPStatus, fault.T("gone"))}
		case "tired":
			return busy()
		}
		return nil
	}}
	last := ""
	p := &sink.Pump{Bus: b, Name: "n", Sink: n, Timeout: time.Minute, Delay: now, Report: func(e sink.Event) { last = e.Message.Content + " " + string(e.Result) }}
	if err := p.Run(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if want := slices.Concat([]string{"1:never"}, slices.Repeat([]string{"1:tired"}, sink.Tries), []string{"1:fine"}); !slices.Equal(n.got, want) {
		t.Errorf("delivered %v", n.got)
	}
	open, dead := standing(t, b, "n")
	if want := []string{"1 never: gone", fmt.Sprintf("%d tired: busy", sink.Tries)}; open != 0 || !slices.Equal(dead, want) || last != "fine delivered" {
		t.Errorf("%d open, dead letters %v, at last %s", open, dead, last)
	}
}

// TestPumpAsked waits as long as the receiver asks, but for no longer than an hour.
func TestPumpAsked(t *testing.T) {
	for asked, want := range map[time.Duration]time.Duration{0: time.Second, time.Millisecond: time.Second, time.Minute: time.Minute, 30 * time.Hour: time.Hour} {
		kept := open(t, t.TempDir(), t.TempDir())
		b := bus.New(kept, time.Now)
		send(t, b, "1:a")
		n := &notes{fail: func(bus.Message) error {
			return &sink.Failure{After: asked, Err: fault.New(fault.HTTPStatus, fault.T("busy"))}
		}}
		var got time.Duration
		p := &sink.Pump{Bus: b, Name: "n", Sink: n, Timeout: time.Minute, Delay: func(int) time.Duration { return time.Second }, Report: func(e sink.Event) { got = e.Delay }}
		if err := p.Run(t.Context(), true); err != nil || got != want {
			t.Errorf("asked to wait %v, it waits %v, want %v; %v", asked, got, want, err)
		}
	}
	kept := open(t, t.TempDir(), t.TempDir())
	b := bus.New(kept, time.Now)
	send(t, b, "1:a")
	var delays []time.Duration
	p := &sink.Pump{Bus: b, Name: "n", Sink: &notes{fail: func(bus.Message) error { return busy() }}, Timeout: time.Minute, Report: func(e sink.Event) { delays = append(delays, e.Delay) }}
	for i := range 4 {
		p.Bus = bus.New(kept, later(time.Duration(i)*time.Hour))
		if err := p.Run(t.Context(), true); err != nil {
			t.Fatal(err)
		}
	}
	for i, d := range delays {
		if most := 2 * time.Second << i; d < most/2 || d > most {
			t.Errorf("after try %d, it waits %v", i+1, d)
		}
	}
	if len(delays) != 4 {
		t.Errorf("%d tries", len(delays))
	}
}

// TestPumpGone ends when nobody reads, and keeps the message.
func TestPumpGone(t *testing.T) {
	kept := open(t, t.TempDir(), t.TempDir())
	b := bus.New(kept, time.Now)
	send(t, b, "1:a", "1:b")
	n := &notes{fail: func(m bus.Message) error {
		if m.Content == "b" {
			return &sink.Failure{Outcome: sink.Gone, Err: fault.New(fault.IOError, fault.T("closed"))}
		}
		return nil
	}}
	p := &sink.Pump{Bus: b, Name: "n", Sink: n, Timeout: time.Minute, Workers: 3}
	if err := p.Run(t.Context(), false); !fault.Is(err, fault.IOError) {
		t.Fatal(err)
	}
	n.fail, n.got = nil, nil
	if err := p.Run(t.Context(), true); err != nil || !slices.Equal(n.got, []string{"1:b"}) {
		t.Errorf("then delivered %v, %v", n.got, err)
	}
}

// TestPumpShared has several pumps share messages that are sent meanwhile.
func TestPumpShared(t *testing.T) {
	base, workspace := t.TempDir(), t.TempDir()
	const conversations, each = 4, 15
	n := &notes{}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var all sync.WaitGroup
	var mu sync.Mutex
	delivered := 0
	for range 2 {
		p := &sink.Pump{Bus: bus.New(open(t, base, workspace), time.Now), Name: "n", Sink: n, Timeout: time.Minute, Workers: 2, Report: func(sink.Event) {
			mu.Lock()
			defer mu.Unlock()
			if delivered++; delivered == conversations*each {
				cancel()
			}
		}}
		all.Go(func() {
			if err := p.Run(ctx, false); err != nil {
				t.Error(err)
				cancel()
			}
		})
	}
	b := bus.New(open(t, base, workspace), time.Now)
	for i := range each {
		for c := range conversations {
			send(t, b, fmt.Sprintf("%d:%d", c, i))
		}
	}
	all.Wait()
	got := map[string][]string{}
	for _, one := range n.got {
		to, content, _ := strings.Cut(one, ":")
		got[to] = append(got[to], content)
	}
	for to, contents := range got {
		for i, content := range contents {
			if content != strconv.Itoa(i) {
				t.Fatalf("conversation %s has %v", to, contents)
			}
		}
	}
	if len(n.got) != conversations*each {
		t.Errorf("%d deliveries", len(n.got))
	}
}

// TestPumpEnd ends while a message is delivered: it may be delivered within ten seconds,
// and is given back after them.
func TestPumpEnd(t *testing.T) {
	for name, want := range map[string]sink.Result{"soon": sink.Delivered, "never": sink.Returned} {
		t.Run(name, func(t *testing.T) {
			base, workspace := t.TempDir(), t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				b := bus.New(open(t, base, workspace), time.Now)
				send(t, b, "1:a", "1:b")
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				s := deliverFunc(func(ctx context.Context, _ bus.Message) error {
					cancel()
					if want == sink.Delivered {
						<-time.After(9 * time.Second) // of the clock of the test
						return nil
					}
					<-ctx.Done()
					return context.Cause(ctx)
				})
				var events []sink.Result
				p := &sink.Pump{Bus: b, Name: "n", Sink: s, Timeout: time.Hour, Report: func(e sink.Event) { events = append(events, e.Result) }}
				begin := time.Now()
				if err := p.Run(ctx, true); err != nil {
					t.Error(err)
				}
				if took := time.Since(begin); len(events) != 1 || events[0] != want || took > 11*time.Second {
					t.Errorf("%v after %v", events, took)
				}
				left := []string{"1:b"}
				if want == sink.Returned {
					left = []string{"1:a", "1:b"}
				}
				n := &notes{}
				if err := (&sink.Pump{Bus: b, Name: "n", Sink: n, Timeout: time.Minute}).Run(t.Context(), true); err != nil || !slices.Equal(n.got, left) {
					t.Errorf("then delivered %v, want %v; %v", n.got, left, err)
				}
			})
		})
	}
}

type deliverFunc func(ctx context.Context, m bus.Message) error

func (f deliverFunc) Deliver(ctx context.Context, m bus.Message) error { return f(ctx, m) }

// TestPumpCut has a store that cannot be reached for a while after a message was
// delivered: it is not delivered twice.
func TestPumpCut(t *testing.T) {
	flaky := &flaky{Store: open(t, t.TempDir(), t.TempDir())}
	b := bus.New(flaky, time.Now)
	send(t, b, "1:a", "1:b")
	n := &notes{fail: func(bus.Message) error { flaky.fail(3); return nil }}
	p := &sink.Pump{Bus: b, Name: "n", Sink: n, Timeout: time.Minute, Delay: now}
	if err := p.Run(t.Context(), true); err != nil || !slices.Equal(n.got, []string{"1:a", "1:b"}) {
		t.Errorf("delivered %v, %v", n.got, err)
	}
	send(t, b, "1:c")
	flaky.fail(1)
	if err := p.Run(t.Context(), true); !fault.Is(err, fault.Unavailable) { // once says so at once
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p.Report = func(sink.Event) { cancel() }
	flaky.fail(2)
	if err := p.Run(ctx, false); err != nil || !slices.Equal(n.got, []string{"1:a", "1:b", "1:c"}) {
		t.Errorf("delivered %v, %v", n.got, err)
	}
}

// flaky is a store that fails as often as it was told.
type flaky struct {
	store.Store
	mu   sync.Mutex
	left int
}

func (f *flaky) fail(times int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left = times
}

func (f *flaky) failed() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.left == 0 {
		return nil
	}
	f.left--
	return fault.New(fault.Unavailable, fault.T("cut"))
}

func (f *flaky) View(ctx context.Context, do func(store.Reader) error) error {
	if err := f.failed(); err != nil {
		return err
	}
	return f.Store.View(ctx, do)
}

func (f *flaky) Update(ctx context.Context, do func(store.Tx) error) error {
	if err := f.failed(); err != nil {
		return err
	}
	return f.Store.Update(ctx, do)
}
