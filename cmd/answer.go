package cmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// envelope is the document that answers every call.
type envelope struct {
	OK       bool            `json:"ok"`
	Data     json.RawMessage `json:"data,omitempty"`
	Error    *failure        `json:"error,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
}

// failure is a fault in the caller's language.
type failure struct {
	Code      fault.Code `json:"code"`
	Message   string     `json:"message"`
	Hint      string     `json:"hint,omitempty"`
	Retryable bool       `json:"retryable"`
	Details   any        `json:"details,omitempty"`
}

func failureOf(e *fault.Error, lang fault.Lang) *failure {
	f := &failure{
		Code: e.Code, Message: e.Message.In(lang), Hint: e.Hint.In(lang), Retryable: e.Code.Retryable(), Details: e.Details,
	}
	if localized, ok := e.Details.(interface{ In(fault.Lang) any }); ok {
		f.Details = localized.In(lang)
	}
	return f
}

func envelopeOf(o guard.Outcome, lang fault.Lang) envelope {
	e := envelope{OK: o.Err == nil, Data: o.JSON}
	if long, ok := o.Result.(schema.Streamer); ok {
		data, err := schema.Marshal(long)
		if err != nil {
			return envelopeOf(guard.Outcome{Err: fault.As(err), Warnings: o.Warnings}, lang)
		}
		e.Data = data
	}
	if o.Err != nil {
		e.Error = failureOf(o.Err, lang)
	}
	e.Warnings = warningsOf(o, lang)
	return e
}

func warningsOf(o guard.Outcome, lang fault.Lang) []string {
	var warnings []string
	for _, w := range o.Warnings {
		warnings = append(warnings, w.In(lang))
	}
	return warnings
}

// textOf renders an outcome for people and models, with colour if paint says so.
func textOf(t *tool.Tool, o guard.Outcome, lang fault.Lang, paint screen.Paint) string {
	var b strings.Builder
	for _, w := range o.Warnings {
		b.WriteString("warning: " + w.In(lang) + "\n")
	}
	if o.Err == nil {
		b.WriteString(t.Text(o.Result, paint))
		return b.String()
	}
	f := failureOf(o.Err, lang)
	b.WriteString("error: " + f.Message + " (" + string(f.Code) + ")\n")
	if f.Hint != "" {
		b.WriteString("hint: " + f.Hint + "\n")
	}
	if _, said := o.Err.Details.(fault.Worded); f.Details != nil && !said {
		if details, err := schema.Marshal(f.Details); err == nil {
			b.WriteString("details: " + string(screen.JSON(details)) + "\n")
		}
	}
	return b.String()
}

// separate is from how many bytes on a result is not copied only to stand in its
// envelope, but written by itself.
const separate = 64 << 10

// answer prints what became of a call of t, and keeps the exit status.
func (a *app) answer(t *tool.Tool, o guard.Outcome) {
	if o.Err != nil {
		a.status = o.Err.Code.Exit()
		a.log().Error("call failed", "code", o.Err.Code, "cause", o.Err.Unwrap())
	} else {
		a.status = a.statusOf(o.Result)
	}
	if a.flags.output == "text" && !a.streaming {
		a.write([]byte(textOf(t, o, a.lang(), a.paint())))
		return
	}
	long, streams := o.Result.(schema.Streamer)
	if o.JSON == nil && !streams || a.pretty() || process.IsTerminal(a.out) {
		a.document(envelopeOf(o, a.lang()))
		return
	}
	head, tail := []byte(`{"ok":true,"data":`), []byte("}\n")
	if len(o.Warnings) > 0 {
		warnings, err := schema.Marshal(warningsOf(o, a.lang()))
		if err != nil {
			a.document(envelopeOf(o, a.lang()))
			return
		}
		tail = slices.Concat([]byte(`,"warnings":`), warnings, tail)
	}
	switch {
	case streams:
		a.print(func(out io.Writer) error {
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
		a.write(slices.Concat(head, o.JSON, tail))
	default:
		a.write(head, o.JSON, tail)
	}
}

// pretty reports whether documents are indented, for a person to read.
func (a *app) pretty() bool {
	return !a.streaming && (a.flags.output == "pretty" || a.flags.output == "" && process.IsTerminal(a.out))
}

// data prints the result of a command that is no tool.
func (a *app) data(v any) error {
	text, err := schema.Marshal(v)
	if err != nil {
		return err
	}
	a.document(envelope{OK: true, Data: text})
	return nil
}

// fail prints a fault that arose outside of a call, and gives its exit status.
func (a *app) fail(e *fault.Error) int {
	a.status = e.Code.Exit()
	a.log().Error("failed", "code", e.Code, "cause", e.Unwrap())
	if a.answered {
		return a.status
	}
	if a.flags.output == "text" {
		a.write([]byte(textOf(nil, guard.Outcome{Err: e}, a.lang(), false)))
	} else {
		a.document(envelopeOf(guard.Outcome{Err: e}, a.lang()))
	}
	return a.status
}

// document prints one JSON document, indented where a person reads it.
func (a *app) document(v any) {
	text, err := schema.Marshal(v)
	if err != nil {
		a.log().Error("encoding", "err", err)
		text = []byte(`{"ok":false,"error":{"code":"internal","message":"the answer could not be encoded","retryable":false}}`)
		a.status = fault.Internal.Exit()
	}
	if a.pretty() {
		var b bytes.Buffer
		if json.Indent(&b, text, "", "  ") == nil {
			text = b.Bytes()
		}
	}
	if process.IsTerminal(a.out) { // what others wrote is shown there, and drives nothing
		text = screen.JSON(text)
	}
	a.write(text)
}

// write prints the one document, given in parts, and its newline.
func (a *app) write(parts ...[]byte) {
	if last := len(parts) - 1; !bytes.HasSuffix(parts[last], []byte("\n")) {
		parts[last] = append(parts[last], '\n')
	}
	a.print(func(out io.Writer) error {
		for _, part := range parts {
			if _, err := out.Write(part); err != nil {
				return err
			}
		}
		return nil
	})
}

// print has the one document written. A reader that has gone away is not told.
func (a *app) print(document func(io.Writer) error) {
	a.answered = true
	out := a.out
	if f, ok := out.(*os.File); ok {
		out = process.WithoutSIGPIPE(f)
	}
	if err := document(out); err != nil {
		a.log().Error("writing the answer", "err", err)
		if !errors.Is(err, syscall.EPIPE) {
			_, _ = fmt.Fprintln(a.errw, "helve: the answer could not be written:", err) // there is no further place to say it
			a.status = fault.IOError.Exit()
		}
	}
}
