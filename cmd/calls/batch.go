package calls

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/turn"
	"github.com/helve-dev/helve/pkg/turn/dialect"
	"github.com/helve-dev/helve/pkg/turn/envelope"
)

// batch runs a provider's tool calls.
type batch struct {
	turn.Engine
	out      *out.Printer
	dialect  *dialect.Dialect // of the calls; nil finds out
	lined    bool             // each document is a line of JSON, so that a text is a string
	failures int
}

// session answers line by line until standard input ends, so that a host pays for
// one start only.
func (b *batch) session(ctx context.Context, in io.Reader) error {
	b.lined = true
	b.out.Format = "json"
	b.out.Lines()
	lines, ended := scan(ctx, in)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case line, more := <-lines:
			if !more {
				return <-ended
			}
			b.line(ctx, line)
		}
	}
}

// scan reads lines in a goroutine, so that an interruption need not wait for the
// next line.
func scan(ctx context.Context, in io.Reader) (lines chan []byte, ended chan error) {
	lines, ended = make(chan []byte), make(chan error, 1)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(line.UTF8(in))
		scanner.Buffer(nil, 2*schema.MaxBytes)
		for scanner.Scan() {
			select {
			case lines <- bytes.Clone(scanner.Bytes()):
			case <-ctx.Done():
				ended <- ctx.Err()
				return
			}
		}
		err := scanner.Err()
		switch {
		case errors.Is(err, bufio.ErrTooLong):
			err = fault.New(fault.TooLarge, fault.T("a line is longer than %d bytes", 2*schema.MaxBytes)).
				WithHint(fault.T("write a large file in parts, with mode=append"))
		case err != nil:
			err = fault.System(err, "standard input")
		}
		ended <- err
	}()
	return lines, ended
}

// line runs the calls of one line and prints their messages as one line.
func (b *batch) line(ctx context.Context, line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	messages, err := b.messages(ctx, line)
	if err != nil {
		b.out.Document(envelope.Of(guard.Outcome{Err: fault.As(err)}, b.out.Lang))
		return
	}
	b.out.Document(messages)
}

// messages runs the calls of one document and returns the messages with their results.
func (b *batch) messages(ctx context.Context, input []byte) (any, error) {
	if b.lined && (b.dialect == nil || b.dialect.OfText()) { // lines of a text would be read one by one
		if err := schema.Check(input); err != nil {
			return nil, err
		}
	}
	reply, failed, err := b.Answer(ctx, b.dialect, input)
	b.failures += failed
	return reply, err
}
