package imported

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/mcp/client"
)

// echo answers with what it is.
type echo string

func (e echo) Call(_ context.Context, _ *upstream.Server, t *upstream.Tool, _ json.RawMessage, progress client.Progress) (*client.Answer, error) {
	if progress(1, 2, string(e)); t.Name == "fail" {
		return nil, fault.New(fault.InvalidArguments, fault.Verbatim(string(e), string(e)))
	}
	text, err := json.Marshal(string(e))
	return &client.Answer{Content: []json.RawMessage{text}, Structured: text}, err
}

func (e echo) Read(context.Context, *upstream.Server, string) (*client.Answer, error) {
	text, err := json.Marshal(string(e))
	return &client.Answer{Content: []json.RawMessage{text}}, err
}

// A server that repeats the secrets it was given does not tell the model.
func TestMasking(t *testing.T) {
	t.Setenv("TRACKER_HEADER", `Bearer first"secret`)
	t.Setenv("TRACKER_TOKEN", "second-secret")
	t.Setenv("TRACKER_HOME", "/home/somebody")
	server := &upstream.Server{Headers: []string{"Authorization: TRACKER_HEADER"}, Pass: []string{"TRACKER_TOKEN", "TRACKER_HOME"}}
	said := echo(`first"secret, Bearer first"secret and second-secret in /home/somebody`)
	var told []string
	progress := func(_, _ float64, message string) { told = append(told, message) }
	a, err := masking{said, os.Getenv}.Call(t.Context(), server, &upstream.Tool{Name: "echo"}, nil, progress)
	if err != nil {
		t.Fatal(err)
	}
	_, err = masking{said, os.Getenv}.Call(t.Context(), server, &upstream.Tool{Name: "fail"}, nil, progress)
	if !fault.Is(err, fault.InvalidArguments) {
		t.Fatal(err)
	}
	f := fault.As(err)
	for _, s := range append(told, f.Message.In(fault.English), f.Message.In(fault.Chinese)) {
		if strings.Contains(s, "first") || strings.Contains(s, "second") || !strings.Contains(s, "/home/somebody") {
			t.Errorf("the model reads %s", s)
		}
	}
	read, err := masking{said, os.Getenv}.Read(t.Context(), server, "demo://notes")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []json.RawMessage{a.Content[0], a.Structured, read.Content[0]} {
		if s := string(text); !json.Valid(text) || strings.Contains(s, "first") || strings.Contains(s, "second") || !strings.Contains(s, "/home/somebody") {
			t.Errorf("the model reads %s", s)
		}
	}
}
