package job

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// TestLooking tries conditions on a job whose output comes in pieces.
func TestLooking(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.store.Hold()
	r, err := h.Become(t.Context(), Record{Command: "x"}, func() {})
	if err != nil {
		t.Fatal(err)
	}
	c := until(t, `ready on (\d+)`)
	look := func(of *Record) *Matched {
		t.Helper()
		m, err := c.look(t.Context(), w.store, of)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, part := range []string{"", "starting\nis rea", "dy\nnot ready on it\n\x1b[32mready\x1b[0m on 30"} {
		if h.Write([]byte(part)); look(r) != nil {
			t.Errorf("it holds after %q", part)
		}
	}
	h.Write([]byte("00"))
	if look(r) != nil {
		t.Error("a line counts that may go on")
	}
	want := &Matched{Text: "ready on 3000", Groups: []string{"3000"}, Line: "ready on 3000"}
	if d := cmp.Diff(want, look(r)); d != "" {
		t.Errorf("a line without an end after a while: %s", d)
	}

	c = until(t, "^last (part)")
	h.Write([]byte("\r\nlast part"))
	ended := *r
	ended.State = Ended
	if d := cmp.Diff(&Matched{Text: "last part", Groups: []string{"part"}, Line: "last part"}, look(&ended)); d != "" {
		t.Errorf("the end of the output: %s", d)
	}

	c = until(t, "needle")
	h.Write(bytes.Repeat([]byte("hay "), longestLine))
	if h.Write([]byte("needle\n" + strings.Repeat("hay\n", readAtOnce))); look(r) == nil {
		t.Error("nothing is found in a long output")
	}
	if err := h.End(func(*Record) {}); err != nil {
		t.Fatal(err)
	}
}

func until(t *testing.T, text string) *Condition {
	t.Helper()
	c, err := Until(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestWaitUntil waits for what a job prints, for a job that ends, and for nothing.
func TestWaitUntil(t *testing.T) {
	w := newWorld(t)
	for _, kind := range w.kinds {
		r := w.start(t, kind, "echo a 1; read x < /dev/zero & wait")
		now, m, err := w.store.WaitUntil(t.Context(), r.ID, until(t, `a (\d)`))
		if err != nil || now.State != Running || m == nil || m.Groups[0] != "1" {
			t.Errorf("%s: %+v %+v %v", kind, now, m, err)
		}
		over, cancel := context.WithCancel(t.Context())
		cancel()
		if now, m, err = w.store.WaitUntil(over, r.ID, until(t, "b")); err != nil || now.State != Running || m != nil {
			t.Errorf("%s: %+v %+v %v", kind, now, m, err)
		}
		r = w.start(t, kind, "echo a; exit 3")
		if now, m, err = w.store.WaitUntil(t.Context(), r.ID, until(t, "b")); err != nil || now.ExitCode != 3 || m != nil {
			t.Errorf("%s: %+v %+v %v", kind, now, m, err)
		}
	}
}

func TestConditions(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"port:", "port:0", "port:65536", "port:http", "port:-1", "file:", "(", "[z-a]"} {
		if c, err := Until(text); !fault.Is(err, fault.InvalidArguments) {
			t.Errorf("%q: %+v %v", text, c, err)
		}
	}
	if c := until(t, "port:8080"); !c.Port() || c.File() != "" {
		t.Errorf("%+v", c)
	}
	if c := until(t, "file:a b"); c.Port() || c.File() != "a b" {
		t.Errorf("%+v", c)
	}
}

// FuzzLines compares lines that come in two pieces with strings.Split.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\r\n\nc"), 3)
	f.Fuzz(func(t *testing.T, b []byte, at int) {
		at = min(max(at, 0), len(b))
		var one, two lines
		var whole, pieces []string
		one.add(b, func(line string) bool { whole = append(whole, line); return true })
		for _, part := range [][]byte{b[:at], b[at:]} {
			two.add(part, func(line string) bool { pieces = append(pieces, line); return true })
		}
		if d := cmp.Diff(append(whole, one.rest()), append(pieces, two.rest())); d != "" {
			t.Error(d)
		}
		if n := bytes.Count(b, []byte("\n")); len(b) < longestLine && len(whole) != n {
			t.Errorf("%d lines, want %d", len(whole), n)
		}
	})
}
