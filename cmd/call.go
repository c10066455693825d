package cmd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/limit"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/dialect"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
)

// callCommand is "helve call": a provider's tool calls in, its messages out.
func (a *app) callCommand() *cobra.Command {
	b := &batch{app: a}
	var content, name string
	c := &cobra.Command{
		Use: "call [JSON]", Short: "Answer the tool calls that a provider returned", Args: cobra.MaximumNArgs(1),
		Long: "Read tool calls (OpenAI Chat: one, an array, the assistant's message or the whole completion), run them, and print " +
			"the messages to append to the conversation: one a call, in the order of the calls, whatever became of it.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if content != "text" && content != "json" {
				return fault.New(fault.Usage, fault.T("--content %s: want text or json", "--content %s：应为 text 或 json", content)).
					WithHint(fault.T("text is what a model reads best", "text 最适合模型阅读"))
			}
			if name != "auto" && name != string(dialect.OpenAI) {
				return fault.New(fault.Usage, fault.T("unknown dialect %q", "未知方言 %q", name)).
					WithHint(fault.T("the dialects are: auto, openai", "可用方言：auto、openai"))
			}
			b.json = content == "json"
			var err error
			if b.env, b.tools, err = a.Env(); err != nil {
				return err
			}
			b.env.Mend = true
			err = b.run(cmd.Context(), args)
			if b.fail && b.failures.Load() > 0 {
				a.status = 1
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&name, "dialect", "auto", "format of the calls: auto or openai")
	f.StringVar(&content, "content", "text", "what the answers hold: text, as a model reads it, or the json envelope")
	f.BoolVar(&b.fail, "fail", false, "exit with 1 when any call failed")
	f.BoolVar(&b.session, "ndjson", false, "stay: answer each line of standard input with one line")
	return c
}

// batch answers calls.
type batch struct {
	app           *app
	env           *tool.Env
	tools         *tools.Catalog
	json          bool
	fail, session bool
	failures      atomic.Int64
}

func (b *batch) run(ctx context.Context, args []string) error {
	if b.session && len(args) == 0 {
		return b.lines(ctx)
	}
	var input []byte
	var err error
	if len(args) == 1 && args[0] != "-" {
		input = []byte(args[0])
	} else if input, err = b.app.stdin(ctx); err != nil {
		return err
	}
	if lines := documents(input); len(lines) > 1 {
		b.app.flags.output = "json"
		for _, line := range lines {
			b.line(ctx, line)
		}
		return nil
	}
	messages, err := b.answers(ctx, input)
	if err != nil {
		return err
	}
	b.app.document(messages)
	return nil
}

// documents are the lines of input that is one JSON text a line; nil for other
// input.
func documents(input []byte) [][]byte {
	var all [][]byte
	for line := range bytes.Lines(input) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if schema.Check(line) != nil {
			return nil
		}
		all = append(all, line)
	}
	return all
}

// lines answers line by line until standard input ends, so that a host pays
// for one start only.
func (b *batch) lines(ctx context.Context) error {
	b.app.flags.output = "json" // one line each
	b.app.answered = true       // a session of no lines has no document
	lines, ended := b.scan(ctx)
	for {
		select {
		case <-ctx.Done():
			b.app.answered = false
			return ctx.Err()
		case line, more := <-lines:
			if !more {
				err := <-ended
				b.app.answered = err == nil
				return err
			}
			b.line(ctx, line)
		}
	}
}

// scan reads lines apart, so that an interruption does not wait for the next.
func (b *batch) scan(ctx context.Context) (lines chan []byte, ended chan error) {
	lines, ended = make(chan []byte), make(chan error, 1)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(b.app.in)
		scanner.Buffer(nil, 2*limit.Args)
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
			err = fault.New(fault.TooLarge, fault.T("a line is longer than %d bytes", "单行超过 %d 字节", 2*limit.Args)).
				WithHint(fault.T("write a large file in parts: mode=append", "请用 mode=append 分段写入大文件"))
		case err != nil:
			err = fault.System(err, "standard input")
		}
		ended <- err
	}()
	return lines, ended
}

// line answers one line of a session.
func (b *batch) line(ctx context.Context, line []byte) {
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	messages, err := b.answers(ctx, line)
	if err != nil {
		b.app.document(envelopeOf(guard.Outcome{Err: fault.As(err)}, b.app.lang()))
		return
	}
	b.app.document(messages)
}

// answers runs the calls of one document. Neighbours that only read run side by
// side; a call that writes runs alone, after those before it.
func (b *batch) answers(ctx context.Context, input []byte) (any, error) {
	calls, err := dialect.Parse(input)
	if err != nil {
		return nil, err
	}
	answers := make([]dialect.Answer, len(calls))
	var readers sync.WaitGroup
	slots := make(chan struct{}, parallel)
	for i, c := range calls {
		t, err := b.tools.Find(c.Name)
		if err == nil && t.Risk == policy.Read {
			slots <- struct{}{}
			readers.Go(func() {
				defer func() { <-slots }()
				answers[i] = b.answer(ctx, c, t, nil)
			})
			continue
		}
		readers.Wait()
		answers[i] = b.answer(ctx, c, t, err)
	}
	readers.Wait()
	return dialect.Results(answers), nil
}

// parallel is how many reading calls run at once.
const parallel = 8

// answer runs one call, or tells why there is no such tool.
func (b *batch) answer(ctx context.Context, c dialect.Call, t *tool.Tool, missing error) dialect.Answer {
	var o guard.Outcome
	if missing != nil {
		o.Err = fault.As(missing)
	} else {
		o = guard.Run(ctx, b.env, t, c.Arguments)
	}
	if o.Err != nil {
		b.failures.Add(1)
	}
	lang := b.app.lang()
	if !b.json {
		return dialect.Answer{ID: c.ID, Content: textOf(t, o, lang, false)}
	}
	content, err := schema.Marshal(envelopeOf(o, lang))
	if err != nil {
		return dialect.Answer{ID: c.ID, Content: fault.As(err).Message.In(lang)}
	}
	return dialect.Answer{ID: c.ID, Content: string(content)}
}
