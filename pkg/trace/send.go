package trace

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
)

// request is an ExportTraceServiceRequest.
type request struct {
	ResourceSpans []resourceSpans `json:"resourceSpans"`
}

type resourceSpans struct {
	Resource struct {
		Attributes []attribute `json:"attributes"`
	} `json:"resource"`
	ScopeSpans []scopeSpans `json:"scopeSpans"`
}

type scopeSpans struct {
	Scope struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	} `json:"scope"`
	Spans []json.RawMessage `json:"spans"`
}

// send sends the spans that wait, unless another process does, or the collector failed a
// moment ago.
func (t *Tracer) send(ctx context.Context) {
	dir, err := t.State()
	if err != nil {
		return
	}
	names, err := dir.List(spansDir)
	if err != nil || len(names) == 0 || t.paused(dir) {
		return
	}
	release, ok, err := dir.Claim(sendLock)
	if err != nil || !ok {
		return
	}
	defer func() { _ = release() }() // it ends with the process
	slices.Sort(names)
	body, sent := t.collect(dir, names[:min(len(names), batch)])
	if body == nil {
		return
	}
	if err := t.Post(ctx, body); err != nil {
		_ = dir.Put(pauseFile, []byte(t.Now().Add(pause).UTC().Format(time.RFC3339Nano)))
		return
	}
	for _, name := range sent {
		_ = dir.Remove(name)
	}
}

// paused reports whether the collector is left alone.
func (t *Tracer) paused(dir *state.Dir) bool {
	raw, err := dir.ReadFile(pauseFile)
	if err != nil {
		return false
	}
	until, err := time.Parse(time.RFC3339Nano, string(raw))
	return err == nil && t.Now().Before(until)
}

// collect returns a request with spans, and their files.
func (t *Tracer) collect(dir *state.Dir, names []string) (body []byte, files []string) {
	var spans []json.RawMessage
	for _, name := range names {
		file := path.Join(spansDir, path.Base(name))
		raw, err := dir.ReadFile(file)
		if err != nil || !json.Valid(raw) {
			_ = dir.Remove(file)
			continue
		}
		spans, files = append(spans, raw), append(files, file)
	}
	if len(spans) == 0 {
		return nil, nil
	}
	r := resourceSpans{ScopeSpans: []scopeSpans{{Spans: spans}}}
	r.Resource.Attributes = attributes("service.name", t.Service, "service.version", t.Version)
	r.ScopeSpans[0].Scope.Name, r.ScopeSpans[0].Scope.Version = "github.com/helve-dev/helve", t.Version
	body, err := schema.Marshal(request{[]resourceSpans{r}})
	if err != nil {
		return nil, nil
	}
	return body, files
}
