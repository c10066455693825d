package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/mcp/server"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

const initialize = `{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"judge","version":"1"}}}`

// rpc is a message of the server.
type rpc struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int
		Message string
	} `json:"error"`
}

// messages reads what a server wrote: nothing but messages, a line each.
func messages(t *testing.T, out []byte) (all []rpc) {
	t.Helper()
	if len(out) > 0 && out[len(out)-1] != '\n' {
		t.Errorf("the end is no line: %.200q", out[bytes.LastIndexByte(out, '\n')+1:])
	}
	for l := range bytes.Lines(out) {
		var batch []rpc
		if l[0] != '[' {
			l = slices.Concat([]byte{'['}, l, []byte{']'})
		}
		if err := json.Unmarshal(l, &batch); err != nil {
			t.Fatalf("%v: %.200q", err, l)
		}
		for _, m := range batch {
			if m.Version != "2.0" || m.Method == "" && m.Result == nil == (m.Error == nil) {
				t.Errorf("no message: %.200q", l)
			}
			all = append(all, m)
		}
	}
	return all
}

// said serves a client that writes all at once, and closes its end.
func said(t *testing.T, o server.Options, lines ...string) []rpc {
	t.Helper()
	var out bytes.Buffer
	if err := server.New(o).Serve(t.Context(), strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	return messages(t, out.Bytes())
}

// answers returns the answers by their ids.
func answers(all []rpc) map[string]rpc {
	by := map[string]rpc{}
	for _, m := range all {
		if m.Method == "" {
			by[string(m.ID)] = m
		}
	}
	return by
}

// waiting is a tool whose calls end with their context, or after a minute.
func waiting(began chan<- struct{}, ended chan<- error) tools.Custom {
	return tools.Custom{Name: "wait", Tool: tool.New(tool.Def[struct{}, struct{}]{Name: "wait", Risk: policy.Read, Doc: "Wait.", Run: func(ctx context.Context, _ *tool.Call, _ struct{}) (struct{}, error) {
		began <- struct{}{}
		select {
		case <-ctx.Done():
		case <-time.After(time.Minute):
		}
		ended <- ctx.Err()
		return struct{}{}, ctx.Err()
	}})}
}

func callOf(id int, name, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, name, arguments)
}

// All that came before the client's end is answered, also what takes long, and what would
// ask a client that cannot answer any more.
func TestAnswersWhatCameBeforeTheEnd(t *testing.T) {
	began, ended := make(chan struct{}, 9), make(chan error, 9)
	a := newAsking(t, waiting(began, ended))
	var by map[string]rpc
	lines := []string{
		initialize, callOf(1, "wait", "{}"), callOf(2, "write", `{"path":"a.txt","content":"x"}`), callOf(3, "read", `{"path":"none"}`),
		`[` + callOf(4, "wait", "{}") + `,{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":5,"method":"ping"}]`,
		`{"jsonrpc":"2.0","id":6,"method":"ping"`, // cut off
	}
	synctest.Test(t, func(t *testing.T) { by = answers(said(t, a.options, lines...)) })
	if len(by) != 7 {
		t.Errorf("%d answers: %v", len(by), by)
	}
	for id, want := range map[string]string{"1": `"isError":false`, "4": `"isError":false`, "2": "approval_required", "3": "not_found", "5": "{}"} {
		got := string(by[id].Result)
		if want == `"isError":false` && !strings.Contains(got, "isError") {
			want = "content"
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
	if e := by["6"].Error; e == nil || e.Code != -32700 {
		t.Errorf("half a line: %+v", by["6"])
	}
	for range 2 {
		if err := <-ended; err != nil {
			t.Errorf("a call was cut short: %v", err)
		}
	}
}

// What is no message is answered with an error, under the id that it has, and the session
// goes on.
func TestGoesOnAfterWhatIsNoMessage(t *testing.T) {
	a := newAsking(t)
	type want struct {
		id   string
		code int
	}
	cases := map[string]want{
		"x":                                      {"null", -32700},
		"{":                                      {"null", -32700},
		"{}":                                     {"null", -32600},
		"[]":                                     {"null", -32600},
		"null":                                   {"null", -32600},
		"5":                                      {"null", -32600},
		`"x"`:                                    {"null", -32600},
		"[[]]":                                   {"null", -32600},
		"\xff\xfe":                               {"null", -32700},
		"Content-Length: 5":                      {"null", -32700},
		`{"id":11}`:                              {"11", -32600},
		`{"jsonrpc":"1.0","id":12,"method":"p"}`: {"12", -32600},
		`{"jsonrpc":2.0,"id":13,"method":"p"}`:   {"13", -32600},
		`{"jsonrpc":"2.0","id":14}`:              {"14", -32600},
		`{"jsonrpc":"2.0","id":15,"method":5}`:   {"15", -32600},
		`{"jsonrpc":"2.0","id":16,"method":null}`:                                                                               {"16", -32600},
		`{"jsonrpc":"2.0","id":17,"method":""}`:                                                                                 {"17", -32600},
		`{"jsonrpc":"2.0","id":18,"method":"no"}`:                                                                               {"18", -32601},
		`{"jsonrpc":"2.0","id":19,"method":"tools/call"}`:                                                                       {"19", -32600},
		`{"jsonrpc":"2.0","id":20,"method":"tools/call","params":[]}`:                                                           {"20", -32602},
		`{"jsonrpc":"2.0","id":21,"method":"tools/call","params":null}`:                                                         {"21", -32600},
		`{"jsonrpc":"2.0","id":22,"method":"tools/call","params":"x"}`:                                                          {"22", -32602},
		`{"jsonrpc":"2.0","id":23,"method":"tools/call","params":{"name":{}}}`:                                                  {"23", -32602},
		`{"jsonrpc":"2.0","id":24,"method":"tools/call","params":{"name":"none"}}`:                                              {"24", -32602},
		`{"jsonrpc":"2.0","id":25,"method":"tools/list","params":{"cursor":"none"}}`:                                            {"25", -32602},
		`{"jsonrpc":"2.0","id":26,"method":"tools/list","params":{"_meta":5}}`:                                                  {"26", -32602},
		`{"jsonrpc":"2.0","id":27,"method":"ping","x":` + strings.Repeat("[", 20_000) + `}`:                                     {"27", -32700},
		`{"jsonrpc":"2.0","id":28,"method":"resources/read","params":{}}`:                                                       {"28", -32602},
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`:                                                                           {"null", -32600},
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`:                                                                             {"null", -32600},
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`:                                                                            {"1.5", -32600},
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`:                                                               {"9007199254740993", -32600},
		`{"jsonrpc":"2.0","id":"half","method":"tools/ca`:                                                                       {`"half"`, -32700},
		`{"jsonrpc":"2.0","id":29,"method":"notifications/initialized"}`:                                                        {"29", -32600},
		`{"jsonrpc":"2.0","id":30,"method":"server/discover","params":{}}`:                                                      {"30", -32601},
		`{"jsonrpc":"2.0","id":31,"method":"` + strings.Repeat("é", 1<<20) + `"}`:                                               {"31", -32601},
		`{"jsonrpc":"2.0","id":32,"method":"tools/call","params":{"name":"read","_meta":{"progressToken":{}}}}}`:                {"32", -32700},
		`{"jsonrpc":"2.0","id":33,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`: {"33", -32602},
	}
	lines := []string{initialize}
	var wanted []want
	for l, w := range cases {
		lines, wanted = append(lines, l), append(wanted, w)
	}
	// These are nobody's, and get no answer.
	lines = append(lines, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`,
		`{"jsonrpc":"2.0","id":900,"result":{}}`, `{"jsonrpc":"2.0","id":900,"error":7}`, `{"jsonrpc":"2.0","method":"tools/call","params":7}`, "", " \r")
	lines = append(lines, callOf(99, "read", `{"path":"."}`))
	all := said(t, a.options, lines...)
	var got []want
	for _, m := range all {
		if m.Error != nil {
			got = append(got, want{string(m.ID), m.Error.Code})
			if len(m.Error.Message) > 1100 {
				t.Errorf("%s: a message of %d bytes", m.ID, len(m.Error.Message))
			}
		}
	}
	order := func(a, b want) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
	slices.SortFunc(got, order)
	slices.SortFunc(wanted, order)
	if !slices.Equal(got, wanted) {
		t.Errorf("got  %v\nwant %v", got, wanted)
	}
	if last := answers(all)["99"]; last.Result == nil {
		t.Errorf("the last call: %+v", last)
	}
}

// A line of 100 MB is refused under its id, and is not kept.
func TestRefusesLongLine(t *testing.T) {
	a := newAsking(t)
	in := io.MultiReader(strings.NewReader(initialize+"\n"+`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"`),
		io.LimitReader(endless('x'), 100<<20), strings.NewReader("\"}}\n"+`{"jsonrpc":"2.0","id":8,"method":"ping"}`))
	var out bytes.Buffer
	if err := server.New(a.options).Serve(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	by := answers(messages(t, out.Bytes()))
	if e := by["7"].Error; e == nil || e.Code != -32600 {
		t.Errorf("%+v", by["7"])
	}
	if by["8"].Result == nil {
		t.Errorf("%+v", by["8"])
	}
}

type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// One id has one answer: a second request with it is refused while the first is open.
func TestRefusesIDInUse(t *testing.T) {
	began, ended := make(chan struct{}, 9), make(chan error, 9)
	a := newAsking(t, waiting(began, ended))
	var all []rpc
	synctest.Test(t, func(t *testing.T) {
		all = said(t, a.options, initialize, callOf(1, "wait", "{}"), callOf(1, "wait", "{}"))
	})
	if len(began) != 1 || len(all) != 3 || answers(all)["1"].Result == nil || answers(all)["null"].Error == nil {
		t.Errorf("%d calls: %+v", len(began), all)
	}
}

// broken is a standard output that nobody reads.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// A call ends when its client cancels it, closes both ends, or the server is to end, even
// if nobody takes what it writes.
func TestEndsCalls(t *testing.T) {
	for name, end := range map[string]func(say io.Writer, cancel func()){
		"cancelled": func(say io.Writer, _ func()) {
			_, _ = io.WriteString(say, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`+"\n") // the server reads it
		},
		"gone": func(say io.Writer, _ func()) {
			_, _ = io.WriteString(say, `{"jsonrpc":"2.0","id":2,"method":"ping"}`+"\n")
		}, // as above
		"stopped": func(_ io.Writer, cancel func()) { cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			began, ended := make(chan struct{}), make(chan error)
			a := newAsking(t, waiting(began, ended))
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			in, say := io.Pipe()
			blocked, out := io.Pipe()
			defer func() { _ = blocked.Close() }() // it cannot fail
			var buffer safeBuffer
			var to io.Writer = &buffer
			first := initialize + "\n"
			switch name {
			case "gone":
				to, first = broken{}, ""
			case "stopped":
				to, first = out, ""
			}
			served := make(chan error, 1)
			go func() { served <- server.New(a.options).Serve(ctx, in, to) }()
			call := strings.Replace(callOf(1, "wait", "{}"), `"params":{`, `"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},`, 1)
			go func() { _, _ = io.WriteString(say, first+call+"\n") }()
			<-began
			end(say, cancel)
			if err := <-ended; err == nil {
				t.Error("the call ran on")
			}
			_ = say.Close()
			if err := <-served; err != nil {
				t.Error(err)
			}
			if _, ok := answers(messages(t, buffer.bytes()))["1"]; ok {
				t.Errorf("a cancelled call is answered: %s", buffer.bytes())
			}
		})
	}
}

// safeBuffer is a buffer for several goroutines.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) bytes() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return bytes.Clone(b.b.Bytes())
}
