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

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/testing/modeltest"
	"github.com/helve-dev/helve/pkg/turn/dialect"
	"github.com/helve-dev/helve/pkg/web"
)

// tongs are tools that read and write the messages of a provider. What they do is written
// down only.
type tongs struct {
	t       *testing.T
	dialect *dialect.Dialect
	format  string
	made    []string
	long    int // tokens of an answer
}

func (g *tongs) Definitions(context.Context) (json.RawMessage, error) {
	if g.format == model.Anthropic {
		return json.RawMessage(`[{"name":"read","description":"Read.","input_schema":{"type":"object","properties":{},"required":[]}}]`), nil
	}
	return json.RawMessage(`[{"type":"function","function":{"name":"read","description":"Read.","parameters":{"type":"object","properties":{},"required":[]}}}]`), nil
}

func (g *tongs) Answer(_ context.Context, text json.RawMessage) (answers []json.RawMessage, made []Made, err error) {
	turn, err := dialect.Parse(g.dialect, text)
	if err != nil {
		return nil, nil, err
	}
	var all []dialect.Answer
	for _, c := range turn.Calls {
		g.made = append(g.made, c.Name)
		made = append(made, Made{Name: c.Name, Arguments: c.Arguments, OK: true})
		all = append(all, dialect.Answer{Call: c, Content: fmt.Sprintf("%d: %s", len(g.made), words(g.long))})
	}
	for _, m := range turn.Messages(all) {
		answers = append(answers, raw(m))
	}
	return answers, made, nil
}

func TestServer(t *testing.T) {
	const read = `{"name": "read", "arguments": {"path": "a"}}`
	tests := map[string]struct {
		script string
		limits agent.Limits
		long   int
		want   summary
		made   int
	}{
		"to the end": {`{"echo": true, "steps": [
			{"say": "I look.", "reasoning": "hm", "calls": [` + read + `, {"name": "read", "arguments": "{\"path"}]},
			{"calls": [` + read + `], "fail": [{"status": 429, "header": {"Retry-After": "2"}}, {"status": 503}]},
			{"say": "It says 42."}]}`, agent.Limits{}, 0, summary{agent.Completed, "", "It says 42.", ""}, 3},
		"for ever": {`{"steps": [{"say": "I look.", "calls": [` + read + `], "final": "UNFINISHED\nI looked.", "repeat": true}]}`,
			agent.Limits{Iterations: 4}, 0, summary{agent.Incomplete, agent.ByIterations, "I looked.", ""}, 3},
		"finished at the last": {`{"steps": [{"calls": [` + read + `], "final": "FINISHED\nI looked.", "repeat": true}]}`,
			agent.Limits{Iterations: 4}, 0, summary{agent.Completed, "", "I looked.", ""}, 3},
		"in one step": {`{"steps": [{"calls": [` + read + `], "final": "I guess."}]}`,
			agent.Limits{Iterations: 1}, 0, summary{agent.Incomplete, agent.ByIterations, "I guess.", ""}, 0},
		"more than the model takes": {`{"context": 4000, "steps": [{"calls": [` + read + `], "final": "FINISHED\nI looked.", "repeat": true}]}`,
			agent.Limits{Iterations: 10}, 900, summary{agent.Completed, "", "I looked.", ""}, 9},
		"no reply at all": {`{"steps": [{"fail": [{"status": 401, "times": -1}]}]}`,
			agent.Limits{}, 0, summary{agent.Failed, agent.ByModel, "", fault.NotConfigured}, 0},
	}
	for name, test := range tests {
		for _, format := range []string{model.Chat, model.Anthropic} {
			t.Run(name+"/"+format, func(t *testing.T) {
				server := modeltest.Start(t, test.script)
				base := server.Base()
				if format == model.Anthropic {
					base = server.URL
				}
				guarded := web.New(web.Options{})
				client, err := model.New(model.Options{
					Web: func() (*web.Client, error) { return guarded, nil }, BaseURL: base, Key: "k", Model: "m", Format: format, Now: time.Now,
					Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
				})
				if err != nil {
					t.Fatal(err)
				}
				name := map[string]dialect.Format{model.Chat: dialect.OpenAI, model.Anthropic: dialect.Anthropic}[format]
				d, err := dialect.Find(string(name))
				if err != nil {
					t.Fatal(err)
				}
				g := &tongs{t: t, dialect: d, format: format, long: test.long}
				var events []Event
				end := Run(t.Context(), Options{Model: client, Tools: g, System: "be good", Task: "the task", Limits: test.limits, Now: time.Now, Record: func(e Event) error {
					events = append(events, e)
					return nil
				}})
				if diff := cmp.Diff(test.want, summaryOf(end)); diff != "" {
					t.Error(diff)
				}
				if len(g.made) != test.made {
					t.Errorf("%d calls, want %d", len(g.made), test.made)
				}
				sent(t, server, format, events)
			})
		}
	}
}

// sent checks that the server refused no conversation but for its size, and that the last
// one was what the events say.
func sent(t *testing.T, server *modeltest.Server, format string, events []Event) {
	t.Helper()
	all := server.Requests()
	for _, r := range all {
		if r.Problem != "" && !strings.Contains(r.Problem, "token") && !strings.Contains(r.Problem, "long") {
			t.Errorf("status %d: %s", r.Status, r.Problem)
		}
	}
	var body struct {
		Messages []json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(all[len(all)-1].Body, &body); err != nil {
		t.Fatal(err)
	}
	last := 0
	for i, e := range events {
		if e.Kind == Requested {
			last = i
		}
	}
	want := replay(events[:last])
	if format == model.Chat {
		body.Messages = body.Messages[1:] // the system prompt
	} else { // the client joins messages of the user in a row; those of the model stay as they came
		body.Messages, want = ofModel(t, body.Messages), ofModel(t, want)
	}
	if !slices.EqualFunc(want, body.Messages, func(x, y json.RawMessage) bool { return bytes.Equal(x, y) }) {
		t.Errorf("the events are not what was sent:\n%s\n%s", raw(want), raw(body.Messages))
	}
}

func ofModel(t *testing.T, all []json.RawMessage) (found []json.RawMessage) {
	t.Helper()
	for _, text := range all {
		var m struct {
			Role string `json:"role"`
		}
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		if m.Role == "assistant" {
			found = append(found, text)
		}
	}
	return found
}
