package sink

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// Tries limits the tries of a message before it goes to the dead letters: with the
	// delays between, for about five hours.
	Tries = 15
	// firstDelay is the delay after the first try. It doubles with each, up to maxDelay,
	// which is also the longest that a receiver can ask for.
	firstDelay = 2 * time.Second
	maxDelay   = time.Hour
	// ending limits the time of a delivery after the end of its context.
	ending = 10 * time.Second
	// listening limits one wait for a message.
	listening = time.Hour
)

// Pump delivers the messages of a bus to a sink. Several pumps of one name, in several
// processes, share the messages. Those of a conversation are delivered in their order:
// while one waits to be tried again, the later ones wait too.
type Pump struct {
	Bus    *bus.Bus
	Name   string // of the sink; see [Consumer]
	Sink   Sink
	Filter bus.Filter
	// Timeout limits the time of a delivery.
	Timeout time.Duration
	// Workers is the number of concurrent deliveries; 0 is one.
	Workers int
	// Report, if not nil, is called after each try, by several goroutines.
	Report func(Event)
	// Delay returns the wait after a failed try, of which the first is 1; nil doubles it
	// each time, with a random part.
	Delay func(try int) time.Duration
}

// Result is the result of a try to deliver a message.
type Result string

// The results.
const (
	Delivered Result = "delivered"
	Waiting   Result = "waiting"  // it failed, and is tried again
	Buried    Result = "dead"     // it failed for good, and is among the dead letters
	Returned  Result = "returned" // the end came first; somebody else may have it
)

// Event is a try to deliver a message.
type Event struct {
	Sink    string
	Message bus.Message
	Result  Result
	Delay   time.Duration // until it is tried again
	Err     *fault.Error  // nil for Delivered
	Gone    bool          // with Returned: nobody receives messages there any more
}

// Consumer returns the name under which a sink receives messages.
func Consumer(sink string) string { return "sink:" + sink }

// lease returns how long a message is a sink's whose deliveries may take so long. Then
// others get it.
func lease(timeout time.Duration) time.Duration { return timeout + 2*ending }

// Run delivers messages until ctx ends. With once, it ends as soon as there is no
// message that can be delivered now. What is being delivered when ctx ends is given ten
// seconds. The error is one of the store, or of a sink that is [Gone]; the end of ctx
// is none.
func (p *Pump) Run(ctx context.Context, once bool) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	var failed error
	var first sync.Once
	for range max(1, p.Workers) {
		all.Go(func() {
			if err := p.work(ctx, once); err != nil {
				first.Do(func() { failed = err })
				stop(err)
			}
		})
	}
	all.Wait()
	return failed
}

// work delivers one message after the other.
func (p *Pump) work(ctx context.Context, once bool) error {
	for ctx.Err() == nil {
		m, err := p.next(ctx, once)
		if m == nil || err != nil {
			return err
		}
		if err := p.deliver(ctx, *m); err != nil {
			return err
		}
	}
	return nil
}

// next takes a message; nil, if there is none.
func (p *Pump) next(ctx context.Context, once bool) (*bus.Message, error) {
	o := bus.ReceiveOptions{Consumer: Consumer(p.Name), Filter: p.Filter, Max: 1, Lease: lease(p.Timeout), MaxDeliver: Tries}
	if !once {
		o.Wait = listening
	}
	for try := 1; ; try++ {
		all, err := p.Bus.Receive(ctx, o)
		switch {
		case len(all) > 0:
			return &all[0], nil
		case ctx.Err() != nil:
			return nil, nil //nolint:nilerr // the end is none
		case err == nil:
			if once {
				return nil, nil
			}
			try = 0
		case fault.Is(err, fault.Conflict):
			return nil, fault.As(err).WithHint(fault.T("channel and to of the sink %s were changed: give it a new name in messages.sinks", p.Name))
		case once || !fault.As(err).Code.Retryable() || pause(ctx, min(p.delay(try, 0), time.Minute)) != nil:
			return nil, err
		}
	}
}

// deliver delivers one message and settles it.
func (p *Pump) deliver(ctx context.Context, m bus.Message) error {
	lasting, cancel := outlast(ctx, p.Timeout+ending)
	defer cancel()
	err := p.Sink.Deliver(lasting, m)
	e := Event{Sink: p.Name, Message: m, Result: Delivered}
	var end error // of the pump
	if err != nil {
		f := failure(err)
		e.Err = f.Err
		switch {
		case f.Outcome == Gone:
			e.Result, e.Gone, end = Returned, true, f.Err
		case f.Outcome == Never, m.Deliveries >= Tries:
			e.Result = Buried
		case errors.Is(lasting.Err(), context.Canceled):
			e.Result = Returned
		default:
			e.Result, e.Delay = Waiting, p.delay(m.Deliveries, f.After)
		}
	}
	if err := p.settle(ctx, e); err != nil {
		return err
	}
	if p.Report != nil {
		p.Report(e)
	}
	return end
}

// settle reports the result of a delivery to the bus. If the store cannot be reached, it is
// tried for as long as the message is the pump's: otherwise it would be delivered again.
func (p *Pump) settle(ctx context.Context, e Event) error {
	ctx, cancel := outlast(ctx, lease(p.Timeout))
	defer cancel()
	for try := 1; ; try++ {
		var err error
		switch e.Result {
		case Delivered:
			_, err = p.Bus.Ack(ctx, Consumer(p.Name), e.Message.ID)
		case Buried:
			_, err = p.Bus.Bury(ctx, Consumer(p.Name), e.Err.Message.In(fault.English), e.Message.ID)
		case Waiting, Returned:
			_, err = p.Bus.Nak(ctx, Consumer(p.Name), e.Delay, e.Message.ID)
		}
		if err == nil || !fault.As(err).Code.Retryable() || pause(ctx, p.delay(try, 0)) != nil {
			return err
		}
	}
}

// failure returns the failure that err is; any other error may be tried again.
func failure(err error) *Failure {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f
	}
	return again(fault.As(err))
}

// delay returns how long to wait after a try for which the receiver asks to wait.
func (p *Pump) delay(try int, asked time.Duration) time.Duration {
	d := p.Delay
	if d == nil {
		d = backoff
	}
	return min(max(d(try), asked), maxDelay)
}

// backoff returns how long to wait after a try, of which the first is 1. It is random,
// so that those who failed together do not come back together.
func backoff(try int) time.Duration {
	d := min(firstDelay<<min(try-1, 20), maxDelay)
	return d/2 + rand.N(d/2+1)
}

// outlast returns a context that ends when most has passed, or some time after ctx.
func outlast(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	timer := make(chan *time.Timer, 1)
	stop := context.AfterFunc(ctx, func() { timer <- time.AfterFunc(ending, cancel) })
	return longer, func() {
		if !stop() {
			(<-timer).Stop()
		}
		cancel()
	}
}

// pause waits; the error says that ctx ended first.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
