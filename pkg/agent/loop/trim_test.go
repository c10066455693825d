package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/fault"
)

// words is a text of about n tokens.
func words(n int) string { return strings.Repeat("word ", n) }

// count is how many tokens the server of a test counts.
func count(r model.Request) int {
	n := len(r.System) + len(r.Tools)
	for _, m := range r.Messages {
		n += len(m)
	}
	return n / 5
}

func tooLarge() error {
	return fault.New(fault.TooLarge, fault.T("the conversation is too long"))
}

func TestTrim(t *testing.T) {
	for name, counts := range map[string]struct {
		factor, most, trims int // times what is estimated; most of a request, by the estimate
	}{
		"as estimated":              {1, 5500, 2},
		"three times as many":       {3, 2500, 4},
		"not those of the cache":    {0, 5500, 2},
		"far more than can be true": {20, 5500, 2},
	} {
		t.Run(name, func(t *testing.T) { trims(t, counts.factor, counts.most, counts.trims) })
	}
}

func trims(t *testing.T, factor, limit, least int) {
	s := &script{}
	most := 0
	s.turns = func(n int, r model.Request) (*model.Reply, error) {
		most = max(most, count(r))
		if n == 12 {
			return says("done"), nil
		}
		reply := s.asks("", fmt.Sprintf(`read {"path":"file%d"}`, n))
		reply.Usage.In = max(1, int64(factor*count(r)))
		return reply, nil
	}
	h := &hands{answer: func(string, string) string { return words(1000) }}
	end, events := try(t.Context(), t, s, h, func(o *Options) { o.Limits.Context = 5000 })
	if end.Status != agent.Completed || h.made != 11 {
		t.Fatalf("%+v", end)
	}
	if most > limit {
		t.Errorf("a request had %d tokens", most)
	}
	trims := 0
	for _, e := range events {
		if e.Kind == Trimmed {
			trims++
		}
	}
	if trims < least || trims > 10 {
		t.Errorf("trimmed %d times", trims)
	}
	// The model knows what it did, and has the newest answers.
	head, newest := string(s.last.Messages[0]), string(s.last.Messages[len(s.last.Messages)-1])
	for _, want := range []string{"the task", "file1", "file5", "left out"} {
		if !strings.Contains(head, want) {
			t.Errorf("nothing of %s in %s", want, head)
		}
	}
	if strings.Contains(head, "file11") || !strings.Contains(newest, words(1000)) {
		t.Error("the newest step was left out, or cut")
	}
}

// A server whose model has room for less than the settings say.
func TestTooLarge(t *testing.T) {
	const room = 3000
	s := &script{}
	refused := 0
	s.turns = func(n int, r model.Request) (*model.Reply, error) {
		switch {
		case count(r) > room:
			refused++
			return nil, tooLarge()
		case s.calls == 9:
			return says("done"), nil
		}
		return s.asks("", fmt.Sprintf(`read {"path":"file%d"}`, s.calls)), nil
	}
	h := &hands{answer: func(string, string) string { return words(900) }}
	end, events := try(t.Context(), t, s, h, nil)
	if diff := cmp.Diff(summary{agent.Completed, "", "done", ""}, summaryOf(end)); diff != "" {
		t.Error(diff)
	}
	if refused == 0 || refused > 3 {
		t.Errorf("%d requests were refused", refused)
	}
	if n := events[len(events)-1].Iteration; n != 10 {
		t.Errorf("%d iterations: a request that was refused is none", n)
	}
}

// The newest answer alone is more than there is room for.
func TestHugeAnswer(t *testing.T) {
	for name, room := range map[string]int{"by the settings": 1 << 30, "by the server": 3000} {
		t.Run(name, func(t *testing.T) {
			s := &script{}
			s.turns = func(n int, r model.Request) (*model.Reply, error) {
				if count(r) > room {
					return nil, tooLarge()
				}
				if s.calls > 0 {
					return says("done"), nil
				}
				return s.asks("", `read {"path":"a"}`, `read {"path":"b"}`), nil
			}
			h := &hands{answer: func(string, string) string { return "begin " + words(300_000) + " end" }}
			end, events := try(t.Context(), t, s, h, nil)
			if end.Status != agent.Completed {
				t.Fatalf("%+v", end)
			}
			for _, e := range events {
				if n := costs(e.Messages); n > agent.DefaultContext {
					t.Errorf("%s: %d tokens are kept", e.Kind, n)
				}
			}
			for _, text := range s.last.Messages[2:] {
				var m message
				if err := json.Unmarshal(text, &m); err != nil || !strings.HasPrefix(m.Content, "begin ") || !strings.HasSuffix(m.Content, " end") || !strings.Contains(m.Content, "cut here") {
					t.Errorf("%v %.100s", err, text)
				}
			}
			if n := count(s.last); n > agent.DefaultContext {
				t.Errorf("%d tokens", n)
			}
		})
	}
}

// A server that refuses whatever is sent does not keep the loop.
func TestTooLargeForEver(t *testing.T) {
	s := &script{}
	s.turns = func(n int, r model.Request) (*model.Reply, error) {
		if n <= 6 {
			return s.asks("so far", fmt.Sprintf(`read {"path":"file%d"}`, n)), nil
		}
		return nil, tooLarge()
	}
	h := &hands{answer: func(string, string) string { return words(5000) }}
	end, _ := try(t.Context(), t, s, h, nil)
	if diff := cmp.Diff(summary{agent.Failed, agent.ByModel, "so far", fault.TooLarge}, summaryOf(end)); diff != "" {
		t.Error(diff)
	}
	if s.n > 6+mostRefusals+1 {
		t.Errorf("%d requests", s.n)
	}
}

// FuzzRun lets a model do anything. Whatever it does, the conversation is one that a
// server takes, and what is reported as success is what the model said is one.
func FuzzRun(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 1))
		pick := func(all ...string) string { return all[random.IntN(len(all))] }
		s := &script{repeated: true}
		var last *model.Reply
		var lastly, said bool
		s.turns = func(_ int, r model.Request) (*model.Reply, error) {
			reply, err := anything(s, random)
			if err == nil {
				last, lastly = reply, r.NoCalls
				said = said && reply.Text == "" && reply.Calls == 0 || reply.Stop == model.Length && reply.Text != ""
			}
			return reply, err
		}
		h := &hands{answer: func(string, string) string {
			return pick("same", "same", words(random.IntN(3000)), fmt.Sprint(random.Uint64()))
		}}
		limits := agent.Limits{Iterations: 1 + random.IntN(20), Context: 2000 + random.IntN(6000), Tokens: int64(random.IntN(200_000))}
		end, events := try(t.Context(), t, s, h, func(o *Options) { o.Limits = limits })
		replies := 0
		for _, e := range events {
			if e.Kind == Replied {
				replies++
			}
		}
		if replies > limits.Iterations {
			t.Errorf("%d replies, %d are allowed", replies, limits.Iterations)
		}
		if (end.Status == agent.Failed) != (end.Err != nil) || (end.Status == agent.Completed) != (end.Reason == "") || !end.Status.Final() {
			t.Errorf("%+v", end)
		}
		if end.Status != agent.Completed {
			return
		}
		switch {
		case last.Calls > 0, last.Stop == model.Length, last.Stop == model.Filtered, end.Result == "":
			t.Errorf("%+v is success: %+v", last, end)
		case lastly && !strings.HasPrefix(last.Text, finished):
			t.Errorf("%q is success in the last step", last.Text)
		case !lastly && last.Text == "" && !said:
			t.Errorf("nothing is success: %+v", end)
		}
	})
}

// anything returns what a model or its server may do.
func anything(s *script, random *rand.Rand) (*model.Reply, error) {
	pick := func(all ...string) string { return all[random.IntN(len(all))] }
	text := pick("", "", "so far", "FINISHED\nyes", "UNFINISHED: no", "FINISHED: no", words(random.IntN(2000)))
	var calls []string
	for range random.IntN(4) {
		calls = append(calls, pick("read", "exec")+" "+pick("{}", `{"a":1}`, `{"a":`, "", "\xff", `[]`))
	}
	reply := s.asks(text, calls...)
	switch n := random.IntN(100); {
	case n < 60 && len(calls) > 0:
	case n < 70:
		reply = says(text)
	case n < 80:
		reply = cutOff(text)
	case n < 90:
		reply.Stop = model.Length
	case n < 92:
		reply.Stop = model.Filtered
	case n < 97:
		return nil, tooLarge()
	case n < 98:
		return nil, errors.New("no fault of helve's")
	default:
		return nil, context.DeadlineExceeded // of the server, not of the loop
	}
	reply.Usage = model.Usage{In: random.Int64N(20_000), Out: random.Int64N(1000)}
	return reply, nil
}
