package cmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/dialect"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
)

// batch runs a provider's tool calls.
type batch struct {
	world    func() (*tool.Env, *tools.Catalog, error) // as the policy of the moment makes it
	out      *Printer
	pictures tool.PictureFit // that messages may have beside the text
	json     bool            // messages contain the JSON envelope instead of text
	failures atomic.Int64
}

// session answers line by line until standard input ends, so that a host pays for
// one start only.
func (b *batch) session(ctx context.Context, in io.Reader) error {
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
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, 2*schema.MaxBytes)
		for scanner.Scan() {
			select {
			case lines <- bytes.Clone(scanner.Bytes()):
			case <-ctx.Done():
				return
			}
		}
		err := scanner.Err()
		switch {
		case errors.Is(err, bufio.ErrTooLong):
			err = fault.New(fault.TooLarge, fault.T("a line is longer than %d bytes", "单行超过 %d 字节", 2*schema.MaxBytes)).
				WithHint(fault.T("write a large file in parts, with mode=append", "请用 mode=append 分段写入大文件"))
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
		b.out.Document(envelopeOf(guard.Outcome{Err: fault.As(err)}, b.out.Lang))
		return
	}
	b.out.Document(messages)
}

// parallel is how many reading calls run at once.
const parallel = 8

// messages runs the calls of one document, all under the policy that is in force
// when it begins, and returns the messages with their results. Consecutive calls that only read run in parallel; a call that writes
// runs alone, after those before it.
func (b *batch) messages(ctx context.Context, input []byte) (any, error) {
	calls, err := dialect.Parse(input)
	if err != nil {
		return nil, err
	}
	answers := make([]dialect.Answer, len(calls))
	env, catalog, err := b.world()
	if err != nil { // nobody can tell what is allowed: no call runs
		for i, c := range calls {
			answers[i] = b.answer(c, nil, guard.Outcome{Err: fault.As(err)})
		}
		return dialect.Results(answers), nil
	}
	if b.pictures != (tool.PictureFit{}) {
		seeing := *env // others may use it
		seeing.Pictures = b.pictures
		env = &seeing
	}
	var readers sync.WaitGroup
	slots := make(chan struct{}, parallel)
	for i, c := range calls {
		t, err := catalog.Find(c.Name)
		if err == nil && t.Risk == policy.Read {
			slots <- struct{}{}
			readers.Go(func() {
				defer func() { <-slots }()
				answers[i] = b.call(ctx, env, c, t)
			})
			continue
		}
		readers.Wait()
		if err != nil {
			answers[i] = b.answer(c, nil, guard.Outcome{Err: fault.As(err)})
		} else {
			answers[i] = b.call(ctx, env, c, t)
		}
	}
	readers.Wait()
	return dialect.Results(answers), nil
}

// call runs one call.
func (b *batch) call(ctx context.Context, env *tool.Env, c dialect.Call, t *tool.Tool) dialect.Answer {
	return b.answer(c, t, guard.Run(ctx, env, t, c.Arguments))
}

// answer returns the outcome of a call as the content of a message.
func (b *batch) answer(c dialect.Call, t *tool.Tool, o guard.Outcome) dialect.Answer {
	if o.Err != nil {
		b.failures.Add(1)
	}
	var pictures []tool.Picture
	if p, ok := o.Result.(tool.Pictured); ok && o.Err == nil {
		pictures = p.Pictures()
	}
	if !b.json {
		return dialect.Answer{ID: c.ID, Content: textOf(t, o, b.out.Lang, false), Pictures: pictures}
	}
	content, err := schema.Marshal(envelopeOf(o, b.out.Lang))
	if err != nil {
		return dialect.Answer{ID: c.ID, Content: fault.As(err).Message.In(b.out.Lang)}
	}
	return dialect.Answer{ID: c.ID, Content: string(content), Pictures: pictures}
}
