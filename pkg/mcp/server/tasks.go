package server

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/mcp/task"
)

const (
	// tasksExtension is the name of the extension of the protocol.
	tasksExtension = "io.modelcontextprotocol/tasks"
	// taskAfter is the default of [Options.TaskAfter]. It is short because a client that
	// knows tasks shows its person something better than a wait.
	taskAfter = 750 * time.Millisecond
	// Clients should ask for a task often while it is young, as most end soon.
	pollSoon, pollLate = 250 * time.Millisecond, 5 * time.Second
)

// tasked makes a task of a call that takes long, where the client knows tasks. What the
// call asks before that is asked by its result, as without a task.
func (s *Server) tasked(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		switch r := r.(type) {
		case *mcp.CallToolRequest:
			if declaresTasks(r) {
				return s.callTask(ctx, r, next)
			}
		case *mcp.ServerRequest[*taskParams]:
			if r.Params == nil || !declaresTasks(r) {
				return nil, needsTasks()
			}
			if h := r.GetExtra(); h != nil && h.Header.Get("Mcp-Name") != "" && h.Header.Get("Mcp-Name") != r.Params.TaskID {
				return nil, &jsonrpc.Error{Code: mcp.CodeHeaderMismatch, Message: "the header Mcp-Name does not name the task"}
			}
			owner, err := s.owner(r)
			if err != nil {
				return nil, err
			}
			ctx = context.WithValue(ctx, ownerKey{}, owner)
		}
		result, err := next(ctx, method, r)
		if i, ok := result.(*mcp.InitializeResult); ok && err == nil {
			return withoutTasks(i), nil
		}
		return result, err
	}
}

// withoutTasks returns the answer to a client whose revision declares what the client can
// once for all its requests, while a task is only for a request that declares it.
func withoutTasks(i *mcp.InitializeResult) *mcp.InitializeResult {
	if i.Capabilities == nil || i.Capabilities.Extensions == nil {
		return i
	}
	copied, can := *i, *i.Capabilities
	can.Extensions = maps.Clone(can.Extensions)
	if delete(can.Extensions, tasksExtension); len(can.Extensions) == 0 {
		can.Extensions = nil
	}
	copied.Capabilities = &can
	return &copied
}

// declaring is a request that says what its client can.
type declaring interface {
	GetParams() mcp.Params
	GetExtra() *mcp.RequestExtra
	ClientInfo() *mcp.Implementation
	ClientCapabilities() *mcp.ClientCapabilities
}

// owner names the client that a task belongs to.
func (s *Server) owner(r declaring) (string, error) {
	env, _, err := s.World()
	if err != nil {
		return "", err
	}
	return callerOf(env, r)
}

// declaresTasks reports whether a request itself says that its client knows tasks.
func declaresTasks(r declaring) bool {
	if _, itself := r.GetParams().GetMeta()[mcp.MetaKeyClientCapabilities]; !itself {
		return false
	}
	can := r.ClientCapabilities()
	return can != nil && can.Extensions[tasksExtension] != nil
}

func needsTasks() error {
	var able mcp.ClientCapabilities
	able.AddExtension(tasksExtension, nil)
	data, err := json.Marshal(map[string]any{"requiredCapabilities": map[string]any{"extensions": able.Extensions}})
	if err != nil {
		return err
	}
	return &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "the request does not declare the extension " + tasksExtension, Data: data}
}

// kept returns the tasks of the workspace.
func (s *Server) kept() (*task.Store, error) {
	s.tasksMu.Lock()
	defer s.tasksMu.Unlock()
	if s.tasks != nil {
		return s.tasks, nil
	}
	env, _, err := s.World()
	if err != nil {
		return nil, err
	}
	dir, err := env.State()
	if err != nil {
		return nil, err
	}
	s.tasks = task.New(dir, jobs{s}, s.Lang)
	return s.tasks, nil
}

// endTasks cancels the tasks that nobody can ask this process for any more.
func (s *Server) endTasks() {
	s.tasksMu.Lock()
	tasks := s.tasks
	s.tasksMu.Unlock()
	if tasks == nil {
		return
	}
	if err := tasks.Close(); err != nil {
		s.Log.Warn("the end of this process is not recorded with its tasks", "err", err)
	}
}

type ownerKey struct{}

// progressKey has the [progress] of a call in the call's context.
type progressKey struct{}

// progress joins a call that goes on with its task, once there is one.
type progress struct {
	mu  sync.Mutex
	run *task.Run
	job string // the sub-agent that the call waits for; "" is none
}

// of returns the task of a call; nil if there is none.
func (p *progress) of() *task.Run {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.run
}

// began records that the call has a task.
func (p *progress) began(run *task.Run) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.run = run
	return p.tell()
}

// spawned says which sub-agent the call waits for.
func (p *progress) spawned(job string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.job = job
	return p.tell()
}

func (p *progress) tell() error {
	if p.run == nil || p.job == "" {
		return nil
	}
	return p.run.Delegated(p.job)
}

// quiet keeps the progress of a call that was answered with a task from the client: the
// protocol has the task tell it.
func (s *Server) quiet(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		said, ok := r.GetParams().(*mcp.ProgressNotificationParams)
		if !ok {
			return next(ctx, method, r)
		}
		p, ok := ctx.Value(progressKey{}).(*progress)
		if !ok {
			return next(ctx, method, r)
		}
		run := p.of()
		if run == nil {
			return next(ctx, method, r)
		}
		if said.Message != "" {
			run.Note(said.Message)
		}
		return nil, nil
	}
}

// outcome is the result of a call, or its error.
type outcome struct {
	result mcp.Result
	err    error
}

// callTask carries out a call of a client that knows tasks.
func (s *Server) callTask(ctx context.Context, r *mcp.CallToolRequest, next mcp.MethodHandler) (mcp.Result, error) {
	owner, err := s.owner(r)
	if err != nil {
		return next(ctx, "tools/call", r) // it says what is wrong
	}
	running, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	var p progress
	running = context.WithValue(running, progressKey{}, &p)
	running = agent.Follow(running, func(job string) {
		if err := p.spawned(job); err != nil {
			s.Log.Warn("a task is not known to be that of a sub-agent", "job", job, "err", err)
		}
	})
	done := make(chan outcome, 1)
	go func() {
		result, err := next(running, "tools/call", r)
		done <- outcome{result, err}
	}()
	patience := time.NewTimer(s.TaskAfter)
	defer patience.Stop()
	select {
	case o := <-done:
		cancel(nil)
		return o.result, o.err
	case <-patience.C:
	}
	run, err := s.begin(owner, cancel)
	if err == nil && !stop() { // the client has canceled the call
		err = context.Cause(ctx)
		cancel(err)
	}
	if run == nil { // the client waits, then
		s.Log.Warn("a call that takes long is no task", "err", err)
		o := <-done
		cancel(nil)
		return o.result, o.err
	}
	began := run.Task()
	if err := p.began(run); err != nil {
		s.Log.Warn("a task is not known to be that of a sub-agent", "task", began.ID, "err", err)
	}
	go s.follow(running, run, r, next, done)
	return handle(began, 0), err
}

// begin makes a task of a call.
func (s *Server) begin(owner string, cancel context.CancelCauseFunc) (*task.Run, error) {
	tasks, err := s.kept()
	if err != nil {
		return nil, err
	}
	run, err := tasks.Begin(owner, cancel)
	if run != nil && err != nil {
		s.Log.Warn("tasks of the past are not removed", "err", err)
		err = nil
	}
	return run, err
}

// follow sees a task to its end.
func (s *Server) follow(ctx context.Context, run *task.Run, r *mcp.CallToolRequest, next mcp.MethodHandler, done chan outcome) {
	o := <-done
	for o.err == nil {
		result, ok := o.result.(*mcp.CallToolResult)
		if !ok || result.InputRequests == nil {
			break
		}
		if r, o.err = s.again(ctx, run, r, result); o.err == nil {
			o.result, o.err = next(ctx, "tools/call", r)
		}
	}
	if err := finish(run, o); err != nil {
		s.Log.Warn("only this process knows what a task came to", "task", run.Task().ID, "err", err)
	}
}

// again returns the call as the client makes it again with what it was asked for.
func (s *Server) again(ctx context.Context, run *task.Run, r *mcp.CallToolRequest, asks *mcp.CallToolResult) (*mcp.CallToolRequest, error) {
	text, err := json.Marshal(asks.InputRequests)
	if err != nil {
		return nil, err
	}
	var requests map[string]json.RawMessage
	if err := json.Unmarshal(text, &requests); err != nil {
		return nil, err
	}
	answers, err := run.Ask(ctx, requests)
	if err != nil {
		return nil, err
	}
	params := *r.Params
	params.RequestState = asks.RequestState
	params.InputResponses = mcp.InputResponseMap{}
	for key, answer := range answers {
		if params.InputResponses[key], err = inputResponse(answer); err != nil {
			return nil, err
		}
	}
	return &mcp.CallToolRequest{Session: r.Session, Params: &params, Extra: r.Extra}, nil
}

// inputResponse reads what a client answers when it is asked.
func inputResponse(text json.RawMessage) (mcp.InputResponse, error) {
	one, err := json.Marshal(map[string]json.RawMessage{"": text})
	if err != nil {
		return nil, err
	}
	var m mcp.InputResponseMap
	err = json.Unmarshal(one, &m)
	return m[""], err
}

// finish ends a task with what its call came to.
func finish(run *task.Run, o outcome) error {
	if o.err == nil {
		text, err := json.Marshal(o.result)
		if err == nil {
			result, ok := o.result.(*mcp.CallToolResult)
			return run.Complete(text, ok && result.IsError)
		}
		o.err = err
	}
	e := &task.Error{Code: jsonrpc.CodeInternalError, Message: o.err.Error()}
	if wire, ok := errors.AsType[*jsonrpc.Error](o.err); ok {
		e = &task.Error{Code: wire.Code, Message: wire.Message, Data: wire.Data}
	}
	return run.Fail(e)
}
