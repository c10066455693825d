package sink

import (
	"context"
	"io"
	"sync"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
)

// Lines writes messages to a stream, such as standard output, a line of JSON each.
type Lines struct {
	mu  sync.Mutex
	out io.Writer
}

// NewLines returns the sink that writes to out.
func NewLines(out io.Writer) *Lines { return &Lines{out: out} }

// Deliver writes one line. When the stream cannot be written to any more, the outcome
// is [Gone].
func (l *Lines) Deliver(ctx context.Context, m bus.Message) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	line, err := encode(m)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.out.Write(append(line, '\n')); err != nil {
		return &Failure{Outcome: Gone, Err: fault.New(fault.IOError, fault.T("nobody reads the messages: %v", err)).
			WithHint(fault.T("they are kept; run helve messages deliver again"))}
	}
	return nil
}
