package server

import (
	"context"
	"encoding/json"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/spawn"
	"github.com/helve-dev/helve/pkg/turn/dialect"
	"github.com/helve-dev/helve/pkg/turn/envelope"
)

// jobs are the sub-agents of the workspace, for tasks whose process has died.
type jobs struct{ *Server }

func (s jobs) open() (*agent.Jobs, error) {
	env, _, err := s.World()
	if err != nil {
		return nil, err
	}
	return tool.Service[*agent.Jobs](env)
}

// Result returns what a call of spawn that waits for a job returns once that has ended.
func (s jobs) Result(ctx context.Context, id string) (json.RawMessage, error) {
	all, err := s.open()
	if err != nil {
		return nil, err
	}
	if _, err := all.Reap(ctx); err != nil { // its worker may have died
		return nil, err
	}
	j, err := all.Get(ctx, id)
	if err != nil || !j.Status.Final() {
		return nil, err
	}
	d, err := dialect.Find("mcp")
	if err != nil {
		return nil, err
	}
	d.Structured = s.Structured
	of, err := dialect.Read(d, []byte(`{"name":"spawn","arguments":{}}`), nil)
	if err != nil {
		return nil, err
	}
	o := guard.Outcome{Result: spawn.Show(&j)}
	if o.JSON, err = schema.Marshal(o.Result); err != nil {
		return nil, err
	}
	result, err := (&call{turn: of}).result(dialect.Answer{
		Call: of.Calls[0], Data: o.JSON, Content: envelope.Text(spawn.Tool, o, screen.View{Lang: s.Lang}),
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// Cancel ends a job.
func (s jobs) Cancel(ctx context.Context, id string) error {
	all, err := s.open()
	if err != nil {
		return err
	}
	_, err = all.Cancel(ctx, id)
	return err
}
