package classify

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/shell/classify/program"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// redirect judges a redirection and returns the input of the command.
func (w *walker) redirect(s *syntax.Stmt, r *syntax.Redirect, in program.Input) program.Input {
	a := w.a
	if r.N != nil && strings.HasPrefix(r.N.Value, "{") { // {name}>file sets the variable
		a.note(a.vars.Decides(strings.Trim(r.N.Value, "{}"), word.Word{}))
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
			return program.Input{Kind: program.TextInput, Text: target.Text}
		}
		return program.Input{Kind: program.CommandInput}
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
func (a *analysis) input(from word.Word, in program.Input) program.Input {
	switch p := from.Text; {
	case from.Lit && (p == "/dev/stdin" || p == "/dev/fd/0" || terminal(p)):
		return in
	case strings.HasPrefix(p, "/dev/fd/"): // also of <(...)
		return program.Input{Kind: program.CommandInput}
	case strings.HasPrefix(p, "/dev/tcp/") || strings.HasPrefix(p, "/dev/udp/"):
		a.specialPath(from)
		return program.Input{Kind: program.CommandInput}
	}
	a.reads(from)
	return program.Input{Kind: program.FileInput, File: from}
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
func (a *analysis) document(r *syntax.Redirect) program.Input {
	if r.Hdoc == nil {
		return program.Input{Kind: program.TextInput}
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
			return program.Input{Kind: program.CommandInput}
		case delimiterQuoted:
			b.WriteString(l.Value)
		default:
			b.WriteString(word.UnescapeDouble(l.Value))
		}
	}
	return program.Input{Kind: program.TextInput, Text: b.String()}
}
