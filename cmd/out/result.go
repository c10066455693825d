package out

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/turn/envelope"
)

// Report is the output of a command that is not a tool. With a failure it still
// has data.
type Report struct {
	Data     any
	Text     string // the data for people
	Warnings []fault.Text
	Failure  error
}

// Report prints a report. Its text may quote files that anybody wrote, so it cannot
// control the terminal.
func (p *Printer) Report(r Report) error {
	o := guard.Outcome{Err: fault.As(r.Failure), Warnings: p.warned(r.Warnings)}
	if o.Err != nil {
		p.failed("failed", o.Err)
	}
	if p.AsText() {
		p.Print([]byte(approval.Visible(envelope.Text(nil, o, screen.View{Lang: p.Lang}) + r.Text)))
		return nil
	}
	var err error
	if o.JSON, err = schema.Marshal(r.Data); err != nil {
		return err
	}
	p.Document(envelope.Of(o, p.Lang))
	return nil
}

// separate is the size, in bytes, from which on a result is not copied into its
// envelope, but written by itself.
const separate = 64 << 10

// Result prints the outcome of a call of t.
func (p *Printer) Result(t *tool.Tool, o guard.Outcome) {
	o.Warnings = p.warned(o.Warnings)
	if o.Err != nil {
		p.failed("call failed", o.Err)
	}
	if p.AsText() {
		text := envelope.Text(t, o, screen.View{Paint: p.Paint(), Lang: p.Lang})
		if o.Said != nil && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		p.Print(p.Shown(text))
		return
	}
	long, streams := o.Result.(schema.Streamer)
	if o.Said != nil || o.JSON == nil && !streams || p.pretty() || p.Terminal() {
		p.Document(envelope.Of(o, p.Lang))
		return
	}
	head, tail := []byte(`{"ok":true,"data":`), []byte("}\n")
	if all := o.Warned(); len(all) > 0 {
		warnings, err := schema.Marshal(envelope.Warnings(all, p.Lang))
		if err != nil {
			p.Document(envelope.Of(o, p.Lang))
			return
		}
		tail = slices.Concat([]byte(`,"warnings":`), warnings, tail)
	}
	switch {
	case streams:
		p.stream(func(out io.Writer) error {
			w := bufio.NewWriterSize(out, separate)
			if _, err := w.Write(head); err != nil {
				return err
			}
			if err := long.WriteJSON(w); err != nil {
				return err
			}
			if _, err := w.Write(tail); err != nil {
				return err
			}
			return w.Flush()
		})
	case len(o.JSON) < separate:
		p.Print(slices.Concat(head, o.JSON, tail))
	default:
		p.Print(head, o.JSON, tail)
	}
}

// Plain returns a value as a shell wants it: a string without its quotes.
func Plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}
