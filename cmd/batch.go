package cmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
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
	dialect  *dialect.Dialect // of the calls; nil finds out
	images   *bool            // show the model images; nil where results hold them
	lined    bool             // each document is a line of JSON, so that a text is a string
	json     bool             // messages contain the JSON envelope instead of text
	pass     []string         // tools whose calls the host answers, and all that are not offered; nil leaves it none
	failures atomic.Int64
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
		scanner := bufio.NewScanner(in)
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
// when it begins, and returns the messages with their results. Consecutive calls that
// only read run in parallel; a call that writes runs alone, after those before it.
func (b *batch) messages(ctx context.Context, input []byte) (any, error) {
	if b.lined && (b.dialect == nil || b.dialect.OfText()) { // lines of a text would be read one by one
		if err := schema.Check(input); err != nil {
			return nil, err
		}
	}
	env, catalog, refused := b.world()
	if refused != nil && b.dialect.OfText() { // which texts are calls, only the tools tell
		return nil, refused
	}
	var known dialect.Known
	if refused == nil {
		known = knownTo(catalog)
	}
	turn, err := dialect.Read(b.dialect, input, known)
	if err != nil {
		return nil, err
	}
	answers := make([]dialect.Answer, len(turn.Calls))
	if err := refused; err != nil { // nobody can tell what is allowed: no call runs
		for i, c := range turn.Calls {
			answers[i] = b.answer(turn.Dialect, c, nil, guard.Outcome{Err: fault.As(err)})
		}
		return b.reply(turn, answers, nil), nil
	}
	if turn.Origin != (tool.Origin{}) {
		env = env.From(turn.Origin)
	}
	if b.shows(turn.Dialect) {
		seeing := *env // others may use it
		seeing.Pictures = turn.Dialect.Pictures
		env = &seeing
	}
	var readers sync.WaitGroup
	var passed []int
	slots := make(chan struct{}, parallel)
	for i, c := range turn.Calls {
		t, err := choose(catalog, c)
		if c.Err != nil {
			answers[i] = b.answer(turn.Dialect, c, nil, guard.Outcome{Err: c.Err, Warnings: c.Repairs})
			continue
		}
		switch {
		case b.passes(c, err):
			passed = append(passed, i)
		case err == nil && t.Risk == policy.Read:
			slots <- struct{}{}
			readers.Go(func() {
				defer func() { <-slots }()
				answers[i] = b.call(ctx, turn.Dialect, env, c, t)
			})
		case err == nil:
			readers.Wait()
			answers[i] = b.call(ctx, turn.Dialect, env, c, t)
		default:
			answers[i] = b.answer(turn.Dialect, c, nil, guard.Outcome{Err: fault.As(err)})
		}
	}
	readers.Wait()
	return b.reply(turn, answers, passed), nil
}

// choose returns the tool of a call. A panic over what the model wrote, or over a
// manifest, is an error of this call alone.
func choose(catalog *tools.Catalog, c dialect.Call) (t *tool.Tool, err error) {
	defer func() {
		if v := recover(); v != nil {
			t, err = nil, guard.Crashed(v)
		}
	}()
	return catalog.For(c.Name, c.Arguments)
}

// passes reports whether the host answers a call, of whose tool err is what the
// catalogue says. A call without a name is damaged, and nobody's.
func (b *batch) passes(c dialect.Call, err error) bool {
	if b.pass == nil || c.Name == "" {
		return false
	}
	return slices.Contains(b.pass, c.Name) || fault.Is(err, fault.UnknownTool) || fault.Is(err, fault.NotRegistered)
}

// shows reports whether a model of the dialect is shown images: where results hold
// them it is, unless the caller forbids it.
func (b *batch) shows(d *dialect.Dialect) bool {
	if b.images != nil {
		return *b.images
	}
	return d.Inline
}

// reply returns the document with the answers to all calls but those that are passed on.
func (b *batch) reply(turn *dialect.Turn, answers []dialect.Answer, passed []int) any {
	if b.pass == nil {
		return turn.Reply(answers)
	}
	var own []dialect.Answer
	for i, a := range answers {
		if _, ok := slices.BinarySearch(passed, i); !ok {
			own = append(own, a)
		}
	}
	return turn.Share(own, passed)
}

// call runs one call. A panic beyond the guard, such as that of a rendering, is an
// answer, too.
func (b *batch) call(ctx context.Context, d *dialect.Dialect, env *tool.Env, c dialect.Call, t *tool.Tool) (a dialect.Answer) {
	defer func() {
		if v := recover(); v != nil {
			a = b.answer(d, c, nil, guard.Outcome{Err: guard.Crashed(v)})
		}
	}()
	o := guard.Run(ctx, env, t, c.Arguments)
	o.Warnings = slices.Concat(c.Repairs, o.Warnings)
	return b.answer(d, c, t, o)
}

// answer returns the outcome of a call as the content of a message.
func (b *batch) answer(d *dialect.Dialect, c dialect.Call, t *tool.Tool, o guard.Outcome) dialect.Answer {
	a := dialect.Answer{Call: c, Data: o.JSON}
	if long, ok := o.Result.(schema.Streamer); ok && d.Structured {
		var err error
		if a.Data, err = schema.Marshal(long); err != nil {
			o = guard.Outcome{Err: fault.As(err), Warnings: o.Warnings}
		}
	}
	if o.Err != nil {
		b.failures.Add(1)
		a.Failure = failureOf(o.Err, b.out.Lang)
	} else if p, ok := o.Result.(tool.Pictured); ok {
		a.Pictures = p.Pictures()
	}
	if !b.json {
		a.Content = textOf(t, o, b.out.Lang, false)
		return a
	}
	content, err := schema.Marshal(envelopeOf(o, b.out.Lang))
	if err != nil {
		return b.answer(d, c, nil, guard.Outcome{Err: fault.As(err)})
	}
	a.Content = string(content)
	return a
}
