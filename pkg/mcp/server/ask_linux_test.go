package server_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/custom"
)

// program returns a tool that is a shell script, which reads the call and prints content.
func program(t *testing.T, name, script string) tools.Custom {
	t.Helper()
	text, err := schema.Marshal(schema.Document{
		{Name: "name", Value: name}, {Name: "description", Value: "Do it."}, {Name: "risk", Value: "read"},
		{Name: "parameters", Value: json.RawMessage(`{"type":"object","properties":{"p":{"type":"string","description":"P."}}}`)},
		{Name: "run", Value: schema.Document{
			{Name: "argv", Value: []string{"sh", "-c", strings.NewReplacer("{", "{{", "}", "}}").Replace(script)}},
			{Name: "stdin", Value: "call"}, {Name: "output", Value: "content"},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	m, problems := manifest.Parse("m.json", text, manifest.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return tools.Custom{Name: name, Tool: custom.New(m, os.Environ())}
}

// newPrograms returns a workspace with such tools, about which the policy asks nothing.
func newPrograms(t *testing.T, scripts map[string]string) *asking {
	t.Helper()
	var all []tools.Custom
	for name, script := range scripts {
		all = append(all, program(t, name, script))
	}
	a := newAsking(t, all...)
	m := &tool.Machine{Settings: config.Exec{Sandbox: "none", Network: "none"}, Environ: os.Environ(), Home: "/home/nobody"}
	a.env.Machine = func() (*tool.Machine, error) { return m, nil }
	return a
}

// Blocks of a program reach the client as they are, and progress as it comes.
func TestContents(t *testing.T) {
	a := newPrograms(t, map[string]string{
		"blocks": `cat >/dev/null; echo '{"progress":0,"total":2,"message":"a"}'; echo '{"type":"progress","progress":1,"total":2}'; echo '{"progress":1}'; echo '{"progress":2,"total":2}'
printf '%s\n' '{"content":[{"type":"text","text":"a\n","annotations":{"audience":["user"],"priority":0.5}},{"type":"image","mimeType":"image/png","data":"AAE="},
{"type":"audio","mimeType":"audio/wav","data":"AAI="},{"type":"resource","resource":{"uri":"test://a","mimeType":"text/plain","text":"b"}},
{"type":"resource","resource":{"uri":"test://c","mimeType":"x/y","blob":"AAM="}},{"type":"resource_link","uri":"test://d","name":"d"}],"structuredContent":{"n":12345678901234567890}}'`,
		"failing": `echo '{"content":[{"type":"text","text":"why"},{"type":"image","mimeType":"image/png","data":"AAE="}],"isError":true}'`,
	})
	var told []float64
	var mu sync.Mutex
	tell := func(done, _ float64, _ string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, done)
	}
	a.env.Progress = tell
	eras(t, func(t *testing.T, era string) {
		session := a.client(era, mcp.ClientOptions{})
		told = nil
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "blocks"})
		if err != nil {
			t.Fatal(err)
		}
		want := []mcp.Content{
			&mcp.TextContent{Text: "a\n", Annotations: &mcp.Annotations{Audience: []mcp.Role{"user"}, Priority: 0.5}},
			&mcp.ImageContent{MIMEType: "image/png", Data: []byte{0, 1}}, &mcp.AudioContent{MIMEType: "audio/wav", Data: []byte{0, 2}},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "test://a", MIMEType: "text/plain", Text: "b"}},
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "test://c", MIMEType: "x/y", Blob: []byte{0, 3}}},
			&mcp.ResourceLink{URI: "test://d", Name: "d"},
		}
		if diff := cmp.Diff(want, result.Content); diff != "" || result.IsError {
			t.Error(diff)
		}
		if diff := cmp.Diff([]float64{0, 1, 2}, told); diff != "" {
			t.Error(diff)
		}
		if result, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "failing"}); err != nil || !result.IsError || len(result.Content) != 2 || text(result) != "why" {
			t.Errorf("%v, %+v", err, result)
		}
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range list.Tools {
			if one.Name == "blocks" && one.OutputSchema != nil {
				t.Errorf("results of %s are said to be %v", one.Name, one.OutputSchema)
			}
		}
	})
}

// asks is a program that asks twice, the second time with a state of its own.
const asks = `in=$(cat)
case $in in
*'"requestState":"two"'*) echo "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}],\"structuredContent\":$in}";;
*'"name":{'*) echo '{"inputRequests":{"ok":{"method":"elicitation/create","params":{"message":"sure?","requestedSchema":{"type":"object","properties":{"ok":{"type":"boolean"}}}}}},"requestState":"two"}';;
*) echo '{"inputRequests":{"name":{"method":"elicitation/create","params":{"message":"who?","requestedSchema":{"type":"object","properties":{"age":{"type":"integer","default":30}}}}},"where":{"method":"roots/list"}}}';;
esac`

// A program asks what it needs of the client, several times, and gets the answers, its
// arguments and its own state; the person allows each run where the policy asks.
func TestInput(t *testing.T) {
	for _, verdict := range []policy.Verdict{policy.Allow, policy.Ask} {
		t.Run(string(verdict), func(t *testing.T) {
			eras(t, func(t *testing.T, era string) {
				a := newPrograms(t, map[string]string{"asks": asks})
				a.options.Structured = true
				p, err := policy.New([]policy.Given{{Rule: policy.Rule{Tool: "asks", Decision: verdict}, From: "test"}}, policy.Options{})
				if err != nil {
					t.Fatal(err)
				}
				a.approver.Policy = p
				var asked, approved atomic.Int64
				o := elicit(&asked, func(p *mcp.ElicitParams) *mcp.ElicitResult {
					switch p.Message {
					case "who?":
						if schema, err := json.Marshal(p.RequestedSchema); err != nil || !strings.Contains(string(schema), `"default":30`) {
							t.Errorf("%s, %v", schema, err)
						}
						return accept(map[string]any{"age": 31})
					case "sure?":
						return &mcp.ElicitResult{Action: "decline"}
					}
					approved.Add(1)
					return yes
				})
				o.Capabilities = &mcp.ClientCapabilities{RootsV2: &mcp.RootCapabilities{}}
				result, err := a.client(era, o).CallTool(t.Context(), &mcp.CallToolParams{Name: "asks", Arguments: map[string]any{"p": "x"}})
				if err != nil || text(result) != "done" {
					t.Fatalf("%v, %s", err, text(result))
				}
				got, err := json.Marshal(result.StructuredContent)
				if err != nil {
					t.Fatal(err)
				}
				want := `{"arguments":{"p":"x"},"client":["elicitation","roots"],"inputResponses":{"ok":{"action":"decline"}},"requestState":"two"}`
				if diff := cmp.Diff(want, string(got)); diff != "" {
					t.Error(diff)
				}
				runs := map[policy.Verdict]int64{policy.Allow: 0, policy.Ask: 3}[verdict]
				if approved.Load() != runs || asked.Load() != runs+2 {
					t.Errorf("%d questions, %d about runs", asked.Load(), approved.Load())
				}
			})
		})
	}
}

// What the client did not declare cannot be asked for, and a program's state comes back as
// it was or not at all.
func TestInputRefused(t *testing.T) {
	a := newPrograms(t, map[string]string{"asks": asks, "broken": `echo '{"inputRequests":{"a":{"method":"elicitation/create","params":{"message":5}}}}'`})
	session := a.client(modern, mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}, MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}})
	var wire *jsonrpc.Error
	if result, err := raw(t, session, &mcp.CallToolParams{Name: "asks"}); !asWire(err, &wire) || wire.Code != mcp.CodeMissingRequiredClientCapabilities || string(wire.Data) != `{"requiredCapabilities":{"elicitation":{},"roots":{}}}` {
		t.Errorf("%v, %+v", err, result)
	}
	old := a.client(legacy, mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	if result, err := old.CallTool(t.Context(), &mcp.CallToolParams{Name: "asks"}); err != nil || !result.IsError || !strings.Contains(text(result), "(unsupported)") {
		t.Errorf("%v, %+v", err, result)
	}
	able := a.manual()
	if result, err := raw(t, able, &mcp.CallToolParams{Name: "broken"}); err != nil || !strings.Contains(text(result), "(bad_document)") {
		t.Errorf("%v, %+v", err, result)
	}
	p := &mcp.CallToolParams{Name: "asks", Arguments: map[string]any{"p": "x"}}
	p.InputResponses = mcp.InputResponseMap{"name": yes, "unknown": yes} // without state, as some clients send them
	second, err := raw(t, able, p)
	if err != nil || second.InputRequests["ok"] == nil || second.RequestState == "" {
		t.Fatalf("%v, %+v", err, second)
	}
	p.RequestState = second.RequestState + "-TAMPERED"
	if result, err := raw(t, able, p); !asWire(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("%v, %+v", err, result)
	}
	p.RequestState = second.RequestState
	if result, err := raw(t, able, p); err != nil || text(result) != "done" {
		t.Errorf("%v, %+v", err, result)
	}
}

// A client that fails to answer ends the call.
func TestInputUnanswered(t *testing.T) {
	a := newPrograms(t, map[string]string{"asks": asks})
	o := mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{RootsV2: &mcp.RootCapabilities{}}}
	o.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "no window"}
	}
	result, err := a.client(legacy, o).CallTool(t.Context(), &mcp.CallToolParams{Name: "asks"})
	if err != nil || !result.IsError || !strings.Contains(text(result), `the client did not answer "name": `) || !strings.Contains(text(result), "no window (unavailable)") {
		t.Errorf("%v, %+v", err, result)
	}
}
