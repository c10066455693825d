package turn_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/turn"
)

// subagent returns the tools of a sub-agent, and its world.
func subagent(t *testing.T, format string) (*turn.Tools, *tool.Env) {
	t.Helper()
	env := world(t)
	c, err := catalog(t).Subagent()
	if err != nil {
		t.Fatal(err)
	}
	s, err := turn.NewTools(turn.Engine{World: of(env, c)}, format)
	if err != nil {
		t.Fatal(err)
	}
	return s, env
}

// heard is an answer as the model hears it.
type heard struct{ ID, Text string }

// hear returns the answers of messages in either format.
func hear(t *testing.T, messages []json.RawMessage) (all []heard) {
	t.Helper()
	for _, text := range messages {
		var m struct {
			Role    string          `json:"role"`
			ID      string          `json:"tool_call_id"`
			Content json.RawMessage `json:"content"`
		}
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if m.Role == "tool" {
			var content string
			if err := json.Unmarshal(m.Content, &content); err != nil {
				t.Fatal(err)
			}
			all = append(all, heard{m.ID, content})
			continue
		}
		var blocks []struct {
			Type    string `json:"type"`
			ID      string `json:"tool_use_id"`
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
		}
		if err := json.Unmarshal(m.Content, &blocks); err != nil || m.Role != "user" {
			t.Fatalf("%v: %s", err, text)
		}
		for _, b := range blocks {
			one := heard{ID: b.ID}
			for _, c := range b.Content {
				one.Text += c.Text
			}
			all = append(all, one)
		}
	}
	return all
}

// Each call of a message has one answer, in its place, whatever the model wrote: what is
// damaged is answered with what is wrong, and the others are carried out.
func TestToolsAnswer(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200)
	for _, c := range []struct {
		what, format, message string
		want                  []heard // ids, and a part of the answer
		codes                 []fault.Code
	}{
		{"calls", model.Chat, `{"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[
			{"id":"a","type":"function","function":{"name":"write","arguments":"{\"path\":\"x.txt\",\"content\":\"one\\n\"}"}},
			{"id":"b","type":"function","function":{"name":"Read","arguments":"{\"file_path\":\"x.txt\"}"}}]}`,
			[]heard{{"a", "x.txt"}, {"b", "one"}}, []fault.Code{"", ""}},
		{"what it does not have", model.Chat, `{"role":"assistant","tool_calls":[
			{"id":"a","function":{"name":"message","arguments":"{\"content\":\"hi\"}"}},
			{"id":"b","function":{"name":"cron_add","arguments":"{}"}},
			{"id":"c","function":{"name":"sendMessage","arguments":"{}"}},
			{"id":"d","function":{"name":"undo","arguments":"{}"}},
			{"id":"e","function":{"name":"time","arguments":"{}"}}]}`,
			[]heard{{"a", "a sub-agent does not have it"}, {"b", "a sub-agent does not have it"}, {"c", "(not_registered)"}, {"d", "continue without it"}, {"e", "UTC"}},
			[]fault.Code{fault.NotRegistered, fault.NotRegistered, fault.NotRegistered, fault.NotRegistered, ""}},
		{"damaged", model.Chat, `{"role":"assistant","tool_calls":[
			{"id":"a","function":{"name":"read","arguments":"{\"path\":"}},
			{"id":"b","function":{"name":"nothing","arguments":"{}"}},
			{"id":"c","function":{"name":"","arguments":"{}"}},
			{"id":"d","function":{"name":7,"arguments":[]}},
			{"id":"e"}, 5, null,
			{"id":"f","function":{"name":"time","arguments":""}},
			{"id":"f","function":{"name":"time","arguments":null}},
			{"function":{"name":"time","arguments":{}}}]}`,
			[]heard{{"a", "(invalid_arguments)"}, {"b", "(unknown_tool)"}, {"c", "(unknown_tool)"}, {"d", "(unknown_tool)"}, {"e", "(unknown_tool)"}, {"", "(unknown_tool)"}, {"", "(unknown_tool)"}, {"f", "UTC"}, {"f", "UTC"}, {"", "UTC"}},
			[]fault.Code{fault.InvalidArguments, fault.UnknownTool, fault.UnknownTool, fault.UnknownTool, fault.UnknownTool, fault.UnknownTool, fault.UnknownTool, "", "", ""}},
		{"a text that ends in half a character", model.Chat, `{"role":"assistant","content":"\ud83d","tool_calls":[
			{"id":"a","function":{"name":"time","arguments":"{}"}},
			{"id":"b","function":{"name":"time","arguments":"{\"timezone\":\"\ud83d\"}"}}]}`,
			[]heard{{"a", "UTC"}, {"b", "(invalid_arguments)"}}, []fault.Code{"", fault.InvalidArguments}},
		{"the one function of old", model.Chat, `{"role":"assistant","function_call":{"name":"time","arguments":"{}"}}`, nil, []fault.Code{""}},
		{"a context of its own", model.Chat, `{"role":"assistant","context":{"session":"other","nothing":1},"tool_calls":[{"id":"a","function":{"name":"time","arguments":"{}"}}]}`,
			[]heard{{"a", "UTC"}}, []fault.Code{""}},
		{"Anthropic's", model.Anthropic, `{"role":"assistant","content":[{"type":"thinking","thinking":"\ud83d","signature":"x"},{"type":"text","text":"now"},
			{"type":"tool_use","id":"a","name":"time","input":{}},
			{"type":"server_tool_use","id":"s","name":"web_search","input":{}},
			{"type":"tool_use","id":"b","name":"time","input":` + deep + `},
			{"type":"tool_use","id":"c","name":"time","input":{"timezone":"UTC","timezone":"Asia/Tokyo"}},
			{"type":"tool_use","id":"c","name":"","input":null},
			{"type":"tool_use","name":"spawn","input":{"task":"x"}}]}`,
			[]heard{{"a", "UTC"}, {"b", "(invalid_arguments)"}, {"c", "(invalid_arguments)"}, {"c", "(unknown_tool)"}, {"", "("}},
			nil},
	} {
		s, env := subagent(t, c.format)
		env.Session = "job"
		messages, made, err := s.Answer(t.Context(), json.RawMessage(c.message))
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if c.want != nil {
			got := hear(t, messages)
			if len(got) != len(c.want) {
				t.Errorf("%s: %d answers, want %d: %+v", c.what, len(got), len(c.want), got)
				continue
			}
			for i, w := range c.want {
				if got[i].ID != w.ID || !strings.Contains(got[i].Text, w.Text) {
					t.Errorf("%s: answer %d is %+v, want %+v", c.what, i, got[i], w)
				}
				if made[i].Bytes != len(got[i].Text) || made[i].OK != (made[i].Code == "") {
					t.Errorf("%s: call %d is noted as %+v", c.what, i, made[i])
				}
			}
		}
		var codes []fault.Code
		for _, m := range made {
			codes = append(codes, m.Code)
		}
		if c.codes != nil && !cmp.Equal(codes, c.codes) {
			t.Errorf("%s: %s, want %s", c.what, codes, c.codes)
		}
	}
}

// What calls are noted as.
func TestMade(t *testing.T) {
	s, _ := subagent(t, model.Chat)
	_, made, err := s.Answer(t.Context(), json.RawMessage(`{"role":"assistant","tool_calls":[
		{"id":"a","function":{"name":"time","arguments":"{\"timezone\": \"UTC\"}"}},
		{"id":"b","function":{"name":"LS","arguments":"{\"path\":"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for i := range made {
		made[i].Bytes, made[i].Elapsed = 0, 0
	}
	want := []loop.Made{
		{Name: "time", Arguments: json.RawMessage(`{"timezone": "UTC"}`), OK: true},
		{Name: "LS", Arguments: json.RawMessage(`{"path":`), Code: fault.InvalidArguments},
	}
	if d := cmp.Diff(want, made); d != "" {
		t.Error(d)
	}
}

// A message without calls, or that is none, is no success.
func TestToolsWithoutCalls(t *testing.T) {
	for _, format := range []string{model.Chat, model.Anthropic} {
		s, _ := subagent(t, format)
		for _, message := range []string{``, `null`, `5`, `{`, `[]`, `{}`, `{"role":"assistant","tool_calls":{}}`, `{"role":"assistant","content":[{"type":"text","text":"x"}]}`} {
			answers, made, err := s.Answer(t.Context(), json.RawMessage(message))
			if len(answers) > 0 || len(made) > 0 || !fault.Is(err, fault.BadDocument) {
				t.Errorf("%s: %s is answered: %s, %v", format, message, answers, err)
			}
		}
	}
}

// An answer has an end, whatever a call asks for.
func TestAnswerIsBounded(t *testing.T) {
	s, env := subagent(t, model.Chat)
	root, err := env.Root()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root.Dir(), "big.txt"), []byte(strings.Repeat("héééé world 0123456789\n", 100_000)), 0o644); err != nil {
		t.Fatal(err)
	}
	messages, made, err := s.Answer(t.Context(), json.RawMessage(`{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"read","arguments":"{\"path\":\"big.txt\",\"limit\":1000000,\"max_bytes\":16777216}"}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	got := hear(t, messages)
	if len(got) != 1 || len(got[0].Text) > 300<<10 || made[0].Bytes != len(got[0].Text) || !strings.HasSuffix(got[0].Text, "ask for less in one call]") || strings.ContainsRune(got[0].Text, '\ufffd') {
		t.Errorf("%d bytes, noted %+v", len(got[0].Text), made[0])
	}
}

// Definitions are the same bytes until the policy changes, and have nothing that cannot
// be called.
func TestDefinitions(t *testing.T) {
	env := world(t)
	main := catalog(t)
	sub, err := main.Subagent()
	if err != nil {
		t.Fatal(err)
	}
	var refused error
	now := sub
	worldOf := func() (*tool.Env, *tools.Catalog, error) { return env, now, refused }
	for _, format := range []string{model.Chat, model.Anthropic} {
		s, err := turn.NewTools(turn.Engine{World: worldOf, Pass: []string{"read"}}, format)
		if err != nil {
			t.Fatal(err)
		}
		define := func() string {
			t.Helper()
			d, err := s.Definitions(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return string(d)
		}
		refused = fault.New(fault.NotConfigured, fault.T("the settings are broken"))
		if d, err := s.Definitions(t.Context()); d != nil || !fault.Is(err, fault.NotConfigured) {
			t.Errorf("%s: %s, %v", d, format, err)
		}
		refused = nil
		first := define()
		var names []string
		for _, one := range sub.Tools() {
			names = append(names, one.Name)
		}
		if got := named(t, first); !cmp.Equal(got, names) {
			t.Errorf("%s: %s, want %s", format, got, names)
		}
		again, err := catalog(t).Subagent() // read anew, as a host does
		if err != nil {
			t.Fatal(err)
		}
		if now = again; define() != first {
			t.Errorf("%s: other bytes for the same tools", format)
		}
		refused = fault.New(fault.NotConfigured, fault.T("the settings are broken"))
		if define() != first {
			t.Errorf("%s: other bytes while nobody can tell what is allowed", format)
		}
		messages, made, err := s.Answer(t.Context(), json.RawMessage(`{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"time"}}],"content":[{"type":"tool_use","id":"a","name":"time","input":{}}]}`))
		if err != nil || len(made) != 1 || made[0].Code != fault.NotConfigured || !strings.Contains(hear(t, messages)[0].Text, "the settings are broken") {
			t.Errorf("%s: %s %+v %v", format, messages, made, err)
		}
		refused, env.ReadOnly = nil, true
		if got := strings.Join(named(t, define()), " "); got != "read ls find grep exec websearch fetch time" {
			t.Errorf("%s: only reading: %s", format, got)
		}
		env.ReadOnly = false
		if env.Policy, err = policy.New([]policy.Given{{Rule: policy.Rule{Tool: "exec", Decision: policy.Deny}}}, policy.Options{}); err != nil {
			t.Fatal(err)
		}
		if got := named(t, define()); strings.Contains(strings.Join(got, " "), "exec") || len(got) != len(names)-1 {
			t.Errorf("%s: without exec: %s", format, got)
		}
		env.Policy, now = nil, sub
	}
	none := tools.New(tools.Options{Sets: []tools.Set{{Name: "subagent", Tools: []string{"message"}}}})
	if now, err = none.Subagent(); err != nil {
		t.Fatal(err)
	}
	s, err := turn.NewTools(turn.Engine{World: worldOf}, model.Chat)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := s.Definitions(t.Context()); d != nil || err != nil {
		t.Errorf("no tools are defined as %s, %v", d, err)
	}
}

// named returns the names of definitions in either format.
func named(t *testing.T, definitions string) (names []string) {
	t.Helper()
	var all []struct {
		Name     string `json:"name"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	if err := json.Unmarshal([]byte(definitions), &all); err != nil {
		t.Fatalf("%v: %s", err, definitions)
	}
	for _, one := range all {
		names = append(names, one.Name+one.Function.Name)
	}
	return names
}

// The end of a conversation ends its calls, and each is answered.
func TestCanceledAnswer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stop := tool.New(tool.Def[struct{}, struct{}]{Name: "stop", Risk: policy.Write, Doc: "Stop.", Run: func(ctx context.Context, _ *tool.Call, _ struct{}) (struct{}, error) {
		cancel()
		<-ctx.Done()
		return struct{}{}, ctx.Err()
	}})
	env := world(t)
	s, err := turn.NewTools(turn.Engine{World: of(env, catalog(t, stop))}, model.Chat)
	if err != nil {
		t.Fatal(err)
	}
	messages, made, err := s.Answer(ctx, json.RawMessage(`{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"stop"}},{"id":"b","function":{"name":"write","arguments":"{\"path\":\"x.txt\",\"content\":\"x\"}"}}]}`))
	if err != nil || len(messages) != 2 || made[0].Code != fault.Canceled || made[1].Code != fault.Canceled {
		t.Errorf("%s %+v %v", messages, made, err)
	}
	root, err := env.Root()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := root.Lstat(root.At("x.txt")); !fault.Is(err, fault.NotFound) {
		t.Errorf("a call began after the end: %v", err)
	}
}

// FuzzAnswer reads what any server may send. Each call is answered, and nothing runs.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"read","arguments":"{}"}},5,null,{"id":1,"custom":{"name":"x","input":"y"}}]}`,
		`{"role":"assistant","function_call":{"name":"x","arguments":"{"}}`,
		`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"b","input":{"a":1,"a":2}},{"type":"text"},{"type":"tool_use"}]}`,
		`{"tool_calls":[],"content":"x","context":{"session":"../.."}}`,
		"{\"tool_calls\":[{\"id\":\"\xff\",\"function\":{\"name\":\"\\ud800\"}}]}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		for _, format := range []string{model.Chat, model.Anthropic} {
			s, err := turn.NewTools(turn.Engine{World: func() (*tool.Env, *tools.Catalog, error) {
				return nil, nil, fault.New(fault.NotConfigured, fault.T("broken"))
			}}, format)
			if err != nil {
				t.Fatal(err)
			}
			messages, made, err := s.Answer(t.Context(), message)
			if err != nil {
				if len(messages)+len(made) > 0 {
					t.Errorf("an error and %d answers", len(messages))
				}
				continue
			}
			answers := 0
			for _, m := range messages {
				var one struct {
					Content json.RawMessage `json:"content"`
				}
				if err := json.Unmarshal(m, &one); err != nil {
					t.Fatalf("%v: %s", err, m)
				}
				var blocks []json.RawMessage
				if json.Unmarshal(one.Content, &blocks) == nil {
					answers += len(blocks)
				} else {
					answers++
				}
			}
			if answers != len(made) || answers == 0 {
				t.Errorf("%d calls, %d answers: %s", len(made), answers, message)
			}
		}
	})
}
