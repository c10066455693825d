package classify

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// feed is what is on the standard input of a command.
type feed struct {
	kind feedKind
	text string // of a here-document or here-string
}

type feedKind int

const (
	fromNothing feedKind = iota // an empty input
	fromText                    // literal text
	fromCommand                 // the output of another command, or text with expansions
	fromFile                    // a file
)

// redirect judges a redirection and returns the input of the command.
func (w *walker) redirect(s *syntax.Stmt, r *syntax.Redirect, in feed) feed {
	a := w.a
	if r.N != nil && strings.HasPrefix(r.N.Value, "{") { // {name}>file sets the variable
		a.setsVariable(strings.Trim(r.N.Value, "{}"), word.Word{})
	}
	target := a.reader().Word(r.Word)
	a.named(s, r, target)
	a.opens(r, target)
	if r.Op == syntax.RdrIn {
		return a.input(target, in)
	}
	if a.specialPath(target) {
		return in
	}
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		return a.document(r)
	case syntax.WordHdoc:
		if target.Lit {
			return feed{kind: fromText, text: target.Text}
		}
		return feed{kind: fromCommand}
	case syntax.DplIn:
		return in
	case syntax.DplOut:
		if duplicates(target) {
			return in
		}
	}
	// What is left opens a file for writing.
	switch {
	case r.Op == syntax.AppOut || r.Op == syntax.AppAll || r.Op == syntax.RdrInOut:
		a.writes(target)
	case a.emptiesOnly(s):
		a.empties(r.Op.String(), target)
	default:
		a.overwrites(target)
	}
	return in
}

// opens notes a redirection that gives a file which is read another descriptor than
// that of the standard input. Whoever writes to /dev/fd/N then writes to the file.
func (a *analysis) opens(r *syntax.Redirect, target word.Word) {
	switch r.Op {
	case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn:
		a.opened = a.opened || r.N != nil && r.N.Value != "0"
	case syntax.DplOut:
		a.opened = a.opened || target.Text == "0"
	}
}

// input judges a file that becomes the standard input, and returns that.
func (a *analysis) input(from word.Word, in feed) feed {
	switch p := from.Text; {
	case from.Lit && (p == "/dev/stdin" || p == "/dev/fd/0" || terminal(p)):
		return in
	case strings.HasPrefix(p, "/dev/fd/"): // also of <(...)
		return feed{kind: fromCommand}
	case strings.HasPrefix(p, "/dev/tcp/") || strings.HasPrefix(p, "/dev/udp/"):
		a.specialPath(from)
		return feed{kind: fromCommand}
	}
	a.reads(from)
	return feed{kind: fromFile}
}

// duplicates reports whether the target of >& is a descriptor.
func duplicates(w word.Word) bool {
	return w.Known() && w.Text != "" && strings.Trim(w.Text, "0123456789-") == ""
}

// emptiesOnly reports whether the statement writes nothing, so that a redirection
// of its output empties the file.
func (a *analysis) emptiesOnly(s *syntax.Stmt) bool {
	if s.Cmd == nil {
		return true
	}
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return false
	}
	if len(c.Args) == 0 {
		return true
	}
	name := a.reader().Word(c.Args[0]).Text
	return len(c.Args) == 1 && (name == ":" || name == "true")
}

// document returns the text of a here-document as input.
func (a *analysis) document(r *syntax.Redirect) feed {
	if r.Hdoc == nil {
		return feed{kind: fromText}
	}
	delimiterQuoted := false
	for _, p := range r.Word.Parts {
		l, plain := p.(*syntax.Lit)
		delimiterQuoted = delimiterQuoted || !plain || strings.Contains(l.Value, `\`)
	}
	var b strings.Builder
	for _, p := range r.Hdoc.Parts {
		l, ok := p.(*syntax.Lit)
		switch {
		case !ok:
			return feed{kind: fromCommand}
		case delimiterQuoted:
			b.WriteString(l.Value)
		default:
			b.WriteString(word.UnescapeDouble(l.Value))
		}
	}
	return feed{kind: fromText, text: b.String()}
}
