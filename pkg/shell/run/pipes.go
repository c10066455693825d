package run

import (
	"cmp"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

const (
	// pipeSize is the size of a pipe for output, and readSize how much is read from
	// it at once, in bytes.
	pipeSize = 1 << 20
	readSize = 64 << 10
	// headSize and tailSize are the bytes kept by default of the beginning and of the
	// end of an output.
	headSize = 8 << 10
	tailSize = 24 << 10
)

// pipes carry the input and the output of a command.
type pipes struct {
	stdin, stdout, stderr *os.File // the command's ends
	feed                  *os.File // our end of its input, nil if that is empty
	streams               []*stream
	out, err              *capture
	spill                 *spill
	done                  chan struct{} // closed when all output is read
	last                  atomic.Int64  // when the last output came, Unix time in nanoseconds
	c                     Command
}

// stream is a pipe of output and the capture that it is read into.
type stream struct {
	from *os.File
	to   *capture
}

func openPipes(c Command) (p *pipes, err error) {
	p = &pipes{c: c, done: make(chan struct{})}
	defer func() {
		if err != nil {
			p.started()
			p.abandon()
			err = fault.System(err, "pipe")
		}
	}()
	if c.Stdin == nil {
		if p.stdin, err = sandbox.OpenNull(); err != nil {
			return nil, err
		}
	} else if p.stdin, p.feed, err = os.Pipe(); err != nil {
		return nil, err
	}
	head, tail := cmp.Or(c.Head, headSize), cmp.Or(c.Tail, tailSize)
	p.spill = &spill{make: c.Spill}
	p.out = newCapture(head, tail, p.spill)
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	widen(write)
	p.stdout = write
	p.streams = append(p.streams, &stream{read, p.out})
	if !c.Split {
		p.stderr = write
		return p, nil
	}
	if read, write, err = os.Pipe(); err != nil {
		return nil, err
	}
	widen(write)
	p.stderr = write
	p.err = newCapture(head, tail, p.spill)
	p.streams = append(p.streams, &stream{read, p.err})
	return p, nil
}

// started closes the command's ends, now that the command has them, and starts to
// read and to feed.
func (p *pipes) started() {
	for _, f := range []*os.File{p.stdin, p.stdout, p.stderr} {
		if f != nil {
			f.Close() // without Split, the second is closed already
		}
	}
	p.last.Store(time.Now().UnixNano())
	if p.feed != nil {
		go func() {
			_, _ = io.Copy(p.feed, p.c.Stdin) // fails when the command does not read all of it
			p.feed.Close()
		}()
	}
	var all sync.WaitGroup
	var turn sync.Mutex // for the caller's Stream and the spill
	for _, s := range p.streams {
		all.Go(func() { p.read(s, &turn) })
	}
	go func() {
		all.Wait()
		close(p.done)
	}()
}

func (p *pipes) read(s *stream, turn *sync.Mutex) {
	buf := make([]byte, readSize)
	for {
		n, err := s.from.Read(buf)
		if n > 0 {
			p.last.Store(time.Now().UnixNano())
			turn.Lock()
			s.to.write(buf[:n])
			if p.c.Stream != nil {
				p.c.Stream(Chunk{Stderr: s.to == p.err, Data: buf[:n]})
			}
			turn.Unlock()
		}
		if err != nil {
			if p.c.Closed != nil {
				p.c.Closed(s.to == p.err)
			}
			return
		}
	}
}

func (p *pipes) lastOutput() time.Time { return time.Unix(0, p.last.Load()) }

// drain waits for the end of the output, at most for that long.
func (p *pipes) drain(most time.Duration) {
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-p.done:
	case <-t.C:
	}
}

// close ends the reading, even if another process still holds the other ends.
func (p *pipes) close() {
	p.abandon()
	<-p.done
}

// abandon closes this process's ends.
func (p *pipes) abandon() {
	for _, s := range p.streams {
		s.from.Close()
	}
	if p.feed != nil {
		p.feed.Close()
	}
}

func (p *pipes) result(r *Result) {
	r.Output = p.out.output(p.c.Raw)
	if p.err != nil {
		r.Stderr = p.err.output(p.c.Raw)
	}
	r.SpillErr = errors.Join(p.spill.err, p.spill.close())
}
