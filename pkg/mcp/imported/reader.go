package imported

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// ReaderName is the name of the tool that reads resources of servers.
const ReaderName = "tools_read"

// reading is a call of the reader: one of the server that it is about.
type reading struct {
	of      *imported
	request *request
}

// Reader returns the tool that reads resources of servers; nil if none of them has any. A
// server is started so that it can only read, and what it says of itself counts for as
// much as with its tools.
func Reader(all []*upstream.Server) *tool.Tool {
	var servers []*upstream.Server
	var names, digests []string
	risk := policy.Read
	for _, s := range all {
		if s.Resources {
			one := readerOf(s)
			servers, names, digests = append(servers, s), append(names, s.Name), append(digests, one.digest())
			risk = policy.Worst(risk, one.risk)
		}
	}
	if len(servers) == 0 {
		return nil
	}
	return tool.Dynamic[*reading]{
		Name: ReaderName, Risk: risk, Timeout: timeout, Digest: strings.Join(digests, " "), Output: described, Web: true, Idempotent: true,
		Doc: "Read a resource of an imported server, by its address as a result named it. Without uri, list them.",
		Parameters: func() *schema.Object {
			o, err := schema.Portable(readerSchema(names))
			if err != nil {
				panic(err) // unreachable: that is a schema
			}
			return o
		},
		Judge: func(ctx context.Context, call *tool.Call, args any) (*tool.Judgement, *reading, error) {
			return judgeReading(ctx, call, servers, args)
		},
		Preview: func(ctx context.Context, call *tool.Call, r *reading) (string, error) {
			return r.of.preview(ctx, call, r.request)
		},
		Run: func(ctx context.Context, call *tool.Call, r *reading) (any, error) {
			return r.of.run(ctx, call, r.request)
		},
		Text: text,
	}.Tool()
}

// readerOf returns the reading of resources as a tool of a server.
func readerOf(s *upstream.Server) *imported {
	reads := true
	t := &upstream.Tool{Name: "resources/read", As: ReaderName, Annotations: upstream.Annotations{ReadOnly: &reads}}
	return &imported{server: s, tool: t, risk: Risk(s, t)}
}

// readerSchema describes the arguments.
func readerSchema(servers []string) []byte {
	text := func(doc string) map[string]any { return map[string]any{"type": "string", "description": doc} }
	server := text("Server that has it; not needed if there is one.")
	server["enum"] = servers
	data, err := json.Marshal(map[string]any{
		"type": "object", "additionalProperties": false,
		"properties": map[string]any{"uri": text("Address of the resource, such as demo://notes/1."), "server": server},
	})
	if err != nil {
		panic(err) // unreachable: strings and maps
	}
	return data
}

// judgeReading judges a call of the reader as one of the server that it is about.
func judgeReading(ctx context.Context, call *tool.Call, servers []*upstream.Server, args any) (*tool.Judgement, *reading, error) {
	text, err := schema.Marshal(args)
	if err != nil {
		return nil, nil, err
	}
	var a struct{ URI, Server string }
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, nil, fault.As(err)
	}
	at := 0
	if a.Server != "" || len(servers) > 1 {
		at = slices.IndexFunc(servers, func(s *upstream.Server) bool { return s.Name == a.Server })
	}
	if at < 0 {
		var names []string
		for _, s := range servers {
			names = append(names, s.Name)
		}
		return nil, nil, schema.Invalid("/server", fault.T("says which server has it")).
			WithHint(fault.T("the servers with resources are: %s", strings.Join(names, ", ")))
	}
	one := readerOf(servers[at])
	j, r, err := one.judge(ctx, call, args)
	if err != nil {
		return nil, nil, err
	}
	if r.resource = &a.URI; !j.Unconfined {
		r.changes = policy.Read
	}
	return j, &reading{one, r}, nil
}
