package server_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/mcp/server"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/workspace"
)

// The revisions with and without multi round trips.
const (
	modern = "2026-07-28"
	legacy = "2025-11-25"
)

func eras(t *testing.T, run func(t *testing.T, era string)) {
	t.Helper()
	for _, era := range []string{"2025-06-18", legacy, modern} {
		t.Run(era, func(t *testing.T) { run(t, era) })
	}
}

// asking is a workspace in which the policy asks about every write.
type asking struct {
	t        *testing.T
	dir      string
	env      *tool.Env
	store    *approval.Store
	approver *guard.Approver
	options  server.Options
	late     atomic.Int64 // nanoseconds that the clock is ahead
	still    atomic.Int64 // where it stands, in nanoseconds since 1970; 0 lets it run
}

func newAsking(t *testing.T, further ...tools.Custom) *asking {
	t.Helper()
	a := &asking{t: t, dir: t.TempDir()}
	root, err := workspace.Open(a.dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	now := func() time.Time {
		at := time.Now()
		if still := a.still.Load(); still != 0 {
			at = time.Unix(0, still)
		}
		return at.Add(time.Duration(a.late.Load()))
	}
	dir, err := state.Open(t.TempDir(), root.Dir(), state.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	kept := func() (*state.Dir, error) { return dir, nil }
	a.store = approval.NewStore(dir)
	a.approver = &guard.Approver{Policy: a.rules(policy.Ask), Approvals: func() (*approval.Store, error) { return a.store, nil }}
	a.env = &tool.Env{
		Root:    func() (*workspace.Root, error) { return root, nil },
		State:   kept,
		Audit:   kept,
		Journal: sync.OnceValues(func() (*journal.Journal, error) { return journal.New(dir, root.Tree(), journal.Options{}), nil }),
		Now:     now,
		Session: "s",
		Decide:  func(ctx context.Context, c *tool.Call) error { return a.approver.Decide(ctx, c) },
	}
	catalog := tools.New(tools.Options{Custom: func() []tools.Custom { return further }})
	a.options = server.Options{
		Version: "test", Elicit: true, Log: slog.New(slog.DiscardHandler),
		World:     func() (*tool.Env, *tools.Catalog, error) { return a.env, catalog, nil },
		Choose:    func(*tool.Env, *tools.Catalog) ([]*tool.Tool, error) { return catalog.Tools(), nil },
		Approvals: func() (*approval.Store, error) { return a.store, nil },
	}
	return a
}

// rules returns a policy with a verdict about every write.
func (a *asking) rules(v policy.Verdict) *policy.Policy {
	a.t.Helper()
	p, err := policy.New([]policy.Given{{Rule: policy.Rule{Tool: "write", Decision: v}, From: "test"}}, policy.Options{})
	if err != nil {
		a.t.Fatal(err)
	}
	return p
}

// client connects a client that speaks a revision over pipes, as over standard input and
// output.
func (a *asking) client(era string, o mcp.ClientOptions) *mcp.ClientSession {
	a.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- server.New(a.options).Serve(ctx, in, out) }()
	c := mcp.NewClient(&mcp.Implementation{Name: "judge", Version: "1"}, &o)
	session, err := c.Connect(ctx, &mcp.IOTransport{Reader: fromServer, Writer: toServer}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() {
		_ = session.Close()
		cancel()
		<-served
	})
	return session
}

// elicit returns the options of a client whose person answers so. It counts the questions.
func elicit(asked *atomic.Int64, answer func(*mcp.ElicitParams) *mcp.ElicitResult) mcp.ClientOptions {
	return mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		asked.Add(1)
		return answer(r.Params), nil
	}}
}

func accept(content map[string]any) *mcp.ElicitResult {
	return &mcp.ElicitResult{Action: "accept", Content: content}
}

// write asks the server to write a.txt, which the policy asks about.
func write(content string) *mcp.CallToolParams {
	return &mcp.CallToolParams{Name: "write", Arguments: map[string]any{"path": "a.txt", "content": content}}
}

// text returns the texts of a result.
func text(r *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

func (a *asking) file(name string) string {
	data, err := os.ReadFile(filepath.Join(a.dir, name))
	if err != nil {
		return ""
	}
	return string(data)
}

// states returns the states of all requests.
func (a *asking) states() string {
	a.t.Helper()
	all, err := a.store.List()
	if err != nil {
		a.t.Fatal(err)
	}
	var states []string
	for _, r := range all {
		states = append(states, string(r.State))
	}
	return strings.Join(states, " ")
}

// What a person answers through their client decides about the call, in every revision,
// and nothing but a form that was filled in as it was asked for allows it.
func TestApproval(t *testing.T) {
	for name, c := range map[string]struct {
		answer  *mcp.ElicitResult
		want    string // in the text of the result
		written bool
		state   string
	}{
		"allowed":     {accept(map[string]any{"decision": "allow"}), "", true, "used"},
		"for session": {accept(map[string]any{"decision": "allow_session", "reason": ""}), "", true, "used"},
		"denied":      {accept(map[string]any{"decision": "deny", "reason": "not this file"}), "the user rejected this change: not this file (rejected)", false, "denied"},
		"declined":    {&mcp.ElicitResult{Action: "decline", Content: map[string]any{"decision": "allow"}}, "(rejected)", false, "denied"},
		"canceled":    {&mcp.ElicitResult{Action: "cancel"}, "(approval_required)", false, "pending"},
		"no content":  {&mcp.ElicitResult{Action: "accept"}, "(approval_required)", false, "pending"},
		"no decision": {accept(map[string]any{"reason": "allow"}), "(approval_required)", false, "pending"},
		"other enum":  {accept(map[string]any{"decision": "ALLOW"}), "(approval_required)", false, "pending"},
		"wrong type":  {accept(map[string]any{"decision": true}), "(approval_required)", false, "pending"},
		"list":        {accept(map[string]any{"decision": []any{"allow"}}), "(approval_required)", false, "pending"},
		"further":     {accept(map[string]any{"decision": "allow", "scope": "rule"}), "(approval_required)", false, "pending"},
		"other case":  {accept(map[string]any{"decision": "deny", "Decision": "allow"}), "(approval_required)", false, "pending"},
		"action":      {&mcp.ElicitResult{Action: "Accept", Content: map[string]any{"decision": "allow"}}, "(approval_required)", false, "pending"},
	} {
		t.Run(name, func(t *testing.T) {
			eras(t, func(t *testing.T, era string) {
				a := newAsking(t)
				a.approver.Wait, a.env.Patience = time.Hour, time.Hour // for decisions elsewhere alone
				var asked atomic.Int64
				o := elicit(&asked, func(*mcp.ElicitParams) *mcp.ElicitResult { return c.answer })
				// The library's client would look at the answer before it sends it.
				var result *mcp.CallToolResult
				var err error
				o.MultiRoundTrip = &mcp.MultiRoundTripOptions{Disabled: true}
				if session := a.client(era, o); era == modern {
					result, err = twice(t, session, write("new\n"), c.answer)
				} else {
					result, err = session.CallTool(t.Context(), write("new\n"))
				}
				if err != nil {
					t.Fatal(err)
				}
				if got := text(result); !strings.Contains(got, c.want) || result.IsError == c.written {
					t.Errorf("result %q, want %q", got, c.want)
				}
				if written := a.file("a.txt") == "new\n"; written != c.written {
					t.Errorf("written: %v", written)
				}
				if got := a.states(); got != c.state {
					t.Errorf("the request is %s, want %s", got, c.state)
				}
			})
		})
	}
}

// TestDeclines: a client that declines more quickly than a person can has asked nobody, and
// the request stays for one; a person who declines has decided.
func TestDeclines(t *testing.T) {
	for _, c := range []struct {
		after   time.Duration
		content map[string]any
		want    []string
		state   string
	}{
		{0, nil, []string{"warning: the client declined by itself", "(approval_required)", "helve approve "}, "pending"},
		{400 * time.Millisecond, nil, []string{"(approval_required)"}, "pending"},
		{time.Second, nil, []string{"(rejected)"}, "denied"},
		{0, map[string]any{"reason": "no"}, []string{"(rejected)"}, "denied"},
	} {
		eras(t, func(t *testing.T, era string) {
			a := newAsking(t)
			a.still.Store(time.Now().UnixNano())
			var asked atomic.Int64
			o := elicit(&asked, func(*mcp.ElicitParams) *mcp.ElicitResult {
				a.late.Add(int64(c.after))
				return &mcp.ElicitResult{Action: "decline", Content: c.content}
			})
			result, err := a.client(era, o).CallTool(t.Context(), write("new\n"))
			if err != nil || !result.IsError || asked.Load() != 1 {
				t.Fatalf("%v, %+v", err, result)
			}
			for _, want := range c.want {
				if !strings.Contains(text(result), want) {
					t.Errorf("after %v: no %q: %s", c.after, want, text(result))
				}
			}
			if got := a.states(); got != c.state {
				t.Errorf("after %v: the request is %s, want %s", c.after, got, c.state)
			}
		})
	}
}

// raw makes one round of a call.
func raw(t *testing.T, session *mcp.ClientSession, p *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	t.Helper()
	one := *p
	one.Meta = nil // the library notes its client there
	return session.CallTool(t.Context(), &one)
}

// twice makes a call that asks, and makes it again with an answer.
func twice(t *testing.T, session *mcp.ClientSession, p *mcp.CallToolParams, answer mcp.InputResponse) (*mcp.CallToolResult, error) {
	t.Helper()
	first, err := raw(t, session, p)
	if err != nil {
		return nil, err
	}
	return raw(t, session, again(t, p, first, answer))
}

// again returns a call with the answer to what its first round asked for.
func again(t *testing.T, p *mcp.CallToolParams, first *mcp.CallToolResult, answer mcp.InputResponse) *mcp.CallToolParams {
	t.Helper()
	if first.RequestState == "" || first.InputRequests["approval"] == nil {
		t.Fatalf("the call did not ask: %s", text(first))
	}
	next := *p
	next.RequestState = first.RequestState
	if answer != nil {
		next.InputResponses = mcp.InputResponseMap{"approval": answer}
	}
	return &next
}

// client of the multi-round era that leaves what to do with a question to the test.
func (a *asking) manual() *mcp.ClientSession {
	a.t.Helper()
	var asked atomic.Int64
	o := elicit(&asked, func(*mcp.ElicitParams) *mcp.ElicitResult { return &mcp.ElicitResult{Action: "cancel"} })
	o.MultiRoundTrip = &mcp.MultiRoundTripOptions{Disabled: true}
	return a.client(modern, o)
}

var yes = accept(map[string]any{"decision": "allow"})

// The library's clients ask by themselves. What was allowed for the session is not asked
// again, and what a person is shown says what would change, in few lines.
func TestApprovalForSession(t *testing.T) {
	eras(t, func(t *testing.T, era string) {
		a := newAsking(t)
		var asked atomic.Int64
		long := strings.Repeat("a line\n", 5000)
		session := a.client(era, elicit(&asked, func(p *mcp.ElicitParams) *mcp.ElicitResult {
			if len(p.Message) > 6000 || !strings.HasPrefix(p.Message, "allow this call? write (write)\n- ") || !strings.Contains(p.Message, "+a line\n") ||
				!strings.Contains(p.Message, "helve approvals show ") || strings.Contains(p.Message, "\x1b") {
				t.Errorf("the person is shown %q", p.Message)
			}
			if schema, err := json.Marshal(p.RequestedSchema); err != nil || !strings.Contains(string(schema), `["allow","allow_session","deny"]`) {
				t.Errorf("schema %s, %v", schema, err)
			}
			return accept(map[string]any{"decision": "allow_session"})
		}))
		for range 2 {
			if err := os.RemoveAll(filepath.Join(a.dir, "a.txt")); err != nil {
				t.Fatal(err)
			}
			result, err := session.CallTool(t.Context(), write(long))
			if err != nil || result.IsError || a.file("a.txt") != long {
				t.Fatalf("%v, %+v", err, result)
			}
		}
		if asked.Load() != 1 {
			t.Errorf("asked %d times", asked.Load())
		}
	})
}

// The model decides nothing: a call that is repeated without its state, or without an
// answer, or whose client is asked for nothing, waits as before.
func TestNobodyAnswered(t *testing.T) {
	a := newAsking(t)
	session := a.manual()
	p := write("new\n")
	first, err := raw(t, session, p)
	if err != nil {
		t.Fatal(err)
	}
	for name, next := range map[string]*mcp.CallToolParams{
		"no answer":    again(t, p, first, nil),
		"other answer": again(t, p, first, &mcp.ListRootsResult{Roots: []*mcp.Root{}}),
		"no state":     {Name: p.Name, Arguments: p.Arguments, InputResponses: mcp.InputResponseMap{"approval": yes}},
		"arguments":    {Name: p.Name, Arguments: map[string]any{"path": "a.txt", "content": "new\n", "approval": "allow"}},
	} {
		result, err := raw(t, session, next)
		if err != nil || a.file("a.txt") != "" {
			t.Errorf("%s: %v, %+v", name, err, result)
		}
	}
	if got := a.states(); got != "pending" {
		t.Fatalf("the request is %s", got)
	}
	for name, change := range map[string]func() *mcp.ClientSession{
		"the client cannot ask": func() *mcp.ClientSession {
			return a.client(modern, mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}})
		},
		"the server does not ask": func() *mcp.ClientSession {
			a.options.Elicit = false
			return a.manual()
		},
	} {
		result, err := raw(t, change(), again(t, p, first, yes))
		var wire *jsonrpc.Error
		if err == nil && !strings.Contains(text(result), "(approval_required)") || err != nil && !asWire(err, &wire) {
			t.Errorf("%s: %v, %+v", name, err, result)
		}
	}
	if got := a.states(); got != "pending" || a.file("a.txt") != "" {
		t.Errorf("the request is %s", got)
	}
}

// What happens elsewhere while the person thinks counts.
func TestMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(*asking, string) error
		want      string // in the text
		content   string // of the file after
	}{
		"approved elsewhere": {func(a *asking, id string) error {
			_, err := a.store.Approve(context.Background(), id, "ann")
			return err
		}, "", "new\n"},
		"denied elsewhere": {func(a *asking, id string) error {
			_, err := a.store.Deny(context.Background(), id, "ann", "no")
			return err
		}, "(rejected)", "old\n"},
		"withdrawn": {func(a *asking, id string) error {
			return a.store.Withdraw(context.Background(), id)
		}, "(approval_invalid)", "old\n"},
		"a file changed": {func(a *asking, _ string) error {
			return os.WriteFile(filepath.Join(a.dir, "a.txt"), []byte("changed\n"), 0o600)
		}, "(approval_stale)", "changed\n"},
		"allowed by a rule": {func(a *asking, _ string) error {
			a.approver.Policy = a.rules(policy.Allow)
			return nil
		}, "", "new\n"},
		"denied by a rule": {func(a *asking, _ string) error {
			a.approver.Policy = a.rules(policy.Deny)
			return nil
		}, "(denied)", "old\n"},
		"too late": {func(a *asking, _ string) error {
			a.late.Store(int64(approval.Lifetime))
			return nil
		}, "(approval_invalid)", "old\n"},
	} {
		t.Run(name, func(t *testing.T) {
			eras(t, func(t *testing.T, era string) {
				a := newAsking(t)
				if err := os.WriteFile(filepath.Join(a.dir, "a.txt"), []byte("old\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				var asked atomic.Int64
				session := a.client(era, elicit(&asked, func(*mcp.ElicitParams) *mcp.ElicitResult {
					all, err := a.store.List()
					if err != nil || len(all) != 1 {
						t.Errorf("%v, %v", all, err)
					} else if err := c.meanwhile(a, all[0].ID); err != nil {
						t.Error(err)
					}
					return yes
				}))
				result, err := session.CallTool(t.Context(), write("new\n"))
				if err != nil || !strings.Contains(text(result), c.want) || result.IsError != (c.want != "") {
					t.Errorf("%v, %+v", err, text(result))
				}
				if got := a.file("a.txt"); got != c.content {
					t.Errorf("the file has %q", got)
				}
			})
		})
	}
}

// A person who decides in a terminal takes the question back that the client shows.
func TestDecidedElsewhere(t *testing.T) {
	a := newAsking(t)
	withdrawn := make(chan struct{})
	session := a.client(legacy, mcp.ClientOptions{ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		defer close(withdrawn)
		all, err := a.store.List()
		if err != nil {
			return nil, err
		}
		if _, err := a.store.Approve(ctx, all[0].ID, "ann"); err != nil {
			return nil, err
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	result, err := session.CallTool(t.Context(), write("new\n"))
	if err != nil || result.IsError || a.file("a.txt") != "new\n" {
		t.Errorf("%v, %+v", err, result)
	}
	<-withdrawn
}

// Where no client is asked, the call waits for a decision elsewhere as long as it may.
func TestQueue(t *testing.T) {
	a := newAsking(t)
	a.options.Elicit = false
	a.approver.Wait, a.env.Patience = time.Hour, time.Hour
	decided := make(chan error, 1)
	go func() {
		for r, err := range a.store.Watch(t.Context()) {
			if err == nil {
				_, err = a.store.Approve(t.Context(), r.ID, "ann")
			}
			decided <- err
			return
		}
	}()
	var asked atomic.Int64
	session := a.client(legacy, elicit(&asked, func(*mcp.ElicitParams) *mcp.ElicitResult { return yes }))
	result, err := session.CallTool(t.Context(), write("new\n"))
	if err != nil || result.IsError || a.file("a.txt") != "new\n" || asked.Load() != 0 {
		t.Errorf("%v, %+v, asked %d times", err, result, asked.Load())
	}
	if err := <-decided; err != nil {
		t.Error(err)
	}
}

// A client that is not asked gets the result of what was decided elsewhere by making the
// same call again: once, and nobody else does.
func TestCalledAgain(t *testing.T) {
	a := newAsking(t)
	a.options.Elicit = false
	session := a.client(legacy, mcp.ClientOptions{})
	do := func(content string) *mcp.CallToolResult {
		t.Helper()
		result, err := session.CallTool(t.Context(), write(content))
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	pending := func() (id string) {
		t.Helper()
		all, err := a.store.List()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			if r.State == approval.Pending {
				id = r.ID
			}
		}
		return id
	}
	for _, said := range []string{text(do("new\n")), text(do("new\n"))} {
		if !strings.Contains(said, "make the same call again") || strings.Contains(said, "--approval") {
			t.Errorf("it says: %s", said)
		}
	}
	if _, err := a.store.Approve(t.Context(), pending(), "ann"); err != nil {
		t.Fatal(err)
	}
	if other := do("other\n"); !other.IsError {
		t.Errorf("another call went through: %s", text(other))
	}
	if done := do("new\n"); done.IsError || a.file("a.txt") != "new\n" {
		t.Errorf("%s", text(done))
	}
	if third := do("new\n"); !third.IsError {
		t.Errorf("one decision let it through twice: %s", text(third))
	}
	if _, err := a.store.Deny(t.Context(), pending(), "ann", "use spaces"); err != nil {
		t.Fatal(err)
	}
	if denied := do("new\n"); !strings.Contains(text(denied), "use spaces") {
		t.Errorf("the reason is lost: %s", text(denied))
	}
}

// Two answers to one question carry the call out once.
func TestAnsweredTwice(t *testing.T) {
	a := newAsking(t)
	session := a.manual()
	p := write("new\n")
	first, err := raw(t, session, p)
	if err != nil {
		t.Fatal(err)
	}
	next := again(t, p, first, yes)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if result, err := raw(t, session, next); err != nil || result.IsError && !strings.Contains(text(result), "(approval_invalid)") {
				t.Errorf("%v, %+v", err, result)
			}
		})
	}
	group.Wait()
	h, err := a.env.Journal()
	if err != nil {
		t.Fatal(err)
	}
	list, err := h.History("", 10)
	if err != nil || len(list) != 1 {
		t.Errorf("%d changes, %v", len(list), err)
	}
}
