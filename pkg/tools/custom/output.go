package custom

import (
	"encoding/json"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/track"
)

// Result is a program's output as text, standard error included.
type Result struct {
	ExitCode  int    `json:"exit_code"`
	Output    string `json:"output"`
	Truncated bool   `json:"truncated"` // Output was too long and is cut
	// Reduced says that what is known to be noise is left out of Output.
	Reduced    *output.Reduced `json:"reduced,omitzero"`
	TotalBytes int64           `json:"total_bytes"`
	OutputFile string          `json:"output_file,omitzero"` // with all of it, if Output is not
	Duration   int64           `json:"duration_ms"`
	Killed     []string        `json:"killed,omitempty"` // command lines of processes that it left running
	track.Outcome
}

// envelope reads {"ok":…,"data":…} or {"ok":false,"error":{…}}.
func (c custom) envelope(out []byte) (any, error) {
	var e struct {
		OK    *bool           `json:"ok"`
		Data  json.RawMessage `json:"data"`
		Error reported        `json:"error"`
	}
	if err := json.Unmarshal(out, &e); err != nil || e.OK == nil {
		return nil, c.malformed(out, `{"ok":…}`)
	}
	if *e.OK {
		if e.Data == nil {
			e.Data = json.RawMessage("null")
		}
		return compact(e.Data), nil
	}
	return nil, c.reported(e.Error)
}

// ended returns s with a newline at its end, unless it is empty.
func ended(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// text renders a result for people and models.
func text(result any, v screen.View) string {
	switch r := result.(type) {
	case Result:
		if r.Output == "" {
			return "(" + v.Say(fault.T("no output")) + ")\n"
		}
		if r.Reduced != nil && r.OutputFile != "" {
			return ended(r.Output) + "[" + v.Say(output.Note(r.Reduced, r.TotalBytes, r.OutputFile)) + "]\n"
		}
		return ended(r.Output)
	case Content:
		return r.text
	case json.RawMessage:
		return string(r) + "\n"
	}
	out, err := schema.Marshal(result)
	if err != nil {
		return err.Error()
	}
	return string(out) + "\n"
}
