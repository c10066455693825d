package turn_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/turn"
	"github.com/helve-dev/helve/pkg/turn/dialect"
)

// TestAnswersCrashes answers each call in every dialect although tools panic, or
// their results do when they are shown, or they hang until their deadline.
func TestAnswersCrashes(t *testing.T) {
	env := world(t)
	custom := func(name string, risk policy.Risk, run func() struct{}, show func(struct{}, screen.View) string) tools.Custom {
		return tools.Custom{Name: name, Tool: tool.New(tool.Def[struct{}, struct{}]{Name: name, Risk: risk, Doc: "Fail.", Timeout: time.Second,
			Run: func(context.Context, *tool.Call, struct{}) (struct{}, error) { return run(), nil }, Text: show})}
	}
	nothing := func() struct{} { return struct{}{} }
	shown := func(struct{}, screen.View) string { return "fine" }
	var all []tools.Custom
	for _, risk := range []policy.Risk{policy.Read, policy.Write} {
		all = append(all,
			custom("fine_"+string(risk), risk, nothing, shown),
			custom("boom_"+string(risk), risk, func() struct{} { panic("boom") }, shown),
			custom("scrawl_"+string(risk), risk, nothing, func(struct{}, screen.View) string { panic("scrawl") }),
			custom("hang_"+string(risk), risk, func() struct{} { <-time.After(time.Hour); return struct{}{} }, shown))
	}
	catalog := tools.New(tools.Options{Custom: func() []tools.Custom { return all }})
	formats := map[string]string{
		"openai":           `{"id":"%[1]s","function":{"name":"%[1]s","arguments":"{}"}}`,
		"openai-responses": `{"type":"function_call","call_id":"%[1]s","name":"%[1]s","arguments":"{}"}`,
		"anthropic":        `{"type":"tool_use","id":"%[1]s","name":"%[1]s","input":{}}`,
		"gemini":           `{"functionCall":{"id":"%[1]s","name":"%[1]s","args":{}}}`,
		"mcp":              `{"jsonrpc":"2.0","id":"%[1]s","method":"tools/call","params":{"name":"%[1]s"}}`,
		"canonical":        `{"id":"%[1]s","name":"%[1]s","arguments":{}}`,
	}
	for _, d := range dialect.Dialects() {
		var calls []string
		for _, one := range all {
			calls = append(calls, fmt.Sprintf(formats[d.Name], one.Name))
		}
		e := turn.Engine{World: of(env, catalog)}
		var reply any
		var failed int
		synctest.Test(t, func(t *testing.T) {
			var err error
			if reply, failed, err = e.Answer(t.Context(), nil, []byte("["+strings.Join(calls, ",")+"]")); err != nil {
				t.Error(err)
			}
			<-time.After(2 * time.Hour) // what hangs is over by then
		})
		text, err := schema.Marshal(reply)
		if err != nil {
			t.Fatal(err)
		}
		rest := string(text)
		for _, one := range all {
			_, after, found := strings.Cut(rest, `"`+one.Name+`"`)
			if rest = after; !found {
				t.Fatalf("%s: no answer to %s in its place: %s", d.Name, one.Name, text)
			}
			kind, _, _ := strings.Cut(one.Name, "_")
			want := map[string]string{"fine": "fine", "boom": "helve crashed: boom (internal)", "scrawl": "helve crashed: scrawl (internal)", "hang": "(timeout)"}[kind]
			answer := rest
			if next, _, ok := strings.Cut(rest, `id":"`); ok {
				answer = next
			}
			if !strings.Contains(answer, want) {
				t.Errorf("%s: %s is answered by %s, want %q", d.Name, one.Name, answer, want)
			}
		}
		if failed < 6 {
			t.Errorf("%s: %d failures", d.Name, failed)
		}
	}
}

// A panic while a tool is looked for is the answer to this call, and not to the others.
func TestAnswersCrashOfCatalog(t *testing.T) {
	env := world(t)
	catalog := tools.New(tools.Options{Custom: func() []tools.Custom { panic("boom") }})
	e := turn.Engine{World: of(env, catalog)}
	reply, _, err := e.Answer(t.Context(), nil, []byte(`[{"id":"a","name":"of_a_manifest","arguments":{}},{"id":"b","name":"time","arguments":{}}]`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := schema.Marshal(reply)
	if err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(string(text), `"id":"b"`)
	if !strings.Contains(first, `"code":"internal"`) || !strings.Contains(second, `"ok":true`) {
		t.Errorf("%s", text)
	}
}
