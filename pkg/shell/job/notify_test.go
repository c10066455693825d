package job

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// sent is an event with the time at which it was sent.
type sent struct {
	after time.Duration
	Event
}

// notifying writes to a notifier in a bubble, and returns what it sent.
func notifying(t *testing.T, pattern string, fails func(n int) bool, write func(n *notifier)) (all []sent) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		began, tries := time.Now(), 0
		n, err := newNotifier(pattern, func(e Event) error {
			if tries++; fails(tries) {
				return errors.New("nobody takes it")
			}
			all = append(all, sent{time.Since(began), e})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		write(n)
		if err := n.end(&Record{State: Ended}); err != nil {
			t.Error(err)
		}
	})
	return all
}

// pass lets time pass in a bubble.
func pass(d time.Duration) {
	time.Sleep(d) //nolint:forbidigo // of the bubble's clock
}

func never(int) bool { return false }

// TestNotifyFlood: of a million lines in a minute come as many events and lines as promised, and
// no line is lost from the count.
func TestNotifyFlood(t *testing.T) {
	t.Parallel()
	const parts, each = 600, 1667
	all := notifying(t, "FAIL", never, func(n *notifier) {
		part := bytes.Repeat([]byte("one FAIL\nand none\n"), each)
		for range parts {
			n.write(part)
			pass(100 * time.Millisecond)
		}
	})
	lines := 0
	for i, e := range all {
		if lines += len(e.Lines) + e.More; len(e.Lines) > notifyLines {
			t.Errorf("event %d has %d lines", i, len(e.Lines))
		}
		if i > 0 && e.after-all[i-1].after < notifyTime {
			t.Errorf("event %d comes %s after the last one", i, e.after-all[i-1].after)
		}
	}
	if lines != parts*each || len(all) < 12 || len(all) > 14 || all[len(all)-1].End == nil {
		t.Errorf("%d events, %d lines", len(all), lines)
	}
}

// TestNotify: the first event comes at once, the end when it is due, a line without an end
// with it, and what cannot be sent with the next event.
func TestNotify(t *testing.T) {
	t.Parallel()
	end := &Record{State: Ended}
	for name, c := range map[string]struct {
		fails func(n int) bool
		write func(n *notifier)
		want  []sent
	}{
		"nothing matches": {never, func(n *notifier) { n.write([]byte("fine\n")) }, []sent{{0, Event{End: end}}}},
		"in time": {never, func(n *notifier) {
			n.write([]byte("an err"))
			n.write([]byte("or\n"))
			pass(2 * notifyTime)
			n.write([]byte("error 2"))
		}, []sent{{0, Event{Lines: []string{"an error"}}}, {2 * notifyTime, Event{Lines: []string{"error 2"}, End: end}}}},
		"end too soon": {never, func(n *notifier) {
			n.write([]byte("error 1\n"))
			pass(time.Second)
			n.write([]byte("error 2\n"))
		}, []sent{{0, Event{Lines: []string{"error 1"}}}, {notifyTime, Event{Lines: []string{"error 2"}, End: end}}}},
		"nobody takes the first": {func(n int) bool { return n == 1 }, func(n *notifier) {
			n.write([]byte("error 1\n"))
			pass(time.Second)
			n.write([]byte("error 2\n"))
			pass(notifyTime)
			synctest.Wait()
		}, []sent{{notifyTime, Event{Lines: []string{"error 1", "error 2"}}}, {2 * notifyTime, Event{End: end}}}},
	} {
		got := notifying(t, "error", c.fails, c.write)
		if d := cmp.Diff(c.want, got, cmp.AllowUnexported(sent{})); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if n, err := newNotifier("(", nil); !fault.Is(err, fault.InvalidArguments) {
		t.Errorf("%+v %v", n, err)
	}
}

// TestEventsTogether: an event that was not sent leaves room for the next one's lines.
func TestEventsTogether(t *testing.T) {
	t.Parallel()
	var e Event
	for i := range notifyLines + 2 {
		e = e.before(Event{Lines: []string{fmt.Sprint(i)}, More: 1})
	}
	if len(e.Lines) != notifyLines || e.More != notifyLines+4 {
		t.Errorf("%+v", e)
	}
}
