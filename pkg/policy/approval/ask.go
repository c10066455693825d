package approval

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

const (
	// maxAnswer is the longest line, in bytes, that a host or a person answers with.
	maxAnswer = 64 << 10
	// maxLines limits the lines of a preview on a terminal.
	maxLines = 400
)

// Answer is the answer to a question.
type Answer struct {
	Decided bool   // somebody answered
	Allow   bool   // if Decided
	Scope   Scope  // if Allow
	Reason  string // the person's words; may be empty
}

// Scope is the reach of a person's approval beyond the call at hand.
type Scope string

// The scopes.
const (
	Once    Scope = ""        // nothing
	Session Scope = "session" // the same call for the rest of the session
	Always  Scope = "rule"    // what [Call.Rule] says, from now on
)

// question is the line that a host reads from its descriptor.
type question struct {
	Type string `json:"type"` // approval_request
	Request
}

// reply is the line that a host answers with. The id must be that of the question,
// so that an answer to an earlier one does not count.
type reply struct {
	ID       string `json:"id"`
	Decision string `json:"decision"` // approve or deny
	Scope    Scope  `json:"scope"`    // with approve
	Reason   string `json:"reason"`
}

// AskFD asks a host. It writes one line of JSON, {"type":"approval_request","id":…,
// "tool":…,"args":…,"preview":…,…}, and reads one, {"id":…,"decision":"approve"} or
// "deny" with a "reason"; an approval may have a "scope", see [Scope]. The end of input is no decision, and neither is a line
// that cannot be understood, which is an error. When the context ends the wait, a
// read that cannot be interrupted is left behind: rw must not be used again.
func AskFD(ctx context.Context, rw io.ReadWriter, r *Request) (Answer, error) {
	line, err := schema.Marshal(question{"approval_request", *r})
	if err != nil {
		return Answer{}, err
	}
	type outcome struct {
		line []byte
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		if _, err := rw.Write(append(line, '\n')); err != nil {
			done <- outcome{nil, err}
			return
		}
		got, err := readLine(rw)
		done <- outcome{got, err}
	}()
	var got outcome
	select {
	case got = <-done:
	case <-ctx.Done():
		return Answer{}, context.Cause(ctx)
	}
	switch {
	case errors.Is(got.err, io.EOF):
		return Answer{}, nil
	case got.err != nil:
		return Answer{}, fault.New(fault.ApprovalInvalid, fault.T("the host could not be asked: %v", got.err)).Because(got.err)
	}
	var said reply
	d := json.NewDecoder(strings.NewReader(string(got.line)))
	d.DisallowUnknownFields()
	if err := d.Decode(&said); err != nil || said.ID != r.ID || said.Decision != "approve" && said.Decision != "deny" || d.More() || !said.Scope.fits(r) || said.Scope != Once && said.Decision == "deny" {
		return Answer{}, misunderstood(r.ID)
	}
	return Answer{true, said.Decision == "approve", said.Scope, said.Reason}, nil
}

// fits reports whether a request can be allowed to that extent.
func (s Scope) fits(r *Request) bool {
	return s == Once || s == Session || s == Always && r.Rule != nil
}

// readLine reads up to a newline, byte by byte, and takes nothing that follows it.
func readLine(r io.Reader) ([]byte, error) {
	var line []byte
	one := make([]byte, 1)
	for {
		n, err := r.Read(one)
		switch {
		case n == 1 && one[0] == '\n':
			return line, nil
		case n == 1 && len(line) >= maxAnswer:
			return nil, bufio.ErrTooLong
		case n == 1:
			line = append(line, one[0])
		case err != nil:
			return nil, err // an incomplete line decides nothing
		}
	}
}

// AskTerminal shows a request on a terminal and asks. "y" or "yes" allows; "s" or
// "session" also for the session; "a" or "always" from now on, if a rule can say that;
// an empty line or "n" denies; anything else denies, with these words as the reason; the end
// of input is no decision. The caller discards what was typed before the question.
func AskTerminal(tty io.ReadWriter, r *Request, lang fault.Lang, colour bool) (Answer, error) {
	if _, err := io.WriteString(tty, screen(r, lang, colour)); err != nil {
		return Answer{}, fault.System(err, "terminal")
	}
	line, err := readLine(tty)
	if errors.Is(err, io.EOF) {
		return Answer{}, nil
	}
	if errors.Is(err, bufio.ErrTooLong) {
		return Answer{Decided: true}, nil
	}
	if err != nil {
		return Answer{}, fault.System(err, "terminal")
	}
	said := strings.TrimSpace(strings.ToValidUTF8(string(line), "\ufffd"))
	switch strings.ToLower(said) {
	case "y", "yes", "是":
		return Answer{Decided: true, Allow: true}, nil
	case "s", "session", "会话":
		return Answer{Decided: true, Allow: true, Scope: Session}, nil
	case "a", "always", "总是":
		if Always.fits(r) {
			return Answer{Decided: true, Allow: true, Scope: Always}, nil
		}
		return Answer{Decided: true}, nil
	case "", "n", "no", "否":
		return Answer{Decided: true}, nil
	}
	return Answer{Decided: true, Reason: said}, nil
}

// Lines returns what a person sees of a call: its preview, else its arguments, as
// [Visible] shows them.
func (r *Request) Lines() []string {
	text := r.Preview
	if text == "" {
		text = string(r.Args)
	}
	return strings.Split(strings.TrimSuffix(Visible(text), "\n"), "\n")
}

// Excerpt returns what [Request.Lines] has, at most so many lines and characters of it,
// and then how much is left out and where it is.
func (r *Request) Excerpt(most, chars int, lang fault.Lang) string {
	lines := r.Lines()
	text := strings.Join(lines, "\n")
	shown := []rune(strings.Join(lines[:min(len(lines), most)], "\n"))
	cut := strings.TrimRight(string(shown[:min(len(shown), chars)]), "\n")
	left := len(text) - len(cut)
	if left == 0 {
		return cut
	}
	return cut + "\n" + fault.T("… %d more bytes are not shown here: helve approvals show %s", left, r.ID).In(lang)
}

// Tint returns the colour of a line of [Request.Lines], as the parameter of the escape
// sequence SGR; "" for a line without one.
func Tint(line string) string {
	switch {
	case strings.HasPrefix(line, "+"):
		return "32"
	case strings.HasPrefix(line, "-"):
		return "31"
	case strings.HasPrefix(line, "@@"):
		return "36"
	}
	return ""
}

// screen returns what a person sees before they answer.
func screen(r *Request, lang fault.Lang, colour bool) string {
	var b strings.Builder
	paint := func(code, s string) string {
		if !colour || s == "" {
			return s
		}
		return "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	oneLine := func(s string) string { return strings.ReplaceAll(Visible(s), "\n", `\n`) }
	fmt.Fprintf(&b, "\n%s  %s\n", paint("1", oneLine(r.Tool)), paint("33", oneLine(string(r.Risk))))
	for _, why := range r.Reasons {
		b.WriteString("  " + oneLine(why.In(lang)) + "\n")
	}
	b.WriteString("\n")
	lines := r.Lines()
	for _, line := range lines[:min(len(lines), maxLines)] {
		if code := Tint(line); code != "" {
			line = paint(code, line)
		}
		b.WriteString(line + "\n")
	}
	if more := len(lines) - maxLines; more > 0 {
		b.WriteString(fault.T("… %d more lines: helve approvals show %s", more, r.ID).In(lang) + "\n")
	}
	always := fault.Text{}
	if r.Rule != nil {
		always = fault.T(" [a]lways exactly this command here,")
	}
	b.WriteString("\n" + fault.T("allow this? [y]es, [s]ession,%s [N]o, or why not: ", always).In(lang))
	return b.String()
}
