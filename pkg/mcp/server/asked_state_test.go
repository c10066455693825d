package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools"
)

// A state that is not the server's, or is another call's, is an error of the protocol, and
// nothing that a client sends beside it decides anything.
func TestForeignState(t *testing.T) {
	a := newAsking(t)
	session := a.manual()
	p := write("new\n")
	first, err := raw(t, session, p)
	if err != nil {
		t.Fatal(err)
	}
	good := again(t, p, first, yes)
	changed := func(change func(*mcp.CallToolParams)) *mcp.CallToolParams {
		next := *good
		change(&next)
		return &next
	}
	for name, next := range map[string]*mcp.CallToolParams{
		"tampered": changed(func(p *mcp.CallToolParams) { p.RequestState += "-TAMPERED" }),
		"cut":      changed(func(p *mcp.CallToolParams) { p.RequestState = p.RequestState[:len(p.RequestState)-1] }),
		"unsigned": changed(func(p *mcp.CallToolParams) { p.RequestState, _, _ = strings.Cut(p.RequestState, ".") }),
		"no state": changed(func(p *mcp.CallToolParams) { p.RequestState = "{}" }),
		"other arguments": changed(func(p *mcp.CallToolParams) {
			p.Arguments = map[string]any{"path": "b.txt", "content": "new\n"}
		}),
		"other tool": changed(func(p *mcp.CallToolParams) {
			p.Name, p.Arguments = "ls", map[string]any{}
		}),
	} {
		var wire *jsonrpc.Error
		if result, err := raw(t, session, next); !asWire(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s: %v, %+v", name, err, result)
		}
	}
	if got := a.states(); got != "pending" {
		t.Errorf("the request is %s", got)
	}
	a.env.Session = "another"
	var wire *jsonrpc.Error
	if result, err := raw(t, session, good); !asWire(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("of another session: %v, %+v", err, result)
	}
	a.env.Session = "s"
	// The same arguments in another spelling are the same call, and its state counts once.
	spelt := changed(func(p *mcp.CallToolParams) { p.Arguments = json.RawMessage(`{"content":"new\u000a", "path":"a.txt"}`) })
	if result, err := raw(t, session, spelt); err != nil || result.IsError || a.file("a.txt") != "new\n" {
		t.Fatalf("%v, %+v", err, result)
	}
	if err := os.Remove(filepath.Join(a.dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if result, err := raw(t, session, good); err != nil || !strings.Contains(text(result), "(approval_invalid)") || a.file("a.txt") != "" {
		t.Errorf("replayed: %v, %+v", err, result)
	}
}

// A state belongs to the tool that was called, also where tools_call calls it.
func TestStateOfDeferredTool(t *testing.T) {
	var called []string
	type args struct{}
	type result struct {
		Done bool `json:"done"`
	}
	var all []tools.Custom
	var rules []policy.Given
	for _, name := range []string{"far_one", "far_two"} {
		all = append(all, tools.Custom{Name: name, Server: "far", Deferred: true, Tool: tool.New(tool.Def[args, result]{
			Name: name, Risk: policy.Write, Doc: "Do it.",
			Run: func(context.Context, *tool.Call, args) (result, error) {
				called = append(called, name)
				return result{true}, nil
			},
			Text: func(result, screen.View) string { return "done" },
		})})
		rules = append(rules, policy.Given{Rule: policy.Rule{Tool: name, Decision: policy.Ask}, From: "test"})
	}
	a := newAsking(t, all...)
	var err error
	if a.approver.Policy, err = policy.New(rules, policy.Options{}); err != nil {
		t.Fatal(err)
	}
	session := a.manual()
	one := &mcp.CallToolParams{Name: "far_one", Arguments: map[string]any{}}
	first, err := raw(t, session, one)
	if err != nil {
		t.Fatal(err)
	}
	next := again(t, one, first, yes)
	other := *next
	other.Name = "far_two"
	var wire *jsonrpc.Error
	if result, err := raw(t, session, &other); !asWire(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams || a.states() != "pending" {
		t.Errorf("of another tool: %v, %+v; the request is %s", err, result, a.states())
	}
	if result, err := raw(t, session, next); err != nil || result.IsError || !slices.Equal(called, []string{"far_one"}) {
		t.Errorf("%v, %+v, called %v", err, result, called)
	}
}

func asWire(err error, wire **jsonrpc.Error) bool { return errors.As(err, wire) }
