package host

import (
	"context"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
)

// terminal is one where the person says yes.
type terminal struct {
	io.Reader
	open, asked *atomic.Int64
}

func (t *terminal) Write(p []byte) (int, error) { t.asked.Add(1); return len(p), nil }

func (t *terminal) Close() error { t.open.Add(-1); return nil }

// Calls that run in parallel ask the person one after another, and one that is over by
// then does not ask any more.
func TestOneQuestionAtATime(t *testing.T) {
	var open, asked atomic.Int64
	var twice atomic.Bool
	h := New(Options{Terminal: func() (io.ReadWriteCloser, error) {
		if open.Add(1) > 1 {
			twice.Store(true)
		}
		return &terminal{strings.NewReader("y\n"), &open, &asked}, nil
	}})
	ask := h.asker()
	if ask == nil {
		t.Skip("a process that helve started asks nobody")
	}
	var calls sync.WaitGroup
	for range 20 {
		calls.Go(func() {
			if a, err := ask(t.Context(), &approval.Request{ID: "a"}); err != nil || !a.Allow {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
	calls.Wait()
	if twice.Load() || asked.Load() < 20 {
		t.Errorf("two questions at once: %v; asked %d times", twice.Load(), asked.Load())
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	before := asked.Load()
	if _, err := ask(over, &approval.Request{ID: "a"}); !fault.Is(fault.As(err), fault.Canceled) || asked.Load() != before {
		t.Errorf("%v, asked %d times", err, asked.Load()-before)
	}
}
