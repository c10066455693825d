package dialect_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/turn/dialect"
)

// call is what a test compares of a call.
type call struct{ ID, Name, Args string }

func callsOf(t *dialect.Turn) []call {
	all := []call{}
	for _, c := range t.Calls {
		all = append(all, call{c.ID, c.Name, string(c.Arguments)})
	}
	return all
}

const (
	chatRead = `{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"x\"}"}}`
	chatLs   = `{"id":"c2","function":{"name":"ls","arguments":{"path":"."}},"index":1}`
	chatOwn  = `{"id":"c3","type":"custom","custom":{"name":"apply_patch","input":"*** Begin Patch"}}`

	itemRead  = `{"type":"function_call","id":"fc_1","call_id":"c1","name":"read","arguments":"{\"path\":\"x\"}","status":"completed"}`
	itemPatch = `{"type":"custom_tool_call","call_id":"c2","name":"apply_patch","input":"*** Begin Patch\n"}`
	itemText  = `{"type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Well."}]}`

	blockRead = `{"type":"tool_use","id":"t1","name":"read","input":{"path":"x"}}`
	blockBash = `{"type":"tool_use","id":"t2","name":"bash","input":{"command":"ls"},"toolset_name":"shell"}`
	blockText = `{"type":"text","text":"Well."}`
	blockWeb  = `{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"x"}}`

	partRead = `{"functionCall":{"id":"g1","name":"read","args":{"path":"x"}},"thoughtSignature":"abc"}`
	partLs   = `{"text":null,"function_call":{"id":null,"name":"ls","args":{"path":"."}},"thought_signature":null}`
	partText = `{"text":"Well."}`

	request = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":{"path":"x"},"_meta":{"progressToken":1}}}`
	plain   = `{"id":"p1","name":"read","arguments":{"path":"x"}}`
)

// documents are what providers return, with the calls in them.
var documents = func() []struct {
	name, dialect, in string
	want              []call
} {
	read := func(id string) call { return call{id, "read", `{"path":"x"}`} }
	ls := func(id string) call { return call{id, "ls", `{"path":"."}`} }
	return []struct {
		name, dialect, in string
		want              []call
	}{
		{"a tool call", "openai", chatRead, []call{read("c1")}},
		{"an array of tool calls", "openai", "[" + chatRead + "," + chatLs + "]\n", []call{read("c1"), ls("c2")}},
		{"nothing", "openai", `[]`, []call{}},
		{"a message", "openai", `{"role":"assistant","content":null,"tool_calls":[` + chatRead + `,` + chatLs + `],"function_call":null}`, []call{read("c1"), ls("c2")}},
		{"a message without calls", "openai", `{"role":"assistant","content":"done","tool_calls":null}`, []call{}},
		{"a message of parts without calls", "openai", `{"role":"assistant","content":[{"type":"text","text":"x"}]}`, []call{}},
		{"a completion", "openai", `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","tool_calls":[` + chatLs + `]}}]}`, []call{ls("c2")}},
		{"alternatives", "openai", `{"choices":[{"message":{"tool_calls":[` + chatRead + `]}},{"message":{"tool_calls":[` + chatLs + `]}}]}`, []call{read("c1")}},
		{"a custom tool call", "openai", `[` + chatOwn + `]`, []call{{"c3", "apply_patch", "*** Begin Patch"}}},
		{"no arguments", "openai", `{"id":"c","function":{"name":"time"}}`, []call{{"c", "time", "{}"}}},
		{"damaged calls", "openai", `[` + chatRead + `,{"id":7,"type":"custom"},5]`, []call{read("c1"), {"7", "", ""}, {}}},
		{"hopeless arguments", "openai", `{"id":"c","function":{"name":"time","arguments":"{\"a"}}`, []call{{"c", "time", `{"a`}}},
		{"a legacy call", "openai", `{"role":"assistant","content":null,"function_call":{"name":"read","arguments":"{\"path\":\"x\"}"}}`, []call{read("")}},
		{"the same id twice", "openai", `[` + chatRead + `,` + chatRead + `]`, []call{read("c1"), read("c1")}},
		{"a byte order mark", "openai", "\ufeff" + chatRead, []call{read("c1")}},

		{"an item", "openai-responses", itemRead, []call{read("c1")}},
		{"an output", "openai-responses", `[{"type":"reasoning","id":"rs_1","summary":[]},` + itemText + `,` + itemRead + `,` + itemPatch + `]`, []call{read("c1"), {"c2", "apply_patch", "*** Begin Patch\n"}}},
		{"a response", "openai-responses", `{"id":"resp_1","object":"response","status":"completed","output":[` + itemRead + `],"tools":[]}`, []call{read("c1")}},
		{"a response without calls", "openai-responses", `{"object":"response","output":[` + itemText + `]}`, []call{}},
		{"an item without a call_id", "openai-responses", `{"type":"function_call","id":"fc_1","name":"read","arguments":{"path":"x"}}`, []call{read("fc_1")}},
		{"a local shell", "openai-responses", `{"type":"local_shell_call","id":"ls_1","call_id":"c1","status":"completed","action":{"type":"exec","command":["ls","-l"],"env":{"B":"2","A":"1"},"working_directory":"d","timeout_ms":1500,"user":null}}`,
			[]call{{"c1", "exec", `{"argv":["ls","-l"],"cwd":"d","env":["A=1","B=2"],"timeout":2}`}}},
		{"a shell", "openai-responses", `[{"type":"shell_call","call_id":"c1","action":{"commands":["ls","pwd"],"timeout_ms":9000000000000000000,"max_output_length":4096}}]`,
			[]call{{"c1", "exec", `{"command":"ls","max_output":4096,"timeout":600}`}, {"c1", "exec", `{"command":"pwd","max_output":4096,"timeout":600}`}}},
		{"a shell without commands", "openai-responses", `{"type":"shell_call","call_id":"c1","action":{}}`, []call{{"c1", "exec", `{"command":""}`}}},
		{"a patch", "openai-responses", `{"type":"apply_patch_call","call_id":"c1","operation":{"type":"update_file","path":"a.txt","diff":"@@\n-a\n+b"}}`,
			[]call{{"c1", "patch", `{"patch":"*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** End Patch\n"}`}}},
		{"a patch that deletes", "openai-responses", `{"type":"apply_patch_call","call_id":"c1","operation":{"type":"delete_file","path":"a.txt"}}`,
			[]call{{"c1", "patch", `{"patch":"*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n"}`}}},
		{"a patch of two lines for a path", "openai-responses", `{"type":"apply_patch_call","call_id":"c1","operation":{"type":"delete_file","path":"a\n*** Delete File: b"}}`,
			[]call{{"c1", "patch", `{"type":"delete_file","path":"a\n*** Delete File: b"}`}}},

		{"a block", "anthropic", blockRead, []call{read("t1")}},
		{"a content", "anthropic", `[` + blockText + `,` + blockRead + `,` + blockWeb + `,` + blockBash + `]`, []call{read("t1"), {"t2", "bash", `{"command":"ls"}`}}},
		{"a message of blocks", "anthropic", `{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[` + blockText + `,` + blockRead + `],"stop_reason":"tool_use"}`, []call{read("t1")}},
		{"a message of blocks for the next request", "anthropic", `{"role":"assistant","content":[` + blockRead + `]}`, []call{read("t1")}},
		{"a message of blocks without calls", "anthropic", `{"type":"message","role":"assistant","content":[` + blockText + `],"stop_reason":"end_turn"}`, []call{}},
		{"an input in a string", "anthropic", `{"type":"tool_use","id":"t1","name":"read","input":"{\"path\":\"x\"}"}`, []call{read("t1")}},
		{"a block without a name", "anthropic", `{"type":"tool_use","id":"t1"}`, []call{{"t1", "", "{}"}}},

		{"a part", "gemini", partRead, []call{read("g1")}},
		{"parts", "gemini", `[` + partText + `,` + partLs + `]`, []call{ls("")}},
		{"a content of parts", "gemini", `{"role":"model","parts":[` + partRead + `,` + partLs + `]}`, []call{read("g1"), ls("")}},
		{"a content without calls", "gemini", `{"role":"model","parts":[` + partText + `]}`, []call{}},
		{"a GenerateContentResponse", "gemini", `{"candidates":[{"content":{"role":"model","parts":[` + partRead + `]},"finishReason":"STOP"}],"modelVersion":"gemini-3-pro"}`, []call{read("g1")}},
		{"a candidate", "gemini", `{"content":{"role":"model","parts":[` + partLs + `]},"finish_reason":"STOP"}`, []call{ls("")}},
		{"a blocked response", "gemini", `{"candidates":[],"promptFeedback":{"blockReason":"OTHER"}}`, []call{}},
		{"bare function calls", "gemini", `[{"name":"read","args":{"path":"x"}},{"id":"g2","name":"ls","args":{"path":"."}}]`, []call{read(""), ls("g2")}},

		{"a request", "mcp", request, []call{read("7")}},
		{"a batch", "mcp", `[` + request + `]`, []call{read("7")}},
		{"parameters", "mcp", `{"name":"read","arguments":{"path":"x"}}`, []call{read("")}},
		{"parameters without arguments", "mcp", `{"name":"time","_meta":{}}`, []call{{"", "time", "{}"}}},
		{"a request without parameters", "mcp", `{"jsonrpc":"2.0","id":"a","method":"tools/call"}`, []call{{"a", "", "{}"}}},

		{"one", "canonical", plain, []call{read("p1")}},
		{"words beside it", "canonical", `{"id":"p1","name":"read","actionName":"Reading","status":"pending","arguments":{"path":"x"}}`, []call{read("p1")}},
		{"an array", "canonical", `[` + plain + `,{"id":2,"name":"ls","arguments":"{\"path\":\".\"}"},{"name":"time"},5]`, []call{read("p1"), ls("2"), {"", "time", "{}"}, {"", "", "{}"}}},
	}
}()

// TestReads finds the dialect of each document, and its calls.
func TestReads(t *testing.T) {
	for _, c := range documents {
		for _, name := range []string{dialect.Auto, c.dialect} {
			t.Run(c.dialect+"/"+c.name+"/"+name, func(t *testing.T) {
				chosen, err := dialect.Find(name)
				if err != nil {
					t.Fatal(err)
				}
				got, err := dialect.Parse(chosen, []byte(c.in))
				if err != nil {
					t.Fatal(err)
				}
				if got.Dialect.Name != c.dialect {
					t.Errorf("dialect %s", got.Dialect.Name)
				}
				if diff := cmp.Diff(c.want, callsOf(got)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// TestChosen reads in a dialect what is another's by itself.
func TestChosen(t *testing.T) {
	for _, c := range []struct{ dialect, in, want string }{
		{"canonical", `{"name":"read","arguments":{}}`, `{"id":null,"name":"read","ok":true,"content":"done"}`},
		{"mcp", plain, `{"content":[{"type":"text","text":"done"}],"isError":false,"resultType":"complete"}`},
	} {
		d, err := dialect.Find(c.dialect)
		if err != nil {
			t.Fatal(err)
		}
		turn, err := dialect.Parse(d, []byte(c.in))
		if err != nil {
			t.Fatal(err)
		}
		if got := encode(t, turn.Reply([]dialect.Answer{{Call: turn.Calls[0], Content: "done"}})); got != c.want {
			t.Errorf("%s %s: %s", c.dialect, c.in, got)
		}
	}
	gemini, err := dialect.Find("gemini")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dialect.Parse(gemini, []byte(chatRead)); !fault.Is(err, fault.InvalidArguments) {
		t.Errorf("a call of openai in gemini: %v", err)
	}
	if _, err := dialect.Find("cobol"); !fault.Is(err, fault.Usage) || !strings.Contains(fault.As(err).Hint.String(), "anthropic") {
		t.Errorf("an unknown dialect: %v", err)
	}
}

func TestUnrecognised(t *testing.T) {
	for _, in := range []string{
		``, `3`, `"x"`, `{}`, `{"a":1}`, `[1]`, `[{}]`, `{"function":3}`, `{"choices":[]}`, `{"id":"c"`, "{\"role\":\"\xff\"}", `{"role":"user"`,
		`{"tool_calls":{}}`, `{"content":[{"type":"text","text":"x"}]}`, `{"output":[]}`, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `[{"name":"x","other":1}]`,
		`{"type":"web_search_call","id":"w"}`, `{"object":"response"}`, `{"args":{}}`, `[{"role":"user","content":"x"}]`,
	} {
		if turn, err := dialect.Parse(nil, []byte(in)); !fault.Is(err, fault.InvalidArguments) {
			t.Errorf("%q: %+v, %v, want invalid_arguments", in, turn, err)
		}
	}
}

func encode(t testing.TB, v any) string {
	t.Helper()
	text, err := schema.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestWrites answers the first call with a result, and the others with an error.
func TestWrites(t *testing.T) {
	picture := tool.Picture{Name: "a.png", MIME: "image/png", Data: []byte("img")}
	for _, c := range []struct {
		name, in string
		pictures []tool.Picture // with the first answer
		want     string
	}{
		{"openai", `[` + chatRead + `,` + chatLs + `]`, nil,
			`[{"role":"tool","tool_call_id":"c1","content":"<ok>"},{"role":"tool","tool_call_id":"c2","content":"error: no"}]`},
		{"openai, images", `[` + chatRead + `,` + chatLs + `]`, []tool.Picture{picture},
			`[{"role":"tool","tool_call_id":"c1","content":"<ok>"},{"role":"tool","tool_call_id":"c2","content":"error: no"},` +
				`{"role":"user","content":[{"type":"text","text":"c1: a.png"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aW1n"}}]}]`},
		{"openai, no calls", `{"role":"assistant","content":"x"}`, nil, `[]`},
		{"openai, legacy", `{"role":"assistant","function_call":{"name":"read","arguments":"{}"}}`, []tool.Picture{picture},
			`[{"role":"function","name":"read","content":"<ok>"},{"role":"user","content":[{"type":"text","text":"a.png"},{"type":"image_url","image_url":{"url":"data:image/png;base64,aW1n"}}]}]`},

		{"openai-responses", `[` + itemRead + `,` + itemPatch + `]`, nil,
			`[{"type":"function_call_output","call_id":"c1","output":"<ok>"},{"type":"custom_tool_call_output","call_id":"c2","output":"error: no"}]`},
		{"openai-responses, an image", itemRead, []tool.Picture{picture},
			`[{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"<ok>"},{"type":"input_image","image_url":"data:image/png;base64,aW1n"}]}]`},
		{"openai-responses, a caller", `{"type":"function_call","call_id":"c1","name":"read","arguments":"{}","caller":{"type":"program","caller_id":"p"}}`, nil,
			`[{"type":"function_call_output","call_id":"c1","output":"<ok>","caller":{"type":"program","caller_id":"p"}}]`},
		{"openai-responses, shell", `[{"type":"shell_call","call_id":"c1","action":{"commands":["ls","pwd"],"max_output_length":4096}},` + itemRead + `]`, nil,
			`[{"type":"shell_call_output","call_id":"c1","max_output_length":4096,"output":[{"stdout":"<ok>","stderr":"","outcome":{"type":"exit","exit_code":3}},` +
				`{"stdout":"","stderr":"error: no","outcome":{"type":"exit","exit_code":1}}]},{"type":"function_call_output","call_id":"c1","output":"error: no"}]`},
		{"openai-responses, local shell", `[{"type":"local_shell_call","id":"l","call_id":"c1","action":{"command":["ls"]}}]`, nil,
			`[{"type":"local_shell_call_output","id":"c1","output":"<ok>"}]`},
		{"openai-responses, patch", `[{"type":"apply_patch_call","call_id":"c1","operation":{}},{"type":"apply_patch_call","call_id":"c2","operation":{}}]`, nil,
			`[{"type":"apply_patch_call_output","call_id":"c1","status":"completed","output":"<ok>"},{"type":"apply_patch_call_output","call_id":"c2","status":"failed","output":"error: no"}]`},

		{"anthropic", `[` + blockRead + `,` + blockBash + `]`, nil,
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"<ok>"}]},` +
				`{"type":"tool_result","tool_use_id":"t2","toolset_name":"shell","content":[{"type":"text","text":"error: no"}],"is_error":true}]}]`},
		{"anthropic, images", blockRead, []tool.Picture{picture, picture},
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"<ok>"},` +
				`{"type":"text","text":"a.png"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aW1n"}},` +
				`{"type":"text","text":"a.png"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aW1n"}}]}]}]`},
		{"anthropic, an image", blockRead, []tool.Picture{picture},
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"<ok>"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aW1n"}}]}]}]`},
		{"anthropic, no calls", `{"type":"message","role":"assistant","content":[]}`, nil, `[]`},

		{"gemini", `[` + partRead + `,` + partLs + `]`, nil,
			`[{"role":"user","parts":[{"functionResponse":{"id":"g1","name":"read","response":{"output":"<ok>"}}},{"functionResponse":{"name":"ls","response":{"error":"error: no"}}}]}]`},
		{"gemini, an image", partRead, []tool.Picture{picture},
			`[{"role":"user","parts":[{"functionResponse":{"id":"g1","name":"read","response":{"output":"<ok>"},"parts":[{"inlineData":{"mimeType":"image/png","data":"aW1n"}}]}}]}]`},
		{"gemini 2, an image", `{"modelVersion":"gemini-2.5-pro","candidates":[{"content":{"parts":[` + partRead + `,` + partLs + `]}}]}`, []tool.Picture{picture},
			`[{"role":"user","parts":[{"functionResponse":{"id":"g1","name":"read","response":{"output":"<ok>"}}},{"functionResponse":{"name":"ls","response":{"error":"error: no"}}},{"inlineData":{"mimeType":"image/png","data":"aW1n"}}]}]`},

		{"mcp", request, []tool.Picture{picture},
			`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"<ok>"},{"type":"image","data":"aW1n","mimeType":"image/png"}],"structuredContent":{"exit_code":3},"isError":false,"resultType":"complete"}}`},
		{"mcp, a batch", `[` + request + `,` + request + `]`, nil,
			`[{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"<ok>"}],"structuredContent":{"exit_code":3},"isError":false,"resultType":"complete"}},` +
				`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"error: no"}],"isError":true,"resultType":"complete"}}]`},
		{"mcp, parameters", `{"name":"read","arguments":{}}`, nil,
			`{"content":[{"type":"text","text":"<ok>"}],"structuredContent":{"exit_code":3},"isError":false,"resultType":"complete"}`},

		{"canonical", plain, []tool.Picture{picture},
			`{"id":"p1","name":"read","ok":true,"content":"<ok>","data":{"exit_code":3},"images":[{"name":"a.png","mime":"image/png","data":"aW1n"}]}`},
		{"canonical, an array", `[` + plain + `,{"id":2,"name":"ls"}]`, nil,
			`[{"id":"p1","name":"read","ok":true,"content":"<ok>","data":{"exit_code":3}},{"id":2,"name":"ls","ok":false,"content":"error: no","error":{"code":"denied"}}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			turn, err := dialect.Parse(nil, []byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			answers := answersTo(turn)
			if len(answers) > 0 {
				answers[0].Pictures = c.pictures
			}
			if diff := cmp.Diff(c.want, encode(t, turn.Reply(answers))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// answersTo returns a result for the first call, and errors for the others.
func answersTo(turn *dialect.Turn) []dialect.Answer {
	answers := make([]dialect.Answer, len(turn.Calls))
	for i, c := range turn.Calls {
		answers[i] = dialect.Answer{Call: c, Content: "error: no", Failure: map[string]string{"code": "denied"}}
	}
	if len(answers) > 0 {
		answers[0] = dialect.Answer{Call: turn.Calls[0], Content: "<ok>", Data: json.RawMessage(`{"exit_code":3}`)}
	}
	return answers
}

// A text of white space alone is refused by Anthropic, and a command that ran out of
// time is said to have.
func TestWritesEdges(t *testing.T) {
	for _, c := range []struct{ in, content, data, want string }{
		{blockRead, "\n", `{}`, `[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1"}]}]`},
		{`{"type":"shell_call","call_id":"c1","action":{"commands":["x"]}}`, "part", `{"exit_code":-1,"timed_out":true}`,
			`[{"type":"shell_call_output","call_id":"c1","output":[{"stdout":"part","stderr":"","outcome":{"type":"timeout"}}]}]`},
		{`{"id":7,"method":"tools/call","params":{"name":"read"}}`, "x", ``, `{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"x"}],"isError":false,"resultType":"complete"}}`},
		{`{"method":"tools/call","params":{"name":"read"}}`, "x", ``, `{"content":[{"type":"text","text":"x"}],"isError":false,"resultType":"complete"}`},
		{request, "x", `[1]`, `{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"x"}],"isError":false,"resultType":"complete"}}`},
	} {
		turn, err := dialect.Parse(nil, []byte(c.in))
		if err != nil {
			t.Fatal(err)
		}
		if got := encode(t, turn.Reply([]dialect.Answer{{Call: turn.Calls[0], Content: c.content, Data: json.RawMessage(c.data)}})); got != c.want {
			t.Errorf("%s: %s", c.in, got)
		}
	}
}

// TestShare leaves the call of another's tool to the host, which has the answers in the
// order of the calls by inserting its own at their index.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		in     string
		passed []int
		want   string
	}{
		{`[` + chatRead + `,` + chatLs + `]`, []int{0},
			`{"messages":[{"role":"tool","tool_call_id":"c2","content":"error: no"}],"pass_through":[{"index":0,"call":` + chatRead + `}]}`},
		{`[` + chatRead + `]`, nil, `{"messages":[{"role":"tool","tool_call_id":"c1","content":"<ok>"}],"pass_through":[]}`},
		{`[{"type":"shell_call","call_id":"c1","action":{"commands":["ls","pwd"]}},` + itemRead + `]`, []int{0, 1, 2},
			`{"messages":[],"pass_through":[{"index":0,"call":{"type":"shell_call","call_id":"c1","action":{"commands":["ls","pwd"]}}},{"index":1,"call":` + itemRead + `}]}`},
		{`[` + blockText + `,` + blockRead + `,` + blockBash + `]`, []int{1},
			`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"<ok>"}]}]}],"pass_through":[{"index":1,"call":` + blockBash + `}]}`},
		{blockRead, []int{0}, `{"messages":[{"role":"user","content":[]}],"pass_through":[{"index":0,"call":` + blockRead + `}]}`},
		{partRead, []int{0}, `{"messages":[{"role":"user","parts":[]}],"pass_through":[{"index":0,"call":` + partRead + `}]}`},
		{request, []int{0}, `{"messages":[],"pass_through":[{"index":0,"call":` + request + `}]}`},
		{`{"role":"assistant","content":"x"}`, nil, `{"messages":[],"pass_through":[]}`},
	} {
		turn, err := dialect.Parse(nil, []byte(c.in))
		if err != nil {
			t.Fatal(err)
		}
		var own []dialect.Answer
		for i, a := range answersTo(turn) {
			if !slices.Contains(c.passed, i) {
				own = append(own, a)
			}
		}
		if diff := cmp.Diff(c.want, encode(t, turn.Share(own, c.passed))); diff != "" {
			t.Errorf("%s: %s", c.in, diff)
		}
	}
}

func TestContext(t *testing.T) {
	all := `"context":{"session":"s","channel":"telegram","to":"42"},`
	for _, in := range []string{
		`{` + all + `"tool_calls":[` + chatRead + `]}`,
		`{` + all + `"role":"assistant","content":[` + blockRead + `]}`,
		`{` + all + `"output":[` + itemRead + `]}`,
		`{` + all + `"parts":[` + partRead + `]}`,
		`{` + all + request[1:],
		`{` + all + plain[1:],
		`{` + all + `"name":"read","arguments":{"path":"x"}}`,
		`{` + all + `"calls":[` + plain + `]}`,
		`{` + all + `"calls":[` + blockText + `,` + blockRead + `]}`,
		`{` + all + `"calls":[]}`,
	} {
		turn, err := dialect.Parse(nil, []byte(in))
		if err != nil {
			t.Errorf("%s: %v", in, err)
		} else if want := (tool.Origin{Session: "s", Channel: "telegram", Chat: "42"}); turn.Origin != want || !strings.HasSuffix(in, `"calls":[]}`) && len(turn.Calls) != 1 {
			t.Errorf("%s: %+v, %d calls", in, turn.Origin, len(turn.Calls))
		}
	}
	for in, want := range map[string]tool.Origin{
		`{"tool_calls":[]}`:                                                                 {},
		`{"context":{},"tool_calls":[]}`:                                                    {},
		`{"context":{"session":null,"channel":""},"tool_calls":[]}`:                         {},
		`{"context":{"chat":"a","to":"a"},"tool_calls":[]}`:                                 {Chat: "a"},
		`{"context":{"turn":"t-7"},"tool_calls":[]}`:                                        {Turn: "t-7"},
		`{"context":{"chat_id":-1001,"session":7,"timezone":"Asia/Tokyo"},"tool_calls":[]}`: {Chat: "-1001", Session: "7", Timezone: "Asia/Tokyo"},
		`{"context":null,"tool_calls":[]}`:                                                  {},
		`{"role":"assistant","content":"x","context":{"citations":[],"intent":"[\"q\"]"}}`:  {}, // Azure
	} {
		if turn, err := dialect.Parse(nil, []byte(in)); err != nil || turn.Origin != want {
			t.Errorf("%s: %+v, %v", in, turn, err)
		}
	}
	for _, context := range []string{`"s"`, `[]`, `{"session":7.5}`, `{"session":[]}`, `{"timezone":8}`, `{"timezone":"Mars"}`, `{"chat":1,"chat_id":2}`, `{"sesion":"s"}`, `{"chat":"a","to":"b"}`, `{"session":"../x"}`, `{"channel":"\u0000"}`} {
		if _, err := dialect.Parse(nil, []byte(`{"context":`+context+`,"tool_calls":[]}`)); !fault.Is(err, fault.InvalidArguments) || fault.As(err).Hint.IsZero() {
			t.Errorf("%s: %v", context, err)
		}
	}
}

// Calls beside a wrong context are answered, each with its id, and not made.
func TestWrongContextIsAnswered(t *testing.T) {
	for _, context := range []string{`"s"`, `{"sesion":"s"}`, `{"session":"../x"}`} {
		turn, err := dialect.Parse(nil, []byte(`{"context":`+context+`,"calls":[`+plain+`]}`))
		if err != nil || len(turn.Calls) != 1 || turn.Calls[0].ID == "" || !fault.Is(turn.Calls[0].Err, fault.InvalidArguments) {
			t.Errorf("%s: %+v, %v", context, turn, err)
		}
	}
}

// FuzzParse: whatever a provider returns, each call in it gets an answer with its id.
func FuzzParse(f *testing.F) {
	for _, c := range documents {
		f.Add("auto", []byte(c.in))
		f.Add(c.dialect, []byte(c.in))
	}
	f.Add("auto", []byte(`{"context":{"session":"s"},"calls":[`+plain+`]}`))
	f.Fuzz(func(t *testing.T, name string, in []byte) {
		d, err := dialect.Find(name)
		if err != nil {
			return
		}
		turn, err := dialect.Parse(d, in)
		if err != nil {
			if fault.As(err).Code == fault.Internal {
				t.Errorf("%q: %v", in, err)
			}
			return
		}
		answers := answersTo(turn)
		reply := encode(t, turn.Reply(answers))
		if !json.Valid([]byte(reply)) {
			t.Fatalf("%q: %s", in, reply)
		}
		var want []string
		for i, c := range turn.Calls {
			if len(turn.Share(nil, []int{i}).PassThrough) == 1 { // not a further part of the call before
				want = append(want, c.ID)
			}
		}
		if turn.Dialect.Name == "mcp" && !strings.Contains(reply, `"jsonrpc"`) {
			want = make([]string, len(want)) // a bare result has no id
		}
		if got := idsIn(t, turn.Dialect.Name, reply); !slices.Equal(got, want) {
			t.Errorf("%q: ids %q in %s, want %q", in, got, reply, want)
		}
	})
}

// idsIn returns the ids of the answers in a reply, in order.
func idsIn(t *testing.T, name, reply string) (ids []string) {
	if strings.HasPrefix(reply, "{") {
		reply = "[" + reply + "]"
	}
	var all []struct {
		Role    string
		Name    string
		ID      json.RawMessage
		CallID  string          `json:"call_id"`
		Tool    string          `json:"tool_call_id"`
		JSONRPC string          `json:"jsonrpc"`
		Content json.RawMessage // blocks
		Parts   []struct {
			Response struct{ ID string } `json:"functionResponse"`
		}
	}
	if err := json.Unmarshal([]byte(reply), &all); err != nil {
		t.Fatalf("%v: %s", err, reply)
	}
	for _, m := range all {
		var id string
		if json.Unmarshal(m.ID, &id) != nil {
			id = string(m.ID) // a number
		}
		switch name {
		case "openai":
			ids = append(ids, m.Tool)
		case "openai-responses":
			ids = append(ids, m.CallID+id)
		case "anthropic":
			var blocks []struct {
				ID string `json:"tool_use_id"`
			}
			if err := json.Unmarshal(m.Content, &blocks); err != nil {
				t.Fatal(err)
			}
			for _, b := range blocks {
				ids = append(ids, b.ID)
			}
		case "gemini":
			for _, p := range m.Parts {
				ids = append(ids, p.Response.ID)
			}
		default:
			ids = append(ids, id)
		}
	}
	return ids
}

func ExampleParse() {
	turn, err := dialect.Parse(nil, []byte(`{"type":"tool_use","id":"t1","name":"read","input":{"path":"x"}}`))
	if err != nil {
		panic(err)
	}
	for _, c := range turn.Calls {
		fmt.Println(turn.Dialect.Name, c.ID, c.Name, string(c.Arguments))
	}
	// Output: anthropic t1 read {"path":"x"}
}
