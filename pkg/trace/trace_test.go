package trace

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
)

const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// world is a tracer with a state directory, whose requests are collected.
type world struct {
	*Tracer
	dir    *state.Dir
	bodies [][]byte
	fails  bool
}

func newWorld(t *testing.T, content bool) *world {
	t.Helper()
	dir, err := state.Open(t.TempDir(), t.TempDir(), state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{dir: dir}
	w.Tracer = New(Options{
		State: func() (*state.Dir, error) { return dir, nil }, Version: "1", Service: "helve", Parent: parent, Content: content, Now: time.Now,
		Mask: func(text string) string { return strings.ReplaceAll(text, "secret", "***") },
		Post: func(_ context.Context, body []byte) error {
			if w.fails {
				return errors.New("refused")
			}
			w.bodies = append(w.bodies, body)
			return nil
		},
	})
	return w
}

// call records a call of a tool, after what earlier calls left was sent.
func (w *world) call(t *testing.T, name string, err error) (traceparent string) {
	t.Helper()
	c := &tool.Call{Tool: &tool.Tool{Spec: tool.Spec{Name: name}}, Input: []byte(`{"path":"secret"}`), Env: &tool.Env{Session: "s"}}
	w.send(t.Context())
	traceparent, end := w.Begin(tool.WithCallID(t.Context(), "call_1"), c)
	end([]byte(`{"a":"\u00ff secret"}`), err)
	return traceparent
}

// strict decodes a request as protobuf's JSON has it: an unknown name or a value of another type
// is an error. Ids are hex there, by OTLP's own rule.
func strict(t *testing.T, body []byte) []*tracepb.Span {
	t.Helper()
	var data tracepb.TracesData
	if err := (protojson.UnmarshalOptions{}).Unmarshal(body, &data); err != nil {
		t.Fatalf("%v: %.2000s", err, body)
	}
	return data.ResourceSpans[0].ScopeSpans[0].Spans
}

// TestSpans has a strict decoder of OTLP read what is sent.
func TestSpans(t *testing.T) {
	t.Parallel()
	w := newWorld(t, false)
	child := w.call(t, "read", nil)
	w.call(t, "exec", fault.New(fault.NotFound, fault.T("no secret file")))
	w.send(t.Context())
	if len(w.bodies) != 2 {
		t.Fatalf("%d requests", len(w.bodies))
	}
	all := append(strict(t, w.bodies[0]), strict(t, w.bodies[1])...)
	if len(all) != 2 {
		t.Fatalf("%d spans", len(all))
	}
	read, failed := all[0], all[1]
	if read.Name != "execute_tool read" || read.Kind != tracepb.Span_SPAN_KIND_INTERNAL || read.EndTimeUnixNano < read.StartTimeUnixNano {
		t.Errorf("%v", read)
	}
	if failed.Status.Code != tracepb.Status_STATUS_CODE_ERROR || failed.Status.Message != "" || !strings.Contains(failed.String(), "not_found") {
		t.Errorf("%v", failed)
	}
	body := string(w.bodies[0])
	for _, want := range []string{`"traceId":"0af7651916cd43dd8448eb211c80319c"`, `"parentSpanId":"b7ad6b7169203331"`, `"spanId":"` + child[36:52], `"gen_ai.tool.call.id","value":{"stringValue":"call_1"}`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	if strings.Contains(body, "arguments") || !strings.HasPrefix(child, parent[:36]) {
		t.Errorf("%s %s", child, body)
	}
	if names, err := w.dir.List(spansDir); err != nil || len(names) != 0 {
		t.Errorf("left: %v %v", names, err)
	}
}

// TestContent has arguments and results in spans where the person wants them, without secrets.
func TestContent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, true)
	w.call(t, "read", nil)
	w.send(t.Context())
	body := string(w.bodies[0])
	strict(t, w.bodies[0])
	if strings.Contains(body, "secret") || !strings.Contains(body, `"gen_ai.tool.call.arguments"`) || !strings.Contains(body, `"gen_ai.tool.call.result"`) {
		t.Error(body)
	}
}

// TestDeadCollector leaves a collector that failed alone for a while, and bounds what waits.
func TestDeadCollector(t *testing.T) {
	t.Parallel()
	w := newWorld(t, false)
	w.fails = true
	tries := 0
	post := w.Post
	w.Post = func(ctx context.Context, body []byte) error { tries++; return post(ctx, body) }
	for range maxSpans + 20 {
		w.write(span{Trace: w.trace, ID: random(8), Start: "1", End: "1", Name: "x", Attributes: []attribute{}})
	}
	for range 3 {
		w.send(t.Context())
	}
	if tries != 1 {
		t.Errorf("tried %d times", tries)
	}
	if names, err := w.dir.List(spansDir); err != nil || len(names) != maxSpans {
		t.Errorf("%d wait, %v", len(names), err)
	}
	w.fails = false
	now := w.Now
	w.Now = func() time.Time { return now().Add(pause + time.Second) }
	w.send(t.Context())
	if len(w.bodies) != 1 || len(strict(t, w.bodies[0])) != batch {
		t.Errorf("%d requests", len(w.bodies))
	}
}

// TestParent continues only what is a traceparent.
func TestParent(t *testing.T) {
	t.Parallel()
	for text, good := range map[string]bool{
		parent: true, "": false, "00-0-0-0": false, strings.ToUpper(parent): false, "ff" + parent[2:]: false,
		"00-00000000000000000000000000000000-b7ad6b7169203331-01": false, parent + "-x": false, "01" + parent[2:] + "-x": true,
	} {
		if trace, _ := parse(text); (trace != "") != good {
			t.Errorf("%q: %q", text, trace)
		}
	}
}
