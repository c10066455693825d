package imported

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/client"
	"github.com/helve-dev/helve/pkg/policy/secret"
)

// masking calls tools of other servers, and keeps the secrets that those are given from
// whoever reads what they answer: a server may repeat them.
type masking struct {
	Caller
	variable func(name string) string // reads a variable of the environment
}

// Call calls a tool.
func (d masking) Call(ctx context.Context, server *upstream.Server, t *upstream.Tool, arguments json.RawMessage, progress client.Progress) (*client.Answer, error) {
	secrets := d.secretsOf(server)
	heard := progress
	if progress != nil && len(secrets) > 0 {
		heard = func(done, total float64, message string) { progress(done, total, secret.Hide(message, secrets...)) }
	}
	answer, err := d.Caller.Call(ctx, server, t, arguments, heard)
	return masked(answer, err, secrets)
}

// Read reads a resource.
func (d masking) Read(ctx context.Context, server *upstream.Server, uri string) (*client.Answer, error) {
	answer, err := d.Caller.Read(ctx, server, uri)
	return masked(answer, err, d.secretsOf(server))
}

// masked returns an answer, or a fault, without the secrets in it.
func masked(answer *client.Answer, err error, secrets []string) (*client.Answer, error) {
	if len(secrets) == 0 {
		return answer, err
	}
	if err != nil {
		f := *fault.As(err)
		f.Message = fault.Verbatim(secret.Hide(f.Message.In(fault.English), secrets...), secret.Hide(f.Message.In(fault.Chinese), secrets...))
		return answer, &f
	}
	hide := func(text json.RawMessage) json.RawMessage {
		for _, s := range secrets {
			if quoted, err := json.Marshal(s); err == nil {
				text = bytes.ReplaceAll(text, quoted[1:len(quoted)-1], []byte(secret.Hidden))
			}
		}
		return text
	}
	for i := range answer.Content {
		answer.Content[i] = hide(answer.Content[i])
	}
	answer.Structured = hide(answer.Structured)
	return answer, nil
}

// secretsOf returns the values of variables that a server is given and that are secrets.
func (d masking) secretsOf(server *upstream.Server) (all []string) {
	add := func(value string) {
		if len(value) >= secret.Least {
			all = append(all, value)
		}
	}
	for _, header := range server.Headers {
		_, variable, _ := upstream.SplitHeader(header)
		value := d.variable(variable)
		add(value)
		if _, token, ok := strings.Cut(value, " "); ok { // as after Bearer
			add(token)
		}
	}
	for _, variable := range server.Pass {
		if secret.Named(variable) {
			add(d.variable(variable))
		}
	}
	return all
}
