// Package imported makes tools of those that other servers of the Model Context Protocol
// offer, as a person took them in. A call goes through the same chain as any other; what
// a server says of its tools counts for as much as the person trusts it.
package imported

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/client"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/confine"
	"github.com/helve-dev/helve/pkg/tool/recorded"
)

const (
	// silence is the longest that a call may go on without a word of its server, whose
	// start is included, and timeout the longest that one may go on that tells how far it
	// has come.
	silence = 10 * time.Minute
	timeout = 2 * time.Hour
)

// Caller calls tools of servers. It is a service of the environment.
type Caller interface {
	Call(ctx context.Context, s *upstream.Server, t *upstream.Tool, arguments json.RawMessage, progress client.Progress) (*client.Answer, error)
	Read(ctx context.Context, s *upstream.Server, uri string) (*client.Answer, error)
}

// New returns a tool of a server.
func New(s *upstream.Server, t *upstream.Tool) *tool.Tool {
	one := &imported{server: s, tool: t, risk: Risk(s, t)}
	d := tool.Dynamic[*request]{
		Name: t.As, Risk: one.risk, Doc: one.doc(), Timeout: timeout, Digest: one.digest(),
		Parameters: sync.OnceValue(one.parameters), Output: described,
		Idempotent: s.Trust == upstream.Hints && !t.Changed && is(t.Annotations.Idempotent),
		Web:        s.URL != "" || t.Annotations.OpenWorld == nil || *t.Annotations.OpenWorld, Remote: s.URL != "",
		Judge: one.judge, Preview: one.preview, Run: one.run, Text: text,
	}
	if host := s.Host(); host != "" {
		d.Hosts = []string{host}
	}
	return d.Tool()
}

// imported is a tool of a server.
type imported struct {
	server *upstream.Server
	tool   *upstream.Tool
	risk   policy.Risk
}

// request is a call as judged.
type request struct {
	arguments json.RawMessage
	changes   policy.Risk // what the call may do to the workspace, whatever the server says
	resource  *string     // that is read instead of a call of the tool; "" is the list of all
}

// Risk returns what calls of a tool may do at worst: anything, unless the person trusts
// what its server says of it, and it still says what it said then.
func Risk(s *upstream.Server, t *upstream.Tool) policy.Risk {
	switch {
	case s.Trust != upstream.Hints || t.Changed:
		return policy.Destructive
	case is(t.Annotations.ReadOnly):
		return policy.Read
	case t.Annotations.Destructive != nil && !*t.Annotations.Destructive:
		return policy.Write
	}
	return policy.Destructive
}

func is(hint *bool) bool { return hint != nil && *hint }

// doc returns the description for a model.
func (i *imported) doc() string {
	return cmp.Or(i.tool.Description, i.tool.Title, strings.NewReplacer("_", " ", "-", " ").Replace(i.tool.Name)+".")
}

// parameters returns the arguments as providers take them.
func (i *imported) parameters() *schema.Object {
	o, err := schema.Portable(i.tool.Input)
	if err != nil { // a record that somebody has changed
		o, err = schema.Portable([]byte(`{"type":"object"}`))
	}
	if err != nil {
		panic(err) // unreachable: that is a schema
	}
	return o
}

// digest identifies the tool as it was accepted: an approval is for what
// the person saw.
func (i *imported) digest() string {
	h := sha256.New()
	for _, part := range append([]string{i.server.Name, i.server.URL, i.tool.Name, i.tool.Description, string(i.tool.Input)}, i.server.Command...) {
		_, _ = fmt.Fprintf(h, "%d:%s", len(part), part) // a hash never fails
	}
	return hex.EncodeToString(h.Sum(nil))
}

// judge returns the risk of the tool: the arguments say nothing about it that is known.
func (i *imported) judge(_ context.Context, call *tool.Call, args any) (*tool.Judgement, *request, error) {
	arguments, err := schema.Marshal(args)
	if err != nil {
		return nil, nil, err
	}
	j := &tool.Judgement{Risk: i.risk, Flags: []string{}, Rest: policy.Command{Risk: i.risk}}
	if len(i.server.Command) > 0 {
		place, err := confine.Find(call)
		if err != nil {
			return nil, nil, err
		}
		j.Unconfined = i.server.Unconfined || !place.Confined()
	}
	if i.tool.Changed {
		// No rule about the tool as it was is about what it has become.
		j.Further = []policy.Request{{Tool: "changed:" + i.tool.As, Project: call.Project(), Risk: policy.Destructive}}
		j.Reasons = append(j.Reasons, fault.T("its server now says something else of %[1]s than when it was taken in: helve tools refresh %[2]s shows that, and --accept accepts it", i.tool.As, i.server.Name))
	}
	r := &request{arguments: arguments, changes: i.risk}
	if j.Unconfined {
		r.changes = policy.Worst(i.risk, policy.Write)
	}
	return j, r, nil
}

// preview shows the call for a person to read.
func (i *imported) preview(_ context.Context, _ *tool.Call, r *request) (string, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "server: %s (%s)\ntool: %s\narguments: ", i.server.Name, Address(i.server), i.tool.Name)
	if err := json.Indent(&b, r.arguments, "", "  "); err != nil {
		return "", err
	}
	return b.String() + "\n", nil
}

// Address says in a line how a server is started or reached.
func Address(s *upstream.Server) string {
	if s.URL != "" {
		return s.URL
	}
	words := make([]string, len(s.Command))
	for i, w := range s.Command {
		if words[i] = w; w == "" || strings.ContainsAny(w, " \t\n\"'\\") || approval.Visible(w) != w {
			words[i] = strconv.Quote(w)
		}
	}
	return strings.Join(words, " ")
}

func (i *imported) run(ctx context.Context, call *tool.Call, r *request) (any, error) {
	caller, err := tool.Service[Caller](call.Env)
	if err != nil {
		return nil, err
	}
	var recording *recorded.Recording
	if i.server.URL == "" { // a server elsewhere does not change the workspace
		if recording, err = recorded.Begin(ctx, call, i.tool.As, Address(i.server), r.changes, false); err != nil {
			return nil, err
		}
		defer recording.Drop()
	}
	answer, err := i.answer(ctx, caller, call, r)
	changed := recording.End(ctx)
	if err != nil {
		if changed.UndoID != "" {
			call.Warn(fault.T("undo what it changed in the workspace with id %s", changed.UndoID))
		}
		return nil, err
	}
	for _, w := range answer.Warnings {
		call.Warn(w)
	}
	result, err := i.result(call, answer)
	if err != nil {
		return nil, err
	}
	result.Outcome = changed
	if answer.IsError {
		return nil, i.failed(result)
	}
	if r.resource == nil && i.server.Resources && slices.ContainsFunc(result.Media, func(m Media) bool { return m.Type == "resource_link" }) {
		call.Warn(fault.T("%s reads what it links to: pass its address as uri, and server=%s", ReaderName, i.server.Name))
	}
	if wrong := i.unkept(result.Structured); !wrong.IsZero() {
		call.Warn(wrong)
	}
	return result, nil
}

func (i *imported) answer(ctx context.Context, caller Caller, call *tool.Call, r *request) (*client.Answer, error) {
	if r.resource != nil {
		return caller.Read(ctx, i.server, *r.resource)
	}
	ctx, heard := hearing(ctx, silence)
	defer heard.stop()
	return caller.Call(ctx, i.server, i.tool, r.arguments, func(done, total float64, message string) {
		heard.again()
		if call.Watched() {
			call.Home.Progress(done, total, message)
		}
	})
}

// failed returns the fault of a call that the server says has failed.
func (i *imported) failed(r Result) error {
	const most = 500 // characters in a message
	said := schema.Printable(r.Text, most)
	e := fault.New(fault.IOError, fault.T("%s failed: %s", i.tool.As, said))
	if said == "" {
		e = fault.New(fault.IOError, fault.T("%s failed without a reason", i.tool.As))
	}
	return e.WithHint(fault.T("correct what the server %s complains about, then call again; all that it said is in details", i.server.Name)).WithDetails(r)
}
