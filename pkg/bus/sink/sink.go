// Package sink delivers messages of the bus to where a person or a host wants them: to
// a stream, a file, a program or a web address. It does not choose which messages:
// a consumer of the bus does.
//
// A message is delivered at least once. It is delivered again if helve dies between a
// delivery and the note about it, or if a receiver's answer is lost. It then has the
// same id, by which a receiver tells that it has it already:
//
//   - [Lines]: the field id of the line; nobody looks for it
//   - [File]: the field id; a message that the end of the file has is not written again
//   - [Command]: the field id on standard input, and HELVE_MESSAGE_ID
//   - [Webhook]: the header webhook-id, besides the field
package sink

import (
	"bytes"
	"context"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Sink delivers messages. Its methods may be called from several goroutines and
// processes.
type Sink interface {
	// Deliver delivers one message. It returns nil once the receiver has it, and a
	// [*Failure] otherwise. It ends when ctx does.
	Deliver(ctx context.Context, m bus.Message) error
}

// Outcome decides about a message that was not delivered.
type Outcome int

// The outcomes of a failed delivery.
const (
	Again Outcome = iota // try again later
	Never                // no later try will do better
	Gone                 // nobody receives messages here any more
)

// Failure is the error of a message that was not delivered.
type Failure struct {
	Outcome Outcome
	After   time.Duration // that the receiver asks to wait; 0 leaves it to the caller
	Err     *fault.Error
}

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

func again(e *fault.Error) *Failure { return &Failure{Outcome: Again, Err: e} }
func never(e *fault.Error) *Failure { return &Failure{Outcome: Never, Err: e} }

// encode returns a message as all sinks deliver it: one line of JSON, without its end.
// It is the same at every try.
func encode(m bus.Message) ([]byte, error) {
	m.Deliveries = 0
	text, err := schema.Marshal(m)
	if err != nil {
		return nil, never(fault.As(err))
	}
	return bytes.TrimSuffix(text, []byte("\n")), nil
}
