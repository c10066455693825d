package host

import (
	"bytes"
	"context"
	"encoding/json"
	"os"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/mcp/client"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/tools/imported"
)

// masking calls tools of other servers, and keeps the secrets that those are given from
// whoever reads what they answer: a server may repeat them.
type masking struct{ imported.Caller }

// Call calls a tool.
func (d masking) Call(ctx context.Context, server *upstream.Server, name string, arguments json.RawMessage, progress client.Progress) (*client.Answer, error) {
	answer, err := d.Caller.Call(ctx, server, name, arguments, progress)
	secrets := secretsOf(server)
	if err != nil || len(secrets) == 0 {
		return answer, err
	}
	hide := func(text json.RawMessage) json.RawMessage {
		for _, s := range secrets {
			text = bytes.ReplaceAll(text, s, []byte(secret.Hidden))
		}
		return text
	}
	for i := range answer.Content {
		answer.Content[i] = hide(answer.Content[i])
	}
	answer.Structured = hide(answer.Structured)
	return answer, nil
}

// secretsOf returns the values of variables that a server is given and that are secrets,
// as they are in JSON.
func secretsOf(server *upstream.Server) (all [][]byte) {
	add := func(value string) {
		if text, err := json.Marshal(value); err == nil && len(value) >= secret.Least {
			all = append(all, text[1:len(text)-1])
		}
	}
	for _, header := range server.Headers {
		_, variable, _ := upstream.SplitHeader(header)
		value := os.Getenv(variable)
		add(value)
		if _, token, ok := bytes.Cut([]byte(value), []byte(" ")); ok { // as after Bearer
			add(string(token))
		}
	}
	for _, variable := range server.Pass {
		if secret.Named(variable) {
			add(os.Getenv(variable))
		}
	}
	return all
}
