package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/server"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

// A client that wants to know hears that a call goes on, in numbers that grow, whatever
// the tool says when; one that does not hears nothing.
func TestTellsThatCallsGoOn(t *testing.T) {
	says := tools.Custom{Name: "says", Tool: tool.New(tool.Def[struct{}, struct{}]{Name: "says", Risk: policy.Read, Doc: "Say.", Run: func(_ context.Context, c *tool.Call, _ struct{}) (struct{}, error) {
		if tell := c.Home.Progress; tell != nil {
			for _, done := range []float64{0, 1, 1, 0.5} {
				tell(done, 2, "at work")
			}
			<-time.After(12 * time.Second)
			tell(2, 2, "nearly")
		}
		return struct{}{}, nil
	}})}
	began, ended := make(chan struct{}, 9), make(chan error, 9)
	a := newAsking(t, waiting(began, ended), says)
	token := func(call, token string) string {
		return strings.Replace(call, `"params":{`, `"params":{"_meta":{"progressToken":`+token+`},`, 1)
	}
	var all []rpc
	synctest.Test(t, func(t *testing.T) {
		all = said(t, a.options, initialize, token(callOf(1, "wait", "{}"), `"w"`), token(callOf(2, "says", "{}"), "7"), callOf(3, "wait", "{}"))
	})
	heard, last := map[string][]string{}, map[string]float64{}
	for _, m := range all {
		if m.Method != "notifications/progress" {
			continue
		}
		var p struct {
			Token    any `json:"progressToken"`
			Progress float64
			Message  string
		}
		if err := json.Unmarshal(m.Params, &p); err != nil {
			t.Fatal(err)
		}
		of := fmt.Sprint(p.Token)
		if len(heard[of]) > 0 && p.Progress <= last[of] {
			t.Errorf("%s: %v after %v", of, p.Progress, last[of])
		}
		heard[of], last[of] = append(heard[of], p.Message), p.Progress
	}
	if got := heard["w"]; len(got) < 11 || got[0] != "running for 5 s" || last["w"] < 55 {
		t.Errorf("by time: %q", got)
	}
	if got := strings.Join(heard["7"], ", "); got != "at work, at work, at work, at work, running for 5 s, running for 10 s, nearly" || last["7"] != 2 {
		t.Errorf("by the tool: %s, last %v", got, last["7"])
	}
	if len(heard) != 2 {
		t.Errorf("%v", heard)
	}
}

// A tool that reports with every bit of its work does not flood a client, which still
// hears what it said last.
func TestTellsNotTooOften(t *testing.T) {
	hurries := tools.Custom{Name: "hurries", Tool: tool.New(tool.Def[struct{}, struct{}]{Name: "hurries", Risk: policy.Read, Doc: "Hurry.", Run: func(_ context.Context, c *tool.Call, _ struct{}) (struct{}, error) {
		for n := range 100_000 {
			c.Progress(float64(n+1), 100_000, fault.T("step %d", n+1))
			if n%1000 == 999 {
				<-time.After(40 * time.Millisecond)
			}
		}
		<-time.After(500 * time.Millisecond)
		return struct{}{}, nil
	}})}
	a := newAsking(t, hurries)
	var all []rpc
	synctest.Test(t, func(t *testing.T) {
		all = said(t, a.options, initialize, strings.Replace(callOf(1, "hurries", "{}"), `"params":{`, `"params":{"_meta":{"progressToken":7},`, 1))
	})
	heard, last := 0, ""
	for _, m := range all {
		if m.Method == "notifications/progress" {
			heard++
			last = string(m.Params)
		}
	}
	if heard < 20 || heard > 40 { // ten at once, then one in 200 ms of 4 s
		t.Errorf("heard %d times", heard)
	}
	if !strings.Contains(last, `"progress":100000`) || !strings.Contains(last, `"message":"step 100000"`) {
		t.Errorf("heard last: %s", last)
	}
}

// A client that asks for nothing hears of a change of the tools, once.
func TestHearsOfChanges(t *testing.T) {
	a := newAsking(t)
	var few atomic.Bool
	o := a.options
	world, choose := o.World, o.Choose
	o.World = func() (*tool.Env, *tools.Catalog, error) {
		env, catalog, err := world()
		if few.Load() { // what was loaded anew is another
			fresh := *env
			env = &fresh
		}
		return env, catalog, err
	}
	o.Choose = func(env *tool.Env, c *tools.Catalog) ([]*tool.Tool, error) {
		all, err := choose(env, c)
		if few.Load() {
			all = all[:1]
		}
		return all, err
	}
	var out safeBuffer
	synctest.Test(t, func(t *testing.T) {
		in, say := io.Pipe()
		served := make(chan error, 1)
		go func() { served <- server.New(o).Serve(t.Context(), in, &out) }()
		if _, err := io.WriteString(say, initialize+"\n"+`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n"); err != nil {
			t.Error(err)
		}
		<-time.After(time.Minute)
		if strings.Contains(string(out.bytes()), "list_changed") {
			t.Error("heard of a change before there was one")
		}
		few.Store(true)
		<-time.After(time.Minute)
		_ = say.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	if n := strings.Count(string(out.bytes()), "notifications/tools/list_changed"); n != 1 {
		t.Errorf("heard %d times of one change", n)
	}
}

// A tool is called by the names that it has with others, too; one that is not offered by
// none. What a client may keep of the list is nothing.
func TestFindsOfferedTools(t *testing.T) {
	a := newAsking(t)
	o := a.options
	choose := o.Choose
	o.Choose = func(env *tool.Env, c *tools.Catalog) (some []*tool.Tool, err error) {
		all, err := choose(env, c)
		for _, one := range all {
			if one.Name == "read" || one.Name == "ls" {
				some = append(some, one)
			}
		}
		return some, err
	}
	modernList := `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	by := answers(said(t, o, initialize, callOf(1, "list_dir", `{"path":"."}`), callOf(2, "write_file", `{"path":"a","content":"x"}`), callOf(3, "grep", `{"pattern":"x"}`), callOf(4, "none", `{}`), modernList))
	if r := string(by["1"].Result); !strings.Contains(r, `"content"`) {
		t.Errorf("%+v", by["1"])
	}
	for _, id := range []string{"2", "3", "4"} {
		e := by[id].Error
		if e == nil || e.Code != -32602 {
			t.Fatalf("%s: %+v", id, by[id])
		}
		if name := map[string]string{"2": "write", "3": "grep"}[id]; name != "" && (!strings.Contains(e.Message, "does not offer "+name) || !strings.Contains(e.Message, "helve mcp --toolset all")) {
			t.Errorf("%s: %s", id, e.Message)
		}
	}
	if r := string(by["5"].Result); !strings.Contains(r, `"ttlMs":0`) || !strings.Contains(r, `"cacheScope":"private"`) {
		t.Errorf("%s", r)
	}
	if r := string(by[`"begin"`].Result); !strings.Contains(r, `"instructions":"`) {
		t.Errorf("%s", r)
	}
}
