package dialect_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tools/read"
	"github.com/helve-dev/helve/pkg/turn/dialect"
	"github.com/helve-dev/helve/pkg/turn/modeltext"
)

// TestTexts reads texts in the dialects that have no documents, and answers them.
func TestTexts(t *testing.T) {
	known := func(name string) (modeltext.Tool, bool) { return modeltext.Of(read.Tool), name == "read" }
	for _, c := range []struct{ dialect, in, want string }{
		{"xml", "<read><path>a</path></read>\n", `[{"role":"user","content":"<tool_result id=\"call_1\" name=\"read\">\nfine\n</tool_result>"}]`},
		{"json", `{"name":"read","arguments":{"path":"a"}}`, "[{\"role\":\"user\",\"content\":\"```tool_result\\n{\\\"id\\\":\\\"call_1\\\",\\\"name\\\":\\\"read\\\",\\\"content\\\":\\\"fine\\\"}\\n```\"}]"},
		{"hermes", `<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>`, `[{"role":"user","content":"<tool_response>\n{\"id\":\"call_1\",\"name\":\"read\",\"content\":\"fine\"}\n</tool_response>"}]`},
		{"hermes", `"<tool_call>{\"name\":\"read\",\"arguments\":{\"path\":\"a\"}}</tool_call>"`, `[{"role":"user","content":"<tool_response>\n{\"id\":\"call_1\",\"name\":\"read\",\"content\":\"fine\"}\n</tool_response>"}]`},
		{"hermes", `{"role":"assistant","content":"Done."}`, `[]`},
		{"auto", "I look. <read><path>a</path></read>", `[{"role":"user","content":"<tool_result id=\"call_1\" name=\"read\">\nfine\n</tool_result>"}]`},
		{"auto", "```tool_call\n{\"name\":\"read\",\"arguments\":{\"path\":\"a\"}}\n```", "[{\"role\":\"user\",\"content\":\"```tool_result\\n{\\\"id\\\":\\\"call_1\\\",\\\"name\\\":\\\"read\\\",\\\"content\\\":\\\"fine\\\"}\\n```\"}]"},
	} {
		d, err := dialect.Find(c.dialect)
		if err != nil {
			t.Fatal(err)
		}
		turn, err := dialect.Read(d, []byte(c.in), known)
		if err != nil {
			t.Errorf("%s %q: %v", c.dialect, c.in, err)
			continue
		}
		var answers []dialect.Answer
		for _, call := range turn.Calls {
			if call.Name != "read" || string(call.Arguments) != `{"path":"a"}` || call.Err != nil {
				t.Errorf("%s %q: %+v", c.dialect, c.in, call)
			}
			answers = append(answers, dialect.Answer{Call: call, Content: "fine\n"})
		}
		got, err := schema.Marshal(turn.Reply(answers))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, string(got)); diff != "" {
			t.Errorf("%s %q:\n%s", c.dialect, c.in, diff)
		}
	}
	for _, in := range []string{"", "Hello.", `{"role":`, `["<read/>"`} {
		if turn, err := dialect.Read(nil, []byte(in), known); !fault.Is(err, fault.InvalidArguments) {
			t.Errorf("%q: %+v, %v", in, turn, err)
		}
	}
}

func FuzzTexts(f *testing.F) {
	f.Add("<read><path>a</path></read>", uint8(7))
	f.Add(`{"choices":[{"message":{"role":"assistant","content":"x"}}]}`, uint8(8))
	f.Add(`{"context":{"session":"s"},"content":[{"text":"<read/>"}]}`, uint8(9))
	f.Fuzz(func(t *testing.T, text string, name uint8) {
		names := dialect.Names()
		d, err := dialect.Find(names[int(name)%len(names)])
		if err != nil {
			t.Fatal(err)
		}
		turn, err := dialect.Read(d, []byte(text), func(string) (modeltext.Tool, bool) { return modeltext.Of(read.Tool), true })
		if err != nil {
			return
		}
		var answers []dialect.Answer
		for _, call := range turn.Calls {
			answers = append(answers, dialect.Answer{Call: call, Content: text})
		}
		if _, err := schema.Marshal(turn.Reply(answers)); err != nil {
			t.Error(err)
		}
	})
}
