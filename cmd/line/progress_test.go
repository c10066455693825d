package line

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd/out"
)

// recorder keeps each write apart.
type recorder struct {
	mu      sync.Mutex
	written []string
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.written = append(r.written, string(p))
	return len(p), nil
}

// take returns the writes so far, and forgets them.
func (r *recorder) take() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := strings.Join(r.written, "|")
	r.written = nil
	return all
}

// closer is a terminal on which nobody is asked.
type closer struct{ io.ReadWriter }

func (closer) Close() error { return nil }

// The line appears when a call takes long, changes ten times a second at most, and makes
// room for a question; after that it is about the rest of the call.
func TestLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &recorder{}
		l := &statusLine{out: out, name: "probe"}
		s := &sampler{show: l.show, pause: func(time.Duration) time.Duration { return lineEvery }}
		next := func() string {
			synctest.Wait()
			return out.take()
		}
		open := l.aside(func() (io.ReadWriteCloser, error) { return closer{}, nil })
		l.back()
		s.during(func() {
			<-time.After(lineAfter - time.Millisecond)
			s.tell(1, 4, "too early")
			if got := next(); got != "" {
				t.Errorf("early: %q", got)
			}
			<-time.After(2 * time.Millisecond)
			if got := next(); got != "\rprobe 25%  too early\x1b[K" {
				t.Errorf("%q", got)
			}
			for n := range 1000 {
				s.tell(float64(n), 0, "fast")
				<-time.After(time.Millisecond)
			}
			if got := next(); got != "\rprobe  fast\x1b[K|\rprobe 1s  fast\x1b[K" { // what does not change is not drawn anew
				t.Errorf("%q", got)
			}
			terminal, err := open()
			if err != nil {
				t.Fatal(err)
			}
			s.tell(9, 9, "behind a question")
			<-time.After(time.Minute)
			if got := next(); got != erasing {
				t.Errorf("with a question: %q", got)
			}
			if err := terminal.Close(); err != nil {
				t.Fatal(err)
			}
			<-time.After(lineAfter + lineEvery)
			if got := next(); got != "\rprobe 100%  behind a question\x1b[K" {
				t.Errorf("after the question: %q", got)
			}
			if _, err := l.aside(func() (io.ReadWriteCloser, error) { return nil, errors.New("none") })(); err == nil {
				t.Error("a terminal from nowhere")
			}
			<-time.After(2 * time.Second)
		})
		if got := next(); !strings.HasPrefix(got, erasing+"|\rprobe 100%") {
			t.Errorf("without a terminal to ask on: %q", got)
		}
		l.erase()
		l.erase()
		if got := next(); got != erasing {
			t.Errorf("in the end: %q", got)
		}
	})
}

const erasing = lineStart + lineRest

// What a tool says becomes one line without what drives a terminal.
func TestLineText(t *testing.T) {
	l := &statusLine{name: "probe"}
	for want, c := range map[string]struct {
		last    said
		elapsed time.Duration
	}{
		"probe":                                {said{}, 0},
		"probe 1m5s":                           {said{}, 65*time.Second + 900*time.Millisecond},
		"probe 3":                              {said{done: 3}, 0},
		"probe 60%":                            {said{done: 3, total: 5}, 0},
		"probe 100%  more than all":            {said{7, 5, "more than all"}, 0},
		`probe  a\nb\u{1b}[2J\u{9b}1m\u{202e}`: {said{message: "a\nb\x1b[2J\u009b1m\u202e"}, 0},
	} {
		if got := l.text(c.last, c.elapsed); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A stream says how far a call has come while it goes on, at intervals that grow with it,
// and what is new alone.
func TestProgressStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		s := newProgressStream(out.New(&b, io.Discard))
		s.during(func() { s.tell(1, 2, "quick") })
		if b.Len() > 0 {
			t.Errorf("a quick call: %q", b.String())
		}
		s = newProgressStream(out.New(&b, io.Discard))
		s.during(func() {
			<-time.After(time.Second)
			s.tell(1e7, 0, "é\x1b[2J")
			<-time.After(time.Second)
			s.tell(0.5, 2, "")
			<-time.After(time.Second)
		})
		want := `{"t":"progress","done":10000000,"message":"é\u001b[2J"}` + "\n" + `{"t":"progress","done":0.5,"total":2}` + "\n"
		if d := cmp.Diff(want, b.String()); d != "" {
			t.Error(d)
		}
		b.Reset()
		s = newProgressStream(out.New(&b, io.Discard))
		long := strings.Repeat("x", 1000)
		s.during(func() {
			for n := range 36_000 {
				s.tell(float64(n), 0, long)
				<-time.After(100 * time.Millisecond)
			}
		})
		if n := strings.Count(b.String(), "\n"); n < 300 || n > 400 {
			t.Errorf("%d lines in an hour", n)
		}
	})
}

// Nothing more is printed once nobody reads.
func TestProgressStreamBroken(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		w := &closed{}
		s := newProgressStream(out.New(w, io.Discard))
		s.during(func() {
			for n := range 100 {
				s.tell(float64(n), 0, "on")
				<-time.After(time.Second)
			}
		})
		if w.tried != 1 {
			t.Errorf("tried %d times", w.tried)
		}
	})
}

type closed struct{ tried int }

func (c *closed) Write([]byte) (int, error) {
	c.tried++
	return 0, io.ErrClosedPipe
}
