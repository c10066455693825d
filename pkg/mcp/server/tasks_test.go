package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/mcp/server"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools"
)

// What clients declare with each request.
const (
	tasksToo = `{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
	noTasks  = `{"elicitation":{}}`
)

// wire is a client that speaks nothing but JSON, as it is sent.
type wire struct {
	t    *testing.T
	name string
	to   *io.PipeWriter
	from *bufio.Scanner
	over chan error
	id   int
}

// wire connects a client to a server of its own, over pipes.
func (a *asking) wire(name string) *wire {
	a.t.Helper()
	in, to := io.Pipe()
	from, out := io.Pipe()
	w := &wire{t: a.t, name: name, to: to, from: bufio.NewScanner(from), over: make(chan error, 1)}
	go func() { w.over <- server.New(a.options).Serve(context.Background(), in, out) }()
	a.t.Cleanup(w.close)
	return w
}

// close ends the connection, and waits until the server has ended.
func (w *wire) close() {
	_ = w.to.Close()
	if w.over != nil {
		<-w.over
	}
	w.over = nil
}

// reply is what the server answers.
type reply struct {
	ID     int                        `json:"id"`
	Result map[string]json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// is reports whether a member of the result is a text.
func (r reply) is(name, text string) bool { return string(r.Result[name]) == `"`+text+`"` }

func (r reply) String() string {
	text, _ := json.Marshal(r)
	return string(text)
}

// ask sends a request whose parameters are JSON members, and returns the answer to it.
func (w *wire) ask(method, can, params string) reply {
	w.t.Helper()
	w.id++
	if params != "" {
		params += ","
	}
	_, err := fmt.Fprintf(w.to, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":%q,"version":"1"},"io.modelcontextprotocol/clientCapabilities":%s,"progressToken":%d}}}`+"\n",
		w.id, method, params, w.name, can, w.id)
	if err != nil {
		w.t.Fatal(err)
	}
	for w.from.Scan() {
		var r reply
		if err := json.Unmarshal(w.from.Bytes(), &r); err != nil {
			w.t.Fatalf("%s: %v", w.from.Bytes(), err)
		}
		if r.ID == w.id {
			return r
		}
		if w.id > r.ID && r.ID > 0 {
			w.t.Fatalf("a second answer: %s", w.from.Bytes())
		}
	}
	w.t.Fatalf("no answer to %s: %v", method, w.from.Err())
	return reply{}
}

// task calls a tool, which is answered with a task, and returns its id.
func (w *wire) task(params string) string {
	w.t.Helper()
	r := w.ask("tools/call", tasksToo, params)
	var id string
	if !r.is("resultType", "task") || json.Unmarshal(r.Result["taskId"], &id) != nil || !r.is("status", "working") {
		w.t.Fatalf("no task: %s", r)
	}
	for _, name := range []string{"result", "error", "inputRequests", "requestState", "ttl"} {
		if r.Result[name] != nil {
			w.t.Errorf("the handle has %s: %s", name, r)
		}
	}
	return id
}

func ofTask(id string) string { return `"taskId":"` + id + `"` }

// until asks for a task until it has a status, or has ended.
func (w *wire) until(id, status string) reply {
	w.t.Helper()
	for {
		r := w.ask("tasks/get", tasksToo, ofTask(id))
		if !r.is("resultType", "complete") {
			w.t.Fatalf("%s", r)
		}
		if r.is("status", status) {
			return r
		}
		if !r.is("status", "working") && !r.is("status", "input_required") {
			w.t.Fatalf("not %s: %s", status, r)
		}
	}
}

// slow is a tool that says what it does when it is told to.
type slow struct {
	begun chan struct{}
	end   chan string
}

func newSlow() *slow { return &slow{make(chan struct{}, 9), make(chan string)} }

func (s *slow) tool() tools.Custom {
	type args struct{}
	type result struct {
		Said string `json:"said"`
	}
	return tools.Custom{Name: "slow", Tool: tool.New(tool.Def[args, result]{
		Name: "slow", Risk: policy.Read, Doc: "Take long.", Timeout: time.Hour,
		Run: func(ctx context.Context, _ *tool.Call, _ args) (result, error) {
			s.begun <- struct{}{}
			select {
			case said := <-s.end:
				return result{said}, nil
			case <-ctx.Done():
				return result{}, context.Cause(ctx)
			}
		},
		Text: func(r result, _ screen.View) string { return r.Said },
	})}
}

const callSlow = `"name":"slow","arguments":{}`

// A call that takes long is answered with a task, which has the result that the call has
// without one, also for the next process.
func TestTaskResult(t *testing.T) {
	s := newSlow()
	a := newAsking(t, s.tool())
	a.options.TaskAfter, a.options.Structured = time.Millisecond, true
	w := a.wire("judge")
	id := w.task(callSlow)
	if r := w.ask("tasks/get", tasksToo, ofTask(id)); !r.is("status", "working") || r.Result["result"] != nil || string(r.Result["ttlMs"]) != "86400000" || r.Result["pollIntervalMs"] == nil {
		t.Errorf("%s", r)
	}
	if r := w.ask("tasks/update", tasksToo, ofTask(id)+`,"inputResponses":{"x":{"what":1}}`); !r.is("resultType", "complete") || r.Result["taskId"] != nil {
		t.Errorf("%s", r)
	}
	s.end <- "forty-two"
	kept := string(w.until(id, "completed").Result["result"])

	go func() { s.end <- "forty-two" }()
	plain := w.ask("tools/call", noTasks, callSlow)
	for _, name := range []string{"content", "structuredContent"} {
		if part := string(plain.Result[name]); part == "" || !strings.Contains(kept, part) {
			t.Errorf("%s without a task is %q, with one: %s", name, part, kept)
		}
	}
	w.close()
	next := a.wire("judge")
	if r := next.until(id, "completed"); string(r.Result["result"]) != kept {
		t.Errorf("%s", r)
	}
	if r := next.ask("tasks/cancel", tasksToo, ofTask(id)); !r.is("resultType", "complete") {
		t.Errorf("%s", r)
	}
	next.until(id, "completed")
}

// A task is only for whoever began it, and for a request that says that its client knows
// tasks. The methods of the older tasks are unknown.
func TestTaskRefusals(t *testing.T) {
	s := newSlow()
	a := newAsking(t, s.tool())
	a.options.TaskAfter = time.Millisecond
	w, other := a.wire("judge"), a.wire("other")
	id := w.task(callSlow)
	for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
		r := w.ask(method, noTasks, ofTask(id))
		if r.Error == nil || r.Error.Code != -32021 || string(r.Error.Data) != `{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}` {
			t.Errorf("%s undeclared: %s", method, r)
		}
		none := w.ask(method, tasksToo, ofTask("AAAAAAAAAAAAAAAAAAAAAAAAAA"))
		if none.Error == nil || none.Error.Code != -32602 {
			t.Errorf("%s of no task: %s", method, none)
		}
		if r := other.ask(method, tasksToo, ofTask(id)); r.Error == nil || r.Error.Message != none.Error.Message || r.Error.Code != none.Error.Code {
			t.Errorf("%s of another's task: %s", method, r)
		}
		for _, wrong := range []string{"", `"taskId":7`, `"taskId":"../../x"`} {
			if r := w.ask(method, tasksToo, wrong); r.Error == nil || r.Error.Code != -32602 {
				t.Errorf("%s with %s: %s", method, wrong, r)
			}
		}
	}
	for _, method := range []string{"tasks/result", "tasks/list"} {
		if r := w.ask(method, tasksToo, ofTask(id)); r.Error == nil || r.Error.Code != -32601 {
			t.Errorf("%s: %s", method, r)
		}
	}
	if r := w.ask("tools/call", tasksToo, `"name":"time","arguments":{},"task":{"ttl":60000}`); r.Error != nil {
		t.Errorf("%s", r)
	}
	if r := w.ask("tasks/get", tasksToo, ofTask(id)); !r.is("status", "working") {
		t.Errorf("somebody else changed it: %s", r)
	}
}

// A task that is canceled ends its call, and so does the end of the connection.
func TestTaskCanceled(t *testing.T) {
	s := newSlow()
	a := newAsking(t, s.tool())
	a.options.TaskAfter = time.Millisecond
	w := a.wire("judge")
	first, second := w.task(callSlow), w.task(callSlow)
	if r := w.ask("tasks/cancel", tasksToo, ofTask(first)); !r.is("resultType", "complete") || r.Result["status"] != nil {
		t.Errorf("%s", r)
	}
	if r := w.until(first, "cancelled"); r.Result["result"] != nil || r.Result["error"] != nil {
		t.Errorf("%s", r)
	}
	w.until(second, "working")
	w.close()
	a.wire("judge").until(second, "cancelled")
}

// What a call needs of the client at once is asked by its result; what it needs later is
// asked by the task, under a key for each time.
func TestTaskAsks(t *testing.T) {
	a := newAsking(t)
	w := a.wire("judge")
	write := `"name":"write","arguments":{"path":"a","content":"x"}`
	if r := w.ask("tools/call", tasksToo, write); !r.is("resultType", "input_required") || r.Result["taskId"] != nil {
		t.Errorf("%s", r)
	}

	gate := make(chan struct{})
	decide := a.env.Decide
	a.env.Decide = func(ctx context.Context, c *tool.Call) error {
		<-gate
		return decide(ctx, c)
	}
	a.options.TaskAfter = time.Millisecond
	w = a.wire("judge")
	id := w.task(write)
	close(gate)
	var requests map[string]struct {
		Method string `json:"method"`
	}
	r := w.until(id, "input_required")
	if err := json.Unmarshal(r.Result["inputRequests"], &requests); err != nil || requests["approval"].Method != "elicitation/create" || a.file("a") != "" {
		t.Fatalf("%s", r)
	}
	answer := func(value string) reply {
		return w.ask("tasks/update", tasksToo, ofTask(id)+`,"inputResponses":{"approval":`+value+`}`)
	}
	for _, wrong := range []string{`{"what":1}`, `7`, `null`} {
		if r := answer(wrong); r.Error == nil || r.Error.Code != -32602 {
			t.Errorf("%s: %s", wrong, r)
		}
	}
	if r := answer(`{"action":"accept","content":{"decision":"allow"}}`); !r.is("resultType", "complete") || len(r.Result) > 2 {
		t.Errorf("%s", r)
	}
	if r := w.until(id, "completed"); a.file("a") != "x\n" || strings.Contains(string(r.Result["result"]), "requestState") {
		t.Errorf("%s, %q", r, a.file("a"))
	}
}

// What clients of older revisions are told has nothing of tasks.
func TestTaskEras(t *testing.T) {
	a := newAsking(t)
	w := a.wire("judge")
	if r := w.ask("server/discover", tasksToo, ""); !strings.Contains(string(r.Result["capabilities"]), `"io.modelcontextprotocol/tasks":{}`) {
		t.Errorf("%s", r)
	}
	w = a.wire("judge")
	w.id++
	if _, err := fmt.Fprintf(w.to, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":%s,"clientInfo":{"name":"x","version":"1"}}}`+"\n", tasksToo); err != nil {
		t.Fatal(err)
	}
	if !w.from.Scan() || strings.Contains(w.from.Text(), "tasks") || !strings.Contains(w.from.Text(), `"listChanged"`) {
		t.Errorf("%s", w.from.Text())
	}
}
