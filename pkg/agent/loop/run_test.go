package loop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/fault"
)

// summary is what tests compare of an outcome.
type summary struct {
	Status agent.Status
	Reason agent.Reason
	Result string
	Code   fault.Code
}

func summaryOf(o agent.Outcome) summary {
	b := summary{Status: o.Status, Reason: o.Reason, Result: o.Result}
	if o.Err != nil {
		b.Code = fault.As(o.Err).Code
	}
	return b
}

func TestRun(t *testing.T) {
	type turn = func(s *script, r model.Request) (*model.Reply, error)
	say := func(reply *model.Reply) turn {
		return func(*script, model.Request) (*model.Reply, error) { return reply, nil }
	}
	ask := func(text string, calls ...string) turn {
		return func(s *script, _ model.Request) (*model.Reply, error) { return s.asks(text, calls...), nil }
	}
	fail := func(code fault.Code) turn {
		return func(*script, model.Request) (*model.Reply, error) {
			return nil, fault.New(code, fault.T("no"))
		}
	}
	cutCalls := func(s *script, _ model.Request) (*model.Reply, error) {
		reply := s.asks("now", `write {"path":"a","content":"abc`)
		reply.Stop = model.Length
		return reply, nil
	}
	refuse := &model.Reply{Text: "I would", Stop: model.Filtered}
	tests := map[string]struct {
		turns    []turn // the last one is said again and again
		limits   agent.Limits
		want     summary
		requests int
		calls    int
	}{
		"at once":    {[]turn{say(says("42"))}, agent.Limits{}, summary{agent.Completed, "", "42", ""}, 1, 0},
		"with calls": {[]turn{ask("", "read {}", "exec {}"), ask("so", "edit {}"), say(says("it is done"))}, agent.Limits{}, summary{agent.Completed, "", "it is done", ""}, 3, 3},
		"says calls, and has none": {[]turn{func(*script, model.Request) (*model.Reply, error) {
			return &model.Reply{Text: "done", Stop: model.Calls}, nil
		}}, agent.Limits{}, summary{agent.Completed, "", "done", ""}, 1, 0},
		"says ended, and has calls": {[]turn{func(s *script, _ model.Request) (*model.Reply, error) {
			reply := s.asks("", "read {}")
			reply.Stop = model.Ended
			return reply, nil
		}, say(says("done"))}, agent.Limits{}, summary{agent.Completed, "", "done", ""}, 2, 1},
		"says itself that it is not done":    {[]turn{say(says("**UNFINISHED**\nno network"))}, agent.Limits{}, summary{agent.Incomplete, agent.ByAgent, "no network", ""}, 1, 0},
		"says finished without being asked":  {[]turn{say(says("FINISHED\n\nall of it"))}, agent.Limits{}, summary{agent.Completed, "", "all of it", ""}, 1, 0},
		"a result that begins with the word": {[]turn{say(says("FINISHED goods: 3"))}, agent.Limits{}, summary{agent.Completed, "", "FINISHED goods: 3", ""}, 1, 0},

		"calls for ever":              {[]turn{ask("on it", "read {}")}, agent.Limits{}, summary{agent.Incomplete, agent.ByIterations, "on it", ""}, 15, 14},
		"calls for ever, mute":        {[]turn{ask("", "read {}")}, agent.Limits{Iterations: 3}, summary{agent.Incomplete, agent.ByIterations, "", ""}, 3, 2},
		"finished in the last step":   {[]turn{ask("", "read {}"), say(says("FINISHED\nthe result"))}, agent.Limits{Iterations: 2}, summary{agent.Completed, "", "the result", ""}, 2, 1},
		"finished, and no more words": {[]turn{ask("", "read {}"), say(says("FINISHED."))}, agent.Limits{Iterations: 2}, summary{agent.Completed, "", "FINISHED.", ""}, 2, 1},
		"unfinished in the last step": {[]turn{ask("", "read {}"), say(says("UNFINISHED: half"))}, agent.Limits{Iterations: 2}, summary{agent.Incomplete, agent.ByIterations, "half", ""}, 2, 1},
		"no word in the last step":    {[]turn{ask("", "read {}"), say(says("I am done"))}, agent.Limits{Iterations: 2}, summary{agent.Incomplete, agent.ByIterations, "I am done", ""}, 2, 1},
		"finished, with calls":        {[]turn{ask("FINISHED\nnearly", "read {}")}, agent.Limits{Iterations: 2}, summary{agent.Incomplete, agent.ByIterations, "nearly", ""}, 2, 1},
		"finished, but cut off":       {[]turn{ask("", "read {}"), say(cutOff("FINISHED\nthe res"))}, agent.Limits{Iterations: 2}, summary{agent.Incomplete, agent.ByIterations, "the res", ""}, 2, 1},
		"nothing in the last step":    {[]turn{ask("so far", "read {}"), say(says(" "))}, agent.Limits{Iterations: 2}, summary{agent.Incomplete, agent.ByIterations, "so far", ""}, 2, 1},
		"nothing, after a finished":   {[]turn{ask("FINISHED\nno", "read {}"), say(says(""))}, agent.Limits{Iterations: 2}, summary{agent.Incomplete, agent.ByIterations, "no", ""}, 2, 1},
		"refused in the last step":    {[]turn{say(refuse)}, agent.Limits{Iterations: 1}, summary{agent.Failed, agent.ByModel, "I would", fault.Denied}, 1, 0},
		"one step":                    {[]turn{say(says("FINISHED\nyes"))}, agent.Limits{Iterations: 1}, summary{agent.Completed, "", "yes", ""}, 1, 0},
		"one step, wants calls":       {[]turn{ask("let me see", "read {}")}, agent.Limits{Iterations: 1}, summary{agent.Incomplete, agent.ByIterations, "let me see", ""}, 1, 0},

		"nothing, then the result":   {[]turn{ask("", "read {}"), say(says("")), say(says("ok"))}, agent.Limits{}, summary{agent.Completed, "", "ok", ""}, 3, 1},
		"nothing at first":           {[]turn{say(says("\n")), say(says("ok"))}, agent.Limits{}, summary{agent.Completed, "", "ok", ""}, 2, 0},
		"nothing again":              {[]turn{ask("so", "read {}"), say(says(""))}, agent.Limits{}, summary{agent.Failed, agent.ByModel, "so", fault.BadDocument}, 3, 1},
		"nothing, in between":        {[]turn{say(says("")), say(cutOff("a")), say(cutOff("")), say(says("b"))}, agent.Limits{}, summary{agent.Completed, "", "ab", ""}, 4, 0},
		"thinks too long":            {[]turn{say(cutOff("")), say(says("ok"))}, agent.Limits{}, summary{agent.Completed, "", "ok", ""}, 2, 0},
		"in two parts":               {[]turn{say(cutOff("one, t")), say(says("wo"))}, agent.Limits{}, summary{agent.Completed, "", "one, two", ""}, 2, 0},
		"cut off at its very end":    {[]turn{say(cutOff("all")), say(says(""))}, agent.Limits{}, summary{agent.Completed, "", "all", ""}, 2, 0},
		"in parts, unfinished":       {[]turn{say(cutOff("UNFINI")), say(says("SHED: x"))}, agent.Limits{}, summary{agent.Incomplete, agent.ByAgent, "x", ""}, 2, 0},
		"never ends its text":        {[]turn{say(cutOff("a"))}, agent.Limits{}, summary{agent.Incomplete, agent.ByTokens, "aaaa", ""}, 4, 0},
		"cut off, then calls":        {[]turn{say(cutOff("let me")), ask("", "read {}"), say(says("ok"))}, agent.Limits{}, summary{agent.Completed, "", "ok", ""}, 3, 1},
		"parts, at the last step":    {[]turn{say(cutOff("let me")), say(says("FINISHED: x"))}, agent.Limits{Iterations: 2}, summary{agent.Completed, "", "x", ""}, 2, 0},
		"calls that are cut off":     {[]turn{cutCalls, say(says("ok"))}, agent.Limits{}, summary{agent.Completed, "", "ok", ""}, 2, 1},
		"refused":                    {[]turn{say(refuse)}, agent.Limits{}, summary{agent.Failed, agent.ByModel, "I would", fault.Denied}, 1, 0},
		"the server fails":           {[]turn{ask("so far", "read {}"), fail(fault.Unavailable)}, agent.Limits{}, summary{agent.Failed, agent.ByModel, "so far", fault.Unavailable}, 2, 1},
		"no key":                     {[]turn{fail(fault.NotConfigured)}, agent.Limits{}, summary{agent.Failed, agent.ByModel, "", fault.NotConfigured}, 1, 0},
		"too large, nothing to trim": {[]turn{fail(fault.TooLarge)}, agent.Limits{}, summary{agent.Failed, agent.ByModel, "", fault.TooLarge}, 1, 0},
		"no reply":                   {[]turn{func(*script, model.Request) (*model.Reply, error) { return nil, nil }}, agent.Limits{}, summary{agent.Failed, agent.ByModel, "", fault.BadDocument}, 1, 0},
		"a reply that is no JSON": {[]turn{func(*script, model.Request) (*model.Reply, error) {
			return &model.Reply{Message: []byte("{"), Text: "done", Stop: model.Ended}, nil
		}}, agent.Limits{}, summary{agent.Failed, agent.ByModel, "", fault.BadDocument}, 1, 0},

		"no tokens for one request": {[]turn{say(says("ok"))}, agent.Limits{Tokens: 500}, summary{agent.Incomplete, agent.ByTokens, "", ""}, 0, 0},
		"tokens for one request":    {[]turn{say(says("FINISHED\nok"))}, agent.Limits{Tokens: 1500}, summary{agent.Completed, "", "ok", ""}, 1, 0},
		"tokens are used up": {[]turn{func(s *script, _ model.Request) (*model.Reply, error) {
			reply := s.asks("so far", "read {}")
			reply.Usage = model.Usage{In: 9000, Out: 1000}
			return reply, nil
		}}, agent.Limits{Tokens: 10000}, summary{agent.Incomplete, agent.ByTokens, "so far", ""}, 1, 0},
		"tokens are nearly used up": {[]turn{func(s *script, _ model.Request) (*model.Reply, error) {
			reply := s.asks("so far", "read {}")
			reply.Usage = model.Usage{In: 100, Out: 8000}
			return reply, nil
		}, say(says("UNFINISHED - half"))}, agent.Limits{Tokens: 10000}, summary{agent.Incomplete, agent.ByTokens, "half", ""}, 2, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := &script{}
			s.turns = func(n int, r model.Request) (*model.Reply, error) {
				return test.turns[min(n, len(test.turns))-1](s, r)
			}
			s.repeated = strings.HasPrefix(name, "nothing")
			h := &hands{}
			end, events := try(t.Context(), t, s, h, func(o *Options) { o.Limits = test.limits })
			if diff := cmp.Diff(test.want, summaryOf(end)); diff != "" {
				t.Error(diff)
			}
			if s.n != test.requests || h.made != test.calls {
				t.Errorf("%d requests and %d calls, want %d and %d", s.n, h.made, test.requests, test.calls)
			}
			last := events[len(events)-1]
			if last.Kind != Ended || last.Status != end.Status || last.Reason != end.Reason || last.Text != end.Result || last.Error == "" != (end.Err == nil) {
				t.Errorf("the last event is %+v", last)
			}
			if last.Iteration != s.n {
				t.Errorf("%d iterations are counted, of %d", last.Iteration, s.n)
			}
		})
	}
}

func TestEndOfContext(t *testing.T) {
	stolen := fault.New(fault.Conflict, fault.T("another worker has it"))
	tests := map[string]struct {
		end  func(ctx context.Context, t *testing.T) context.Context
		tool bool // the call hangs, not the server
		want summary
	}{
		"deadline": {func(ctx context.Context, t *testing.T) context.Context {
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			t.Cleanup(cancel)
			return ctx
		}, false, summary{agent.Incomplete, agent.ByTimeout, "so far", fault.Timeout}},
		"limit":                {func(ctx context.Context, _ *testing.T) context.Context { return ctx }, false, summary{agent.Incomplete, agent.ByTimeout, "so far", fault.Timeout}},
		"limit during a call":  {func(ctx context.Context, _ *testing.T) context.Context { return ctx }, true, summary{agent.Incomplete, agent.ByTimeout, "so far", fault.Timeout}},
		"canceled":             {canceledAfter(nil), false, summary{agent.Canceled, "", "so far", fault.Canceled}},
		"canceled in a call":   {canceledAfter(nil), true, summary{agent.Canceled, "", "so far", fault.Canceled}},
		"canceled for a fault": {canceledAfter(stolen), false, summary{agent.Canceled, "", "so far", fault.Conflict}},
		"canceled by time":     {canceledAfter(context.DeadlineExceeded), false, summary{agent.Incomplete, agent.ByTimeout, "so far", fault.Timeout}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := test.end(t.Context(), t)
				began := time.Now()
				s := &script{}
				h := &hands{}
				var over <-chan struct{}
				hang := func() error {
					<-over
					return fault.New(fault.Unavailable, fault.T("the connection was closed"))
				}
				s.turns = func(n int, _ model.Request) (*model.Reply, error) {
					if n == 1 {
						return s.asks("so far", "exec {}"), nil
					}
					return nil, hang()
				}
				m := &watching{script: s, see: func(ctx context.Context) { over = ctx.Done() }}
				h.answer = func(string, string) string {
					if test.tool {
						return hang().Error()
					}
					return "ok"
				}
				end, _ := try(ctx, t, s, h, func(o *Options) { o.Model, o.Limits = m, agent.Limits{Timeout: 300} })
				if diff := cmp.Diff(test.want, summaryOf(end)); diff != "" {
					t.Error(diff)
				}
				if d := time.Since(began); d != time.Minute && d != 300*time.Second {
					t.Errorf("it took %s", d)
				}
			})
		})
	}
}

// watching is a script that shows the context of its requests.
type watching struct {
	*script
	see func(context.Context)
}

func (w *watching) Complete(ctx context.Context, r model.Request) (*model.Reply, error) {
	w.see(ctx)
	return w.script.Complete(ctx, r)
}

func canceledAfter(cause error) func(context.Context, *testing.T) context.Context {
	return func(ctx context.Context, t *testing.T) context.Context {
		ctx, cancel := context.WithCancelCause(ctx)
		timer := time.AfterFunc(time.Minute, func() { cancel(cause) })
		t.Cleanup(func() { timer.Stop() })
		return ctx
	}
}

// What cannot be kept ends the loop, whichever event it is.
func TestRecordFails(t *testing.T) {
	full := fault.New(fault.IOError, fault.T("no space left"))
	for n := 1; ; n++ {
		s := &script{}
		s.turns = func(n int, _ model.Request) (*model.Reply, error) {
			if n == 1 {
				return s.asks("so far", "read {}"), nil
			}
			return says("done"), nil
		}
		left := n
		end, _ := try(t.Context(), t, s, &hands{}, func(o *Options) {
			keep := o.Record
			o.Record = func(e Event) error {
				if left--; left <= 0 {
					return full
				}
				return keep(e)
			}
		})
		if left > 0 {
			if n < 8 || end.Status != agent.Completed {
				t.Fatalf("%d events, %v", n, end)
			}
			return
		}
		if end.Status != agent.Failed || end.Reason != agent.BySystem || !errors.Is(end.Err, full) {
			t.Errorf("event %d is lost: %+v", n, end)
		}
	}
}

func TestToolsFail(t *testing.T) {
	s := &script{}
	s.turns = func(int, model.Request) (*model.Reply, error) { return s.asks("so far", "read {}"), nil }
	end, _ := try(t.Context(), t, s, &hands{err: fmt.Errorf("broken")}, nil)
	if end.Status != agent.Failed || end.Reason != agent.BySystem || end.Result != "so far" {
		t.Errorf("%+v", end)
	}
	s = &script{}
	s.turns = func(int, model.Request) (*model.Reply, error) { return s.asks("", "read {}"), nil }
	unread := fault.New(fault.BadDocument, fault.T("no calls can be read"))
	if end, _ := try(t.Context(), t, s, &hands{err: unread}, nil); end.Status != agent.Failed || end.Reason != agent.ByModel {
		t.Errorf("calls that nobody can read: %+v", end)
	}
	none := &hands{}
	s = &script{}
	s.turns = func(int, model.Request) (*model.Reply, error) {
		reply := s.asks("", "read {}")
		reply.Message = raw(message{Role: "assistant", Content: "no calls, whatever is counted"})
		return reply, nil
	}
	if end, _ := try(t.Context(), t, s, none, nil); end.Status != agent.Failed || end.Reason != agent.BySystem {
		t.Errorf("calls that nobody answered: %+v", end)
	}
}
