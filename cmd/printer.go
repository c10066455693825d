package cmd

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
	"syscall"
	"time"

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

	out, errw io.Writer
	status    int
	written   bool // the document was written
	lines     bool // there are any number of documents, a line each
	broken    bool // the document could not be written, or nobody reads it
}

// newPrinter returns a printer for English messages.
func newPrinter(out, errw io.Writer) *Printer {
	return &Printer{Lang: fault.English, out: out, errw: errw}
}

// Text returns a text in the caller's language, formatted as by fmt.Sprintf.
func (p *Printer) Text(english string, args ...any) string {
	return fault.T(english, args...).In(p.Lang)
}

// Lines announces any number of documents, a line each.
func (p *Printer) Lines() { p.lines = true }

// Data prints the result of a command that is not a tool.
func (p *Printer) Data(v any) error {
	text, err := schema.Marshal(v)
	if err != nil {
		return err
	}
	p.Document(envelope.Envelope{OK: true, Data: text})
	return nil
}

// Fail prints an error that arose outside of a call, unless the one document is
// already written, and returns its exit status.
func (p *Printer) Fail(e *fault.Error) int {
	p.failed("failed", e)
	switch {
	case p.written && !p.lines:
	case p.text():
		p.write(p.shown(envelope.Text(nil, guard.Outcome{Err: e}, screen.View{Lang: p.Lang})))
	default:
		p.Document(envelope.Of(guard.Outcome{Err: e}, p.Lang))
	}
	return p.status
}

// failed sets the exit status of an error and logs its cause.
func (p *Printer) failed(what string, e *fault.Error) {
	p.status = e.Code.Exit()
	p.log().Error(what, "code", e.Code, "cause", e.Unwrap())
}

// Document prints v as JSON, indented where a person reads it.
func (p *Printer) Document(v any) {
	text, err := schema.Marshal(v)
	if err != nil {
		p.log().Error("encoding", "err", err)
		text = []byte(`{"ok":false,"error":{"code":"internal","message":"the result could not be encoded","retryable":false}}`)
		p.status = fault.Internal.Exit()
	}
	if p.pretty() {
		var b bytes.Buffer
		if json.Indent(&b, text, "", "  ") == nil {
			text = b.Bytes()
		}
	}
	if p.terminal() { // text that others wrote must not control the terminal
		text = screen.JSON(text)
	}
	p.write(text)
}

// terminal reports whether a person reads standard output.
func (p *Printer) terminal() bool { return process.IsTerminal(p.out) }

// form returns the format that was asked for; "" if nobody did.
func (p *Printer) form() string {
	if p.Format == "" && p.Default != nil {
		return p.Default()
	}
	return p.Format
}

// text reports whether a result that has a text is printed as that.
func (p *Printer) text() bool {
	form := p.form()
	return form == "text" || form == "" && p.terminal()
}

// pretty reports whether documents are indented, for a person to read.
func (p *Printer) pretty() bool {
	form := p.form()
	return form == "pretty" || form != "json" && p.terminal()
}

// shown returns a text as it is written: on a terminal, text that others wrote must not
// control it.
func (p *Printer) shown(text string) []byte {
	if p.terminal() {
		text = screen.Shown(text)
	}
	return []byte(text)
}

// paint reports whether texts have colour.
func (p *Printer) paint() screen.Paint { return screen.Paint(host.Colours() && p.terminal()) }

// write prints one document, given in parts, and its newline.
func (p *Printer) write(parts ...[]byte) {
	if last := len(parts) - 1; !bytes.HasSuffix(parts[last], []byte("\n")) {
		parts[last] = append(parts[last], '\n')
	}
	p.print(func(out io.Writer) error {
		for _, part := range parts {
			if _, err := out.Write(part); err != nil {
				return err
			}
		}
		return nil
	})
}

// print calls document to write one document. A reader that has gone away is no
// error.
func (p *Printer) print(document func(io.Writer) error) {
	p.written = true
	out := p.out
	if f, ok := out.(*os.File); ok {
		out = process.WithoutSIGPIPE(f)
	}
	if err := document(out); err != nil {
		p.broken = true
		p.log().Error("writing the result", "err", err)
		if !errors.Is(err, syscall.EPIPE) {
			_, _ = fmt.Fprintln(p.errw, "helve: the result could not be written:", err) // nothing else is left to write to
			p.status = fault.IOError.Exit()
		}
	}
}

// lineWriter returns standard output for a command that prints lines of JSON, one a
// write, with or without their end. A reader that has gone away is an error, and does
// not end the process.
func (p *Printer) lineWriter() io.Writer {
	out := p.out
	if f, ok := out.(*os.File); ok {
		out = process.WithoutSIGPIPE(f)
	}
	return lineWriter{out, p.terminal()}
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

// log returns the logger to standard error.
func (p *Printer) log() *slog.Logger {
	if !p.Verbose {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(p.errw, &slog.HandlerOptions{ReplaceAttr: func(_ []string, attr slog.Attr) slog.Attr {
		switch attr.Value.Kind() {
		case slog.KindString, slog.KindAny: // a cause may contain an address with a password
			attr.Value = slog.StringValue(secret.Mask(attr.Value.String()))
		}
		return attr
	}}))
}

// note writes a line for a person to standard error, with the time.
func (p *Printer) note(text string) {
	_, _ = fmt.Fprintf(p.errw, "%s %s\n", time.Now().Format(time.DateTime), approval.Visible(text)) // nobody need read it
}

// trouble writes a failure after which a command goes on as a line for a person.
func (p *Printer) trouble(err error) {
	if e, is := errors.AsType[*fault.Error](err); is {
		p.note(e.Message.In(p.Lang))
		return
	}
	p.note(err.Error())
}

// columns returns the width of help.
func (p *Printer) columns() int {
	return cmp.Or(host.Columns(), process.Columns(p.out), columns)
}

// protocol returns standard output for the protocol alone: whatever else is written to it
// from now on, also a result or an error of this command, goes to standard error. What
// nobody reads any more calls gone.
func (p *Printer) protocol(gone func()) (io.Writer, error) {
	line := p.out
	if f, ok := p.out.(*os.File); ok {
		own, err := process.Claim(f)
		if err != nil {
			return nil, fault.New(fault.IOError, fault.T("standard output cannot be kept for the protocol")).
				WithHint(fault.T("start helve mcp with its standard streams open")).Because(err)
		}
		go process.Abandoned(own, gone)
		line = own
	}
	p.out = p.errw
	return line, nil
}

// toStderr prints the document to standard error: a program that reads standard output
// expects something else there.
func (p *Printer) toStderr() { p.out = p.errw }
