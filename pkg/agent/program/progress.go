package program

import (
	"bytes"
	"sync"

	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/shell/run"
)

const (
	// progressBytes limits the bytes of output that become events, and eventBytes those of
	// one event. A line longer than lineBytes is split.
	progressBytes = 1 << 20
	eventBytes    = 32 << 10
	lineBytes     = 8 << 10
)

// lost is the error of an event that could not be recorded.
type lost struct{ error }

func (l lost) Unwrap() error { return l.error }

// progress makes events of what a program prints, by lines. Recording may be slow: what
// is printed meanwhile becomes the next event.
type progress struct {
	record func(loop.Event) error
	end    func(error) // ends the program, as nothing that it does may be lost

	mu      sync.Mutex
	partial [2][]byte // lines of each stream that have not ended
	whole   []byte    // lines that are yet to be recorded
	left    int       // bytes that may still become events
	more    bool      // there was more than that
	closed  bool
	wake    chan struct{}
	done    chan error
}

func newProgress(record func(loop.Event) error, end func(error)) *progress {
	p := &progress{record: record, end: end, left: progressBytes, wake: make(chan struct{}, 1), done: make(chan error, 1)}
	go p.work()
	return p
}

// add takes what was printed to one of the streams. It keeps no data.
func (p *progress) add(stderr bool, data []byte) {
	i := 0
	if stderr {
		i = 1
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.left <= 0 {
		p.more = true
		return
	}
	p.partial[i] = append(p.partial[i], data...)
	n := bytes.LastIndexByte(p.partial[i], '\n') + 1
	if n == 0 && len(p.partial[i]) > lineBytes {
		n = len(p.partial[i])
	}
	if n > 0 {
		p.take(p.partial[i][:n])
		p.partial[i] = append(p.partial[i][:0], p.partial[i][n:]...)
		select {
		case p.wake <- struct{}{}:
		default: // it will find these lines, too
		}
	}
}

// take puts lines with those that are yet to be recorded, as long as there is room.
func (p *progress) take(lines []byte) {
	if len(lines) > p.left {
		lines, p.more = lines[:max(p.left, 0)], true
	}
	p.left -= len(lines)
	p.whole = append(p.whole, lines...)
}

// work records until wake is closed.
func (p *progress) work() {
	var failed error
	for range p.wake {
		p.mu.Lock()
		lines := p.whole
		p.whole = nil
		p.mu.Unlock()
		if failed == nil {
			if failed = p.flush(lines); failed != nil {
				p.end(lost{failed})
			}
		}
	}
	p.done <- failed
}

// flush records lines, as many as fit in an event at a time.
func (p *progress) flush(lines []byte) error {
	for len(lines) > 0 {
		n := min(len(lines), eventBytes)
		if i := bytes.LastIndexByte(lines[:n], '\n'); i >= 0 {
			n = i + 1
		}
		if err := p.record(loop.Event{Kind: loop.Printed, Text: run.Text(lines[:n], false)}); err != nil {
			return err
		}
		lines = lines[n:]
	}
	return nil
}

// close records the rest, and omitted if it is not all. What is added later is not recorded.
func (p *progress) close(omitted string) error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	close(p.wake)
	failed := <-p.done
	if failed == nil {
		for _, line := range p.partial {
			p.take(line)
		}
		failed = p.flush(p.whole)
	}
	if failed == nil && p.more {
		failed = p.record(loop.Event{Kind: loop.Printed, Text: omitted})
	}
	if failed != nil {
		return lost{failed}
	}
	return nil
}
