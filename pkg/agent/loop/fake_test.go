package loop

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/fault"
)

// message is one of Chat Completions.
type message struct {
	Role      string     `json:"role"`
	Content   string     `json:"content"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
	ID        string     `json:"tool_call_id,omitzero"`
}

type toolCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // the values of tests have no cycles
	}
	return b
}

// script is a model that says what it is told. It judges each conversation that it gets
// as a strict server does.
type script struct {
	t     *testing.T
	turns func(n int, r model.Request) (*model.Reply, error) // n is 1 for the first request
	task  string
	n     int
	calls int // for ids
	// What the last request was.
	last model.Request
	// record of the events, to compare with.
	events []Event
	// repeated says that two messages of the user in a row are all right, since the
	// script says nothing at times.
	repeated bool
}

func (s *script) User(text string) json.RawMessage {
	return raw(message{Role: "user", Content: text})
}

func (s *script) Complete(ctx context.Context, r model.Request) (*model.Reply, error) {
	s.n++
	s.last = r
	s.judge(r)
	reply, err := s.turns(s.n, r)
	if reply != nil && reply.Message == nil {
		m := message{Role: "assistant", Content: reply.Text}
		reply.Message = raw(m)
	}
	return reply, err
}

// judge checks a conversation.
func (s *script) judge(r model.Request) {
	s.t.Helper()
	var all []message
	for _, text := range r.Messages {
		var m message
		if err := json.Unmarshal(text, &m); err != nil {
			s.t.Fatalf("a message that is no JSON: %s", text)
		}
		all = append(all, m)
	}
	if len(all) == 0 || all[0].Role != "user" || !strings.HasPrefix(all[0].Content, s.task) {
		s.t.Fatalf("request %d does not begin with the task: %.200s", s.n, raw(all))
	}
	var open []string // ids of calls without an answer
	for i, m := range all[1:] {
		before := all[i]
		switch {
		case m.Role == "tool":
			if len(open) == 0 || open[0] != m.ID {
				s.t.Fatalf("request %d: an answer to no call, or out of order: %s", s.n, raw(m))
			}
			open = open[1:]
			continue
		case len(open) > 0:
			s.t.Fatalf("request %d: calls without answers: %v", s.n, open)
		case m.Role == "user" && before.Role == "user" && !s.repeated:
			s.t.Fatalf("request %d: two messages of the user in a row", s.n)
		case m.Role == "assistant":
			if before.Role == "assistant" {
				s.t.Fatalf("request %d: two messages of the model in a row", s.n)
			}
			if m.Content == "" && len(m.ToolCalls) == 0 {
				s.t.Fatalf("request %d: a message of the model that says nothing", s.n)
			}
			for _, c := range m.ToolCalls {
				open = append(open, c.ID)
			}
		case m.Role != "user":
			s.t.Fatalf("request %d: %s", s.n, raw(m))
		}
	}
	end := all[len(all)-1]
	if len(open) > 0 || end.Role == "assistant" {
		s.t.Fatalf("request %d: a conversation that cannot go on: %s", s.n, raw(end))
	}
	if last := strings.Contains(end.Content, sayLast) && end.Role == "user"; last != r.NoCalls {
		s.t.Fatalf("request %d: calls forbidden %v, told so %v", s.n, r.NoCalls, last)
	}
	if want := replay(s.events); !slices.EqualFunc(want, r.Messages, func(x, y json.RawMessage) bool { return bytes.Equal(x, y) }) {
		s.t.Fatalf("request %d: the events are not the conversation:\n%.2000s\n%.2000s", s.n, raw(want), raw(r.Messages))
	}
}

// replay makes a conversation from events.
func replay(events []Event) (all []json.RawMessage) {
	for _, e := range events {
		if e.Replaced > 0 {
			all = slices.Concat(e.Messages, all[e.Replaced:])
		} else {
			all = append(all, e.Messages...)
		}
	}
	return all
}

// asks returns a reply with calls, such as "read {\"path\":\"a\"}".
func (s *script) asks(text string, calls ...string) *model.Reply {
	m := message{Role: "assistant", Content: text}
	for _, c := range calls {
		s.calls++
		name, arguments, _ := strings.Cut(c, " ")
		m.ToolCalls = append(m.ToolCalls, toolCall{fmt.Sprintf("call_%d", s.calls), "function", function{name, arguments}})
	}
	return &model.Reply{Message: raw(m), Text: text, Calls: len(calls), Stop: model.Calls, Usage: model.Usage{In: 100, Out: 10}}
}

func says(text string) *model.Reply {
	return &model.Reply{Text: text, Stop: model.Ended, Usage: model.Usage{In: 100, Out: 10}}
}

func cutOff(text string) *model.Reply {
	return &model.Reply{Text: text, Stop: model.Length, Usage: model.Usage{In: 100, Out: 10}}
}

// hands are tools that answer what a function says.
type hands struct {
	answer func(name, arguments string) string
	made   int
	err    error
}

func (h *hands) Definitions(context.Context) (json.RawMessage, error) {
	return json.RawMessage(`[{"type":"function","function":{"name":"read"}}]`), nil
}

func (h *hands) Answer(ctx context.Context, text json.RawMessage) (answers []json.RawMessage, made []Made, err error) {
	var m message
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, nil, err
	}
	if h.err != nil {
		return nil, nil, h.err
	}
	for _, c := range m.ToolCalls {
		h.made++
		said := fmt.Sprintf("answer %d", h.made)
		if h.answer != nil {
			said = h.answer(c.Function.Name, c.Function.Arguments)
		}
		one := Made{Name: c.Function.Name, Arguments: json.RawMessage(c.Function.Arguments), OK: json.Valid([]byte(c.Function.Arguments)), Bytes: len(said)}
		if !one.OK {
			one.Code = fault.InvalidArguments
		}
		made = append(made, one)
		answers = append(answers, raw(message{Role: "tool", Content: said, ID: c.ID}))
	}
	return answers, made, nil
}

// try runs a script.
func try(ctx context.Context, t *testing.T, s *script, h *hands, change func(*Options)) (agent.Outcome, []Event) {
	t.Helper()
	s.t, s.task = t, "the task"
	o := Options{Model: s, Tools: h, System: "be good", Task: s.task, Now: time.Now, Record: func(e Event) error {
		if _, err := json.Marshal(e); err != nil {
			t.Errorf("an event that cannot be kept: %v", err)
		}
		s.events = append(s.events, e)
		return nil
	}}
	if change != nil {
		change(&o)
	}
	end := Run(ctx, o)
	return end, s.events
}
