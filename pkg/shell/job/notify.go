package job

import (
	"context"
	"regexp"
	"sync"
	"time"
)

// A job that somebody is notified of causes one [Event] in notifyTime at most, with
// notifyLines lines of at most notifyBytes bytes.
const (
	notifyTime  = 5 * time.Second
	notifyLines = 20
	notifyBytes = 500
)

// Event is news of a job.
type Event struct {
	Lines []string // of its output, which match
	More  int      // number of further ones
	End   *Record  // once it has ended
}

// Notify sends news of a job to whoever started it.
type Notify func(ctx context.Context, spec *Spec, e Event) error

// notifier gathers the events of a job. Its methods may be called from two goroutines.
type notifier struct {
	pattern *regexp.Regexp
	send    func(Event) error

	mu    sync.Mutex
	lines lines
	event Event

	news chan struct{} // has an element when lines have come
	ends chan struct{} // closed when the job has ended
	gone chan struct{} // closed when nothing is sent any more
}

// newNotifier starts a notifier of the lines that match a regular expression.
func newNotifier(pattern string, send func(Event) error) (*notifier, error) {
	p, err := Pattern("/notify", pattern)
	if err != nil {
		return nil, err
	}
	n := &notifier{pattern: p, send: send, news: make(chan struct{}, 1), ends: make(chan struct{}), gone: make(chan struct{})}
	go n.run()
	return n, nil
}

// write takes output of the job.
func (n *notifier) write(b []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines.add(b, func(line string) bool {
		n.add(line)
		return true
	})
}

// add tries the expression on a line. n.mu is held.
func (n *notifier) add(line string) {
	if line == "" || !n.pattern.MatchString(line) {
		return
	}
	if len(n.event.Lines) < notifyLines {
		n.event.Lines = append(n.event.Lines, limitText(line, notifyBytes))
	} else {
		n.event.More++
	}
	select {
	case n.news <- struct{}{}:
	default: // run knows already
	}
}

// run sends events until the job has ended.
func (n *notifier) run() {
	defer close(n.gone)
	for {
		select {
		case <-n.ends:
			return
		case <-n.news:
		}
		if n.ended() {
			return // which says the rest
		}
		_ = n.flush(nil) // the next one has it, too
		<-time.After(notifyTime)
	}
}

// ended reports whether the job has ended.
func (n *notifier) ended() bool {
	select {
	case <-n.ends:
		return true
	default:
		return false
	}
}

// flush sends what has come together. What cannot be sent is in the next event.
func (n *notifier) flush(end *Record) error {
	n.mu.Lock()
	e := n.event
	n.event = Event{}
	n.mu.Unlock()
	e.End = end
	err := n.send(e)
	if err != nil {
		n.mu.Lock()
		n.event = e.before(n.event)
		n.mu.Unlock()
	}
	return err
}

// before returns an event with another one after it.
func (e Event) before(next Event) Event {
	all := append(e.Lines, next.Lines...)
	kept := all[:min(len(all), notifyLines)]
	return Event{Lines: kept, More: e.More + next.More + len(all) - len(kept), End: next.End}
}

// end sends the last event, which says that the job has ended. It waits until that is due.
func (n *notifier) end(r *Record) error {
	close(n.ends)
	<-n.gone
	n.mu.Lock()
	n.add(n.lines.rest())
	n.mu.Unlock()
	return n.flush(r)
}
