package approval

import (
	"context"
	"os"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
)

// Caller is the program that runs helve and answers its requests on a descriptor.
// The descriptor stays open while helve runs, so that a process that makes many
// calls can ask about each. Requests are asked one after another.
type Caller struct {
	once sync.Once
	turn chan *os.File // who holds it may ask; nil in it: nobody answers any more
	fd   int
}

// Listen takes over the descriptor, the first time.
func (c *Caller) Listen(fd int) *Caller {
	c.once.Do(func() {
		c.fd = fd
		c.turn = make(chan *os.File, 1)
		c.turn <- os.NewFile(uintptr(fd), "approval-fd")
	})
	return c
}

// Ask asks the program. After an answer that did not come or was not understood, what
// comes next could be the answer to another question: nobody is asked any more, and
// requests wait for a decision made elsewhere.
func (c *Caller) Ask(ctx context.Context, r *Request) (Answer, error) {
	var f *os.File
	select {
	case f = <-c.turn:
	case <-ctx.Done():
		return Answer{}, context.Cause(ctx)
	}
	if f == nil {
		c.turn <- nil
		return Answer{}, nil
	}
	if _, err := f.Stat(); err != nil {
		c.turn <- nil
		return Answer{}, fault.New(fault.Usage, fault.T("--approval-fd %d is not open", c.fd)).
			WithHint(fault.T("give the number of a descriptor that the process inherits"))
	}
	answer, err := AskFD(ctx, f, r)
	if err != nil || !answer.Decided {
		c.turn <- nil
		return answer, err
	}
	c.turn <- f
	return answer, nil
}
