package server

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/task"
)

// taskParams are those of the methods about tasks.
type taskParams struct {
	mcp.ParamsBase
	TaskID string `json:"taskId"`
	// InputResponses are read when it is known what was asked for.
	InputResponses map[string]json.RawMessage `json:"inputResponses,omitempty"`
}

// acknowledged is the answer to a request that tasks/get shows the consequences of.
type acknowledged struct {
	mcp.ResultBase
	ResultType string `json:"resultType"`
}

// taskResult is a task as the protocol has it.
type taskResult struct {
	acknowledged
	TaskID         string                     `json:"taskId"`
	Status         task.Status                `json:"status"`
	StatusMessage  string                     `json:"statusMessage,omitempty"`
	CreatedAt      time.Time                  `json:"createdAt"`
	LastUpdatedAt  time.Time                  `json:"lastUpdatedAt"`
	TTLMs          int64                      `json:"ttlMs"`
	PollIntervalMs int64                      `json:"pollIntervalMs,omitempty"`
	InputRequests  map[string]json.RawMessage `json:"inputRequests,omitempty"`
	Result         json.RawMessage            `json:"result,omitempty"`
	Error          *task.Error                `json:"error,omitempty"`
}

// shown returns a task with what it has come to.
func shown(t task.Task, age time.Duration) *taskResult {
	r := handle(t, age)
	r.ResultType = "complete"
	r.InputRequests, r.Result, r.Error = t.Requests, t.Result, t.Error
	if t.Status.Final() {
		r.PollIntervalMs = 0
	}
	return r
}

// handle returns the answer to a call that goes on as a task.
func handle(t task.Task, age time.Duration) *taskResult {
	return &taskResult{
		acknowledged: acknowledged{ResultType: "task"},
		TaskID:       t.ID, Status: t.Status, StatusMessage: t.Message, CreatedAt: t.Created, LastUpdatedAt: t.Updated,
		TTLMs: t.TTL.Milliseconds(), PollIntervalMs: min(max(age/4, pollSoon), pollLate).Milliseconds(),
	}
}

// addTasks has the server know tasks.
func (s *Server) addTasks() {
	s.mcp.AddReceivingMiddleware(s.tasked)
	s.mcp.AddSendingMiddleware(s.quiet)
	addTaskMethod(s, "tasks/get", s.getTask)
	addTaskMethod(s, "tasks/update", s.updateTask)
	addTaskMethod(s, "tasks/cancel", s.cancelTask)
}

func addTaskMethod[R mcp.Result](s *Server, method string, answer func(ctx context.Context, tasks *task.Store, owner string, p *taskParams) (R, error)) {
	err := mcp.AddReceivingCustomMethod(s.mcp, method, func(ctx context.Context, _ *mcp.ServerSession, p *taskParams) (R, error) {
		var none R
		tasks, err := s.kept()
		if err != nil {
			return none, s.wireError(err)
		}
		owner, _ := ctx.Value(ownerKey{}).(string)
		r, err := answer(ctx, tasks, owner, p)
		if err != nil {
			return none, s.wireError(err)
		}
		return r, nil
	})
	if err != nil {
		panic(err) // the library has a method of this name: a newer one has tasks of its own
	}
}

func (s *Server) getTask(ctx context.Context, tasks *task.Store, owner string, p *taskParams) (*taskResult, error) {
	t, err := tasks.Get(ctx, owner, p.TaskID)
	if err != nil {
		return nil, err
	}
	return shown(t, tasks.Age(t)), nil
}

func (s *Server) updateTask(ctx context.Context, tasks *task.Store, owner string, p *taskParams) (*acknowledged, error) {
	t, err := tasks.Get(ctx, owner, p.TaskID)
	if err != nil {
		return nil, err
	}
	for key := range t.Requests {
		answer, given := p.InputResponses[key]
		if !given {
			continue
		}
		if _, err := inputResponse(answer); err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "inputResponses: " + key + ": " + err.Error()}
		}
	}
	return &acknowledged{ResultType: "complete"}, tasks.Update(owner, p.TaskID, p.InputResponses)
}

func (s *Server) cancelTask(ctx context.Context, tasks *task.Store, owner string, p *taskParams) (*acknowledged, error) {
	return &acknowledged{ResultType: "complete"}, tasks.Cancel(ctx, owner, p.TaskID)
}

// wireError returns an error as clients get it.
func (s *Server) wireError(err error) error {
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return wire
	}
	e := fault.As(err)
	code := int64(jsonrpc.CodeInternalError)
	if e.Code == fault.NotFound {
		code = jsonrpc.CodeInvalidParams
	}
	text := e.Message.In(s.Lang)
	if hint := e.Hint.In(s.Lang); hint != "" {
		text += "; " + hint
	}
	return &jsonrpc.Error{Code: code, Message: text}
}
