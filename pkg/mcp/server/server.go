// Package server offers the tools of a catalogue as a server of the Model Context
// Protocol, by the protocol's official library: what is listed is the catalogue of the
// moment, and each call goes through package turn, and so through the guard. It knows
// nothing of the command line, opens nothing and decides nothing.
//
// https://modelcontextprotocol.io/specification/2026-07-28
package server

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/task"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

// Options configure a server.
type Options struct {
	Version string     // of helve
	Lang    fault.Lang // of descriptions and answers
	// World returns what calls get, and the tools there are, as the policy of the moment
	// makes them: the same ones until something changes. While it returns an error, no call
	// runs and the list stays as it was.
	World func() (*tool.Env, *tools.Catalog, error)
	// Choose returns those of the tools that clients are offered. It depends on nothing else.
	Choose func(*tool.Env, *tools.Catalog) ([]*tool.Tool, error)
	// Approvals opens the requests for approval of the workspace.
	Approvals func() (*approval.Store, error)
	// Elicit lets clients put what a person must decide to their person. Else a call that
	// waits for a decision fails with the id of the request.
	Elicit bool
	// Apart has the calls of a client at a pipe belong to a session of its own, as those of
	// each session over HTTP do.
	Apart bool
	// Structured has results sent as data, too, and a schema of them with each tool. Many
	// clients then give the model the data in place of the text, which has what to do next
	// and every warning.
	Structured bool
	// AnswerWithin is the time within which a call answers, as clients give up on one that
	// takes longer; 0 is no such time.
	AnswerWithin time.Duration
	// ErrorsAsText has errors sent as any other result, for clients that end a run at the
	// second one, or do not give the model what they say.
	ErrorsAsText bool
	// Nullable lists optional arguments as such that may be null, for clients that refuse
	// calls which leave one out.
	Nullable bool
	// TaskAfter is the running time after which a call becomes a task, for a client that
	// knows tasks; 0 is the default.
	TaskAfter time.Duration
	Log       *slog.Logger // of what goes wrong; never nil
}

// instructions tell a client's model what no definition of a tool does. They cost tokens
// in every conversation.
const instructions = "Paths are relative to the root of the workspace. Read a file before you change it; undo takes changes back. " +
	"What the policy refuses, or a person must decide, fails with the reason: do not try to get round it."

// Server is the tools of one workspace for any number of clients.
type Server struct {
	Options
	mcp *mcp.Server

	mu     sync.Mutex
	listed map[string][]byte // the definitions that clients are offered, by their names
	// env and catalog are the sources of listed.
	env     *tool.Env
	catalog *tools.Catalog

	awaited awaited
	queues  queues
	works   works // the commands that go on as jobs
	calls   works // the calls themselves
	late    late
	missed  missed

	tasksMu sync.Mutex
	tasks   *task.Store // nil before there is one
}

// New returns a server. It answers nobody yet.
func New(o Options) *Server {
	if o.TaskAfter <= 0 {
		o.TaskAfter = taskAfter
	}
	s := &Server{Options: o, listed: map[string][]byte{}}
	can := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}}
	can.AddExtension(tasksExtension, nil)
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "helve", Version: o.Version}, &mcp.ServerOptions{
		Logger:       o.Log,
		Capabilities: can,
		Instructions: instructions,
		// What is offered depends on the person's settings, and may change at any time; who
		// caches it all the same hears of changes.
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.TTLMs, c.CacheScope = 0, "private" },
	})
	s.addTasks()
	s.mcp.AddReceivingMiddleware(s.current, declared)
	return s
}
