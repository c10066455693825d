// Package trace records calls as spans, and sends them to a collector in the JSON form of
// OTLP over HTTP. It is no SDK: one span a call, without sampling.
//
//	Begin   sends, beside the work of the call, what earlier calls left
//	end     writes the span into the state directory; nothing waits for the collector
//
// A collector that cannot be reached is not asked again for a while, and of what waits for
// it the oldest is dropped.
package trace

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
)

const (
	// maxSpans limits the spans that wait for the collector, batch those of a request.
	maxSpans, batch = 512, 128
	// patience limits the wait of a call that has ended for a request under way, and
	// requestTime that of a request.
	patience, requestTime = 50 * time.Millisecond, 5 * time.Second
	// pause is the time for which a collector that failed is left alone.
	pause = 30 * time.Second
	// contentBytes limits the arguments and the result in a span.
	contentBytes = 8 << 10

	spansDir  = "spans"
	pauseFile = "spans-paused"
	sendLock  = "\x00spans"
)

// Options of a tracer.
type Options struct {
	State   func() (*state.Dir, error)
	Version string
	Parent  string              // TRACEPARENT of this process; "" is none
	Content bool                // spans have arguments and results
	Service string              // service.name; "" is helve
	Mask    func(string) string // hides secrets
	// Post sends a request to the collector.
	Post func(ctx context.Context, body []byte) error
	Now  func() time.Time
}

// Tracer implements [tool.Tracer].
type Tracer struct {
	Options
	trace, parent string // hex
}

// New returns a tracer, which continues the trace of Parent.
func New(o Options) *Tracer {
	t := &Tracer{Options: o}
	if t.trace, t.parent = parse(o.Parent); t.trace == "" {
		t.trace = random(16)
	}
	return t
}

// parse returns the ids in a traceparent (W3C Trace Context); "" for what is none.
func parse(parent string) (trace, span string) {
	parts := strings.Split(parent, "-")
	if len(parts) < 4 || len(parts[0]) != 2 || parts[0] == "ff" || parts[0] == "00" && len(parts) != 4 || !isID(parts[1], 16) || !isID(parts[2], 8) {
		return "", ""
	}
	return parts[1], parts[2]
}

// isID reports whether a text is an id of so many bytes, in lower case and not zero.
func isID(s string, bytes int) bool {
	return len(s) == 2*bytes && strings.Trim(s, "0123456789abcdef") == "" && strings.Trim(s, "0") != ""
}

func random(bytes int) string {
	raw := make([]byte, bytes)
	_, _ = rand.Read(raw) // it never fails
	return hex.EncodeToString(raw)
}

// Begin implements [tool.Tracer].
func (t *Tracer) Begin(ctx context.Context, call *tool.Call) (parent string, end func(result []byte, err error)) {
	begun, id := t.Now(), random(8)
	sending, stop := context.WithTimeout(context.WithoutCancel(ctx), requestTime)
	var sent sync.WaitGroup
	done := make(chan struct{})
	sent.Go(func() { t.send(sending) })
	go func() { sent.Wait(); close(done) }()
	return "00-" + t.trace + "-" + id + "-01", func(result []byte, err error) {
		defer stop()
		t.write(t.span(ctx, call, id, begun, result, err))
		select {
		case <-done:
		case <-time.After(patience):
		}
	}
}

// attribute is a KeyValue of OTLP.
type attribute struct {
	Key   string `json:"key"`
	Value struct {
		Text string `json:"stringValue"`
	} `json:"value"`
}

func attributes(pairs ...string) (all []attribute) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			a := attribute{Key: pairs[i]}
			a.Value.Text = strings.ToValidUTF8(pairs[i+1], "�")
			all = append(all, a)
		}
	}
	return all
}

// span is a Span of OTLP, as its JSON mapping writes it.
type span struct {
	Trace      string      `json:"traceId"`
	ID         string      `json:"spanId"`
	Parent     string      `json:"parentSpanId,omitempty"`
	Name       string      `json:"name"`
	Kind       int         `json:"kind"`
	Start      string      `json:"startTimeUnixNano"`
	End        string      `json:"endTimeUnixNano"`
	Attributes []attribute `json:"attributes"`
	Status     status      `json:"status"`
}

type status struct {
	Message string `json:"message,omitempty"`
	Code    int    `json:"code,omitempty"`
}

const (
	kindInternal = 1
	statusError  = 2
)

// span returns the span of a call, with the attributes of the semantic conventions for
// tools that a model calls.
func (t *Tracer) span(ctx context.Context, call *tool.Call, id string, begun time.Time, result []byte, err error) span {
	name := call.Tool.Name
	s := span{
		Trace: t.trace, ID: id, Parent: t.parent, Name: "execute_tool " + name, Kind: kindInternal,
		Start: strconv.FormatInt(begun.UnixNano(), 10), End: strconv.FormatInt(t.Now().UnixNano(), 10),
		Attributes: attributes("gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", name, "gen_ai.tool.type", "function",
			"gen_ai.tool.call.id", tool.CallID(ctx), "gen_ai.conversation.id", call.Env.Session),
	}
	if err != nil {
		e := fault.As(err)
		s.Status = status{Code: statusError}
		s.Attributes = append(s.Attributes, attributes("error.type", string(e.Code))...)
		if t.Content {
			s.Status.Message = t.Mask(e.Message.In(fault.English))
		}
	}
	if t.Content {
		s.Attributes = append(s.Attributes, attributes("gen_ai.tool.call.arguments", t.cut(call.Input), "gen_ai.tool.call.result", t.cut(result))...)
	}
	return s
}

func (t *Tracer) cut(content []byte) string {
	text := t.Mask(string(content))
	return text[:min(len(text), contentBytes)]
}

// write adds a span to those that wait. A span that cannot be written is lost.
func (t *Tracer) write(s span) {
	dir, err := t.State()
	if err != nil {
		return
	}
	waiting, err := dir.List(spansDir)
	if err == nil && len(waiting) >= maxSpans {
		slices.Sort(waiting) // their names begin with the time
		for _, name := range waiting[:len(waiting)-maxSpans+1] {
			_ = dir.Remove(path.Join(spansDir, path.Base(name)))
		}
	}
	if raw, err := schema.Marshal(s); err == nil {
		_ = dir.Put(path.Join(spansDir, s.End+"-"+s.ID), raw)
	}
}
