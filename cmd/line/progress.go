package line

import (
	"cmp"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/process"
)

// said is the progress of a call, as its tool reports it; see [tool.Env.Progress].
type said struct {
	done, total float64
	message     string
}

// sampler shows now and then what a call says of its progress. It does so in a goroutine
// of its own, so that no tool waits for a terminal or for a program that does not read.
type sampler struct {
	show  func(last said, fresh bool)                    // fresh says that last was not shown before
	pause func(elapsed time.Duration) (to time.Duration) // before what is said is shown next

	mu    sync.Mutex
	last  said
	fresh bool
}

// tell takes what a tool says.
func (s *sampler) tell(done, total float64, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, s.fresh = said{done, total, message}, true
}

// during carries out a call, and shows nothing after it.
func (s *sampler) during(call func()) {
	over := make(chan struct{})
	var showing sync.WaitGroup
	showing.Go(func() { s.run(over) })
	defer showing.Wait()
	defer close(over)
	call()
}

func (s *sampler) run(over <-chan struct{}) {
	begun := time.Now()
	t := time.NewTimer(s.pause(0))
	defer t.Stop()
	for {
		select {
		case <-over:
			return
		case <-t.C:
		}
		s.mu.Lock()
		last, fresh := s.last, s.fresh
		s.fresh = false
		s.mu.Unlock()
		s.show(last, fresh)
		t.Reset(s.pause(time.Since(begun)))
	}
}

const (
	// lineAfter is the time after which a call shows its progress.
	lineAfter = 500 * time.Millisecond
	// lineEvery is the least time between two changes of the line.
	lineEvery = 100 * time.Millisecond
)

// The sequences that begin a line anew, and erase what follows the cursor in it (ECMA-48,
// 8.3.41).
const (
	lineStart = "\r"
	lineRest  = "\x1b[K"
)

// statusLine is the line of a terminal that says what a call is at, while that takes long.
type statusLine struct {
	out  io.Writer
	name string // of the tool

	mu    sync.Mutex
	begun time.Time // of the call or, after a question, of the rest of it
	asked bool      // there is a question on the terminal
	drawn string
}

// show draws the line, if it is time for it and nothing else has the terminal.
func (l *statusLine) show(last said, _ bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	elapsed := time.Since(l.begun)
	if l.asked || elapsed < lineAfter || !process.Foreground(l.out) {
		return
	}
	room := cmp.Or(process.Columns(l.out), host.Columns(), out.DefaultColumns) - 1 // many terminals begin a row once the last column is full
	text := out.Clip(l.text(last, elapsed), max(1, room))
	if text != l.drawn {
		l.drawn = text
		l.write(lineStart + text + lineRest)
	}
}

// text returns what the line says, without what could drive the terminal.
func (l *statusLine) text(last said, elapsed time.Duration) string {
	text := l.name
	if elapsed >= time.Second {
		text += " " + out.Lasted(elapsed.Truncate(time.Second))
	}
	switch {
	case last.total > 0:
		text += fmt.Sprintf(" %.0f%%", min(100, 100*last.done/last.total))
	case last.message == "" && last.done > 0:
		text += fmt.Sprintf(" %g", last.done)
	}
	if last.message != "" {
		text += "  " + last.message
	}
	return out.OneLine(text)
}

// erase leaves the terminal as it was.
func (l *statusLine) erase() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wipe()
}

// wipe is erase with l.mu held.
func (l *statusLine) wipe() {
	if l.drawn != "" && process.Foreground(l.out) {
		l.write(lineStart + lineRest)
	}
	l.drawn = ""
}

func (l *statusLine) write(text string) { _, _ = io.WriteString(l.out, text) } // a person may close the terminal

// aside returns open so that the line is gone while what it opens is.
func (l *statusLine) aside(open func() (io.ReadWriteCloser, error)) func() (io.ReadWriteCloser, error) {
	if open == nil {
		return nil
	}
	return func() (io.ReadWriteCloser, error) {
		l.mu.Lock()
		l.wipe()
		l.asked = true
		l.mu.Unlock()
		terminal, err := open()
		if err != nil {
			l.back()
			return nil, err
		}
		return asking{terminal, l}, nil
	}
}

// back lets the line appear again, for what takes long from now on.
func (l *statusLine) back() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked, l.begun = false, time.Now()
}

// asking is a terminal while a question is on it.
type asking struct {
	io.ReadWriteCloser
	line *statusLine
}

func (a asking) Close() error {
	defer a.line.back()
	return a.ReadWriteCloser.Close()
}

// ShowProgress has the call of a tool that h is made ready for say how far it has come: in
// lines of JSON if it streams, which for a command are its output; else on the terminal, if
// a person is there. The func that it returns carries the call out. It must be called before
// h composes what the call gets.
func ShowProgress(p *out.Printer, h *host.Host, name string, streams, command bool) (during func(call func())) {
	switch {
	case streams && command:
		h.Stream = (&stream{out: p}).write
	case streams:
		s := newProgressStream(p)
		h.Progress = s.tell
		return s.during
	case !p.Verbose && host.Redraws() && process.IsTerminal(p.Stderr): // what is logged there is not drawn over
		l := &statusLine{out: p.Stderr, name: out.OneLine(name)}
		s := &sampler{show: l.show, pause: func(time.Duration) time.Duration { return lineEvery }}
		h.Terminal, h.Progress = l.aside(h.Terminal), s.tell
		return func(call func()) {
			l.back()
			defer l.erase()
			s.during(call)
		}
	}
	return func(call func()) { call() }
}
