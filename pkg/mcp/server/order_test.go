package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/policy"
)

// drawn is a call that was drawn at random, and what it comes to after all calls before it.
type drawn struct {
	tool, arguments string
	fails           bool
	shows           string // by the result of a read
}

// draw returns the calls of some turns, and the files that they leave.
func draw(from *rand.Rand, calls int) (all []drawn, files map[string]string) {
	names := []string{"a.txt", "b.txt", "c.txt"}
	files = map[string]string{}
	for n := range calls {
		name, other := names[from.IntN(3)], names[from.IntN(3)]
		old, there := files[name]
		_, taken := files[other]
		text := fmt.Sprintf("version %d", n)
		d := drawn{fails: !there}
		switch kind := from.IntN(8); {
		case kind < 2:
			d = drawn{tool: "write", arguments: fmt.Sprintf(`{"path":%q,"content":%q}`, name, text)}
			files[name] = text
		case kind < 4 && there:
			d.tool, d.arguments = "edit", fmt.Sprintf(`{"path":%q,"old_text":%q,"new_text":%q}`, name, old, text)
			files[name] = text
		case kind == 4 && there:
			d.tool, d.arguments = "delete", fmt.Sprintf(`{"path":%q}`, name)
			delete(files, name)
		case kind == 5 && there && !taken:
			d.tool, d.arguments = "move", fmt.Sprintf(`{"from":%q,"to":%q}`, name, other)
			files[other] = old
			delete(files, name)
		default:
			d.tool, d.arguments, d.shows = "read", fmt.Sprintf(`{"path":%q}`, name), old
		}
		all = append(all, d)
	}
	return all, files
}

// TestOrderOfFiles writes two hundred turns of calls of the tools for files, drawn at random,
// each server's all at once: all come to what a model of the file system says.
func TestOrderOfFiles(t *testing.T) {
	t.Parallel()
	from := rand.New(rand.NewPCG(3, 4))
	const servers, turns, callsOfTurn = 10, 20, 4
	all, err := policy.New([]policy.Given{{Rule: policy.Rule{Tool: "*", Decision: policy.Allow}, From: "test"}}, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range servers {
		a := newAsking(t)
		a.approver.Policy = all
		all, files := draw(from, turns*callsOfTurn)
		lines := []string{initialize}
		for n, d := range all {
			lines = append(lines, callOf(n, d.tool, d.arguments))
		}
		by := answers(said(t, a.options, lines...))
		for n, d := range all {
			var r hostResult
			if err := json.Unmarshal(by[strconv.Itoa(n)].Result, &r); err != nil {
				t.Fatal(err)
			}
			if got := texts(r); r.IsError != d.fails || !strings.Contains(got+"\n", d.shows+"\n") {
				t.Errorf("%d: %s %s: %q, want %q", n, d.tool, d.arguments, got, d.shows)
			}
		}
		left, err := os.ReadDir(a.dir)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if got := a.file(name); got != text+"\n" {
				t.Errorf("%s: %q, want %q", name, got, text)
			}
		}
		if len(left) != len(files) {
			t.Errorf("%d files are left, want %d", len(left), len(files))
		}
	}
}

// TestOrderOfListeners: a client that listens to changes, whose request stays open, has its
// calls answered.
func TestOrderOfListeners(t *testing.T) {
	t.Parallel()
	a := newAsking(t)
	a.options.Elicit = false
	c := a.client(modern, mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {}})
	soon, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	r, err := c.CallTool(soon, &mcp.CallToolParams{Name: "ls", Arguments: map[string]any{}})
	if err != nil || r.IsError {
		t.Errorf("%v, %+v", err, r)
	}
}
