// Package out is what every command prints with: the printer of documents and texts, the
// wrapping of help, and the small parts that all commands are made of. It runs nothing.
package out

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/turn/envelope"
)

// Printer writes to standard output: one document a run, or one a line for a
// command that says so, in the caller's format and language. It keeps the exit
// status. Standard error is for logs and for people.
type Printer struct {
	Format  string     // json, pretty or text; "" asks Default
	Lang    fault.Lang // of messages and help
	Verbose bool       // log to standard error

	// Default returns the format where none is given; nil, or "", is text and indented
	// JSON on a terminal, else JSON on one line.
	Default func() string

	Stdout, Stderr io.Writer
	Status         int
	written        bool         // the document was written
	lines          bool         // there are any number of documents, a line each
	Broken         bool         // the document could not be written, or nobody reads it
	warnings       []fault.Text // of no result yet
}

// order makes cobra list commands as they were added, once for the process.
var order sync.Once

// New returns a printer for English messages.
func New(out, errw io.Writer) *Printer {
	order.Do(func() { cobra.EnableCommandSorting = false })
	return &Printer{Lang: fault.English, Stdout: out, Stderr: errw}
}

// Text returns a text in the caller's language, formatted as by fmt.Sprintf.
func (p *Printer) Text(english string, args ...any) string {
	return fault.T(english, args...).In(p.Lang)
}

// Lines announces any number of documents, a line each. None of them carries warnings of
// the whole run.
func (p *Printer) Lines() {
	p.lines = true
	p.Unsaid()
}

// Warn adds warnings to the result that is printed next.
func (p *Printer) Warn(all ...fault.Text) { p.warnings = append(p.warnings, all...) }

// warned returns the warnings to be printed with a result: those of the run and its own.
func (p *Printer) warned(own []fault.Text) []fault.Text {
	all := slices.Concat(p.warnings, own)
	p.warnings = nil
	return all
}

// Unsaid writes the warnings that no result has carried as lines for a person. A command
// that goes on until it is ended calls it before, since its result comes too late.
func (p *Printer) Unsaid() {
	for _, w := range p.warned(nil) {
		p.Note(w.In(p.Lang))
	}
}

// Data prints the result of a command that is not a tool.
func (p *Printer) Data(v any) error {
	text, err := schema.Marshal(v)
	if err != nil {
		return err
	}
	p.Document(envelope.Of(guard.Outcome{JSON: text, Warnings: p.warned(nil)}, p.Lang))
	return nil
}

// Fail prints an error that arose outside of a call, unless the one document is
// already written, and returns its exit status.
func (p *Printer) Fail(e *fault.Error) int {
	p.failed("failed", e)
	if p.written && !p.lines {
		return p.Status
	}
	o := guard.Outcome{Err: e, Warnings: p.warned(nil)}
	if p.AsText() {
		p.Print(p.Shown(envelope.Text(nil, o, screen.View{Lang: p.Lang})))
	} else {
		p.Document(envelope.Of(o, p.Lang))
	}
	return p.Status
}

// failed sets the exit status of an error and logs its cause.
func (p *Printer) failed(what string, e *fault.Error) {
	p.Status = e.Code.Exit()
	p.Log().Error(what, "code", e.Code, "cause", e.Unwrap())
}

// Document prints v as JSON, indented where a person reads it.
func (p *Printer) Document(v any) {
	text, err := schema.Marshal(v)
	if err != nil {
		p.Log().Error("encoding", "err", err)
		text = []byte(`{"ok":false,"error":{"code":"internal","message":"the result could not be encoded","retryable":false}}`)
		p.Status = fault.Internal.Exit()
	}
	if p.pretty() {
		var b bytes.Buffer
		if json.Indent(&b, text, "", "  ") == nil {
			text = b.Bytes()
		}
	}
	if p.Terminal() { // text that others wrote must not control the terminal
		text = screen.JSON(text)
	}
	p.Print(text)
}

// Terminal reports whether a person reads standard output.
func (p *Printer) Terminal() bool { return process.IsTerminal(p.Stdout) }

// Form returns the format that was asked for; "" if nobody did.
func (p *Printer) Form() string {
	if p.Format == "" && p.Default != nil {
		return p.Default()
	}
	return p.Format
}

// AsText reports whether a result that has a text is printed as that.
func (p *Printer) AsText() bool {
	form := p.Form()
	return form == "text" || form == "" && p.Terminal()
}

// pretty reports whether documents are indented, for a person to read.
func (p *Printer) pretty() bool {
	form := p.Form()
	return form == "pretty" || form != "json" && p.Terminal()
}

// Shown returns a text as it is written: on a terminal, text that others wrote must not
// control it.
func (p *Printer) Shown(text string) []byte {
	if p.Terminal() {
		text = screen.Shown(text)
	}
	return []byte(text)
}

// Paint reports whether texts have colour.
func (p *Printer) Paint() screen.Paint { return screen.Paint(host.Colours() && p.Terminal()) }

// Print prints one document, given in parts, and its newline.
func (p *Printer) Print(parts ...[]byte) {
	if last := len(parts) - 1; !bytes.HasSuffix(parts[last], []byte("\n")) {
		parts[last] = append(parts[last], '\n')
	}
	p.stream(func(out io.Writer) error {
		for _, part := range parts {
			if _, err := out.Write(part); err != nil {
				return err
			}
		}
		return nil
	})
}

// stream calls document to write one document. A reader that has gone away is no
// error.
func (p *Printer) stream(document func(io.Writer) error) {
	p.written = true
	out := p.Stdout
	if f, ok := out.(*os.File); ok {
		out = process.WithoutSIGPIPE(f)
	}
	if err := document(out); err != nil {
		p.Broken = true
		p.Log().Error("writing the result", "err", err)
		if !errors.Is(err, syscall.EPIPE) {
			_, _ = fmt.Fprintln(p.Stderr, "helve: the result could not be written:", err) // nothing else is left to write to
			p.Status = fault.IOError.Exit()
		}
	}
}

// LineWriter returns standard output for a command that prints lines of JSON, one a
// write, with or without their end. A reader that has gone away is an error, and does
// not end the process.
func (p *Printer) LineWriter() io.Writer {
	out := p.Stdout
	if f, ok := out.(*os.File); ok {
		out = process.WithoutSIGPIPE(f)
	}
	return lineWriter{out, p.Terminal()}
}

type lineWriter struct {
	out      io.Writer
	terminal bool
}

func (w lineWriter) Write(line []byte) (int, error) {
	text := bytes.TrimSuffix(line, []byte("\n"))
	if w.terminal { // text that others wrote must not control the terminal
		text = screen.JSON(text)
	}
	if _, err := w.out.Write(append(slices.Clip(text), '\n')); err != nil {
		return 0, err
	}
	return len(line), nil
}

// Log returns the logger to standard error.
func (p *Printer) Log() *slog.Logger {
	if !p.Verbose {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(p.Stderr, &slog.HandlerOptions{ReplaceAttr: func(_ []string, attr slog.Attr) slog.Attr {
		switch attr.Value.Kind() {
		case slog.KindString, slog.KindAny: // a cause may contain an address with a password
			attr.Value = slog.StringValue(secret.Mask(attr.Value.String()))
		}
		return attr
	}}))
}

// Note writes a line for a person to standard error, with the time.
func (p *Printer) Note(text string) {
	_, _ = fmt.Fprintf(p.Stderr, "%s %s\n", time.Now().Format(time.DateTime), approval.Visible(text)) // nobody need read it
}

// Trouble writes a failure after which a command goes on as a line for a person.
func (p *Printer) Trouble(err error) {
	if e, is := errors.AsType[*fault.Error](err); is {
		p.Note(e.Message.In(p.Lang))
		return
	}
	p.Note(err.Error())
}

// Columns returns the width of help.
func (p *Printer) Columns() int {
	return cmp.Or(host.Columns(), process.Columns(p.Stdout), DefaultColumns)
}

// Protocol returns standard output for the protocol alone: whatever else is written to it
// from now on, also a result or an error of this command, goes to standard error. What
// nobody reads any more calls gone.
func (p *Printer) Protocol(gone func()) (io.Writer, error) {
	line := p.Stdout
	if f, ok := p.Stdout.(*os.File); ok {
		own, err := process.Claim(f)
		if err != nil {
			return nil, fault.New(fault.IOError, fault.T("standard output cannot be kept for the protocol")).
				WithHint(fault.T("start helve mcp with its standard streams open")).Because(err)
		}
		go process.Abandoned(own, gone)
		line = own
	}
	p.Stdout = p.Stderr
	return line, nil
}

// ToStderr prints the document to standard error: a program that reads standard output
// expects something else there.
func (p *Printer) ToStderr() { p.Stdout = p.Stderr }
