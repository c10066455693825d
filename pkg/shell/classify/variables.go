package classify

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// assignment judges name=value, alone or before a command.
func (w *walker) assignment(s *syntax.Assign) {
	a := w.a
	if s.Name == nil {
		return
	}
	a.setsVariable(s.Name.Value, a.reader().Word(s.Value))
	if s.Index != nil {
		a.arithmetic(s.Index)
	}
	a.assign(s.Name.Value, valueOf(s.Value))
	if s.Array != nil || s.Index != nil {
		a.arrays[s.Name.Value] = true
	}
	if s.Array != nil {
		for _, e := range s.Array.Elems {
			a.assign(s.Name.Value, valueOf(e.Value))
			a.arithmetic(e.Index)
		}
	}
}

// given judges the variables that the caller adds.
func (a *analysis) given() {
	for _, entry := range a.o.Env {
		name, value, _ := strings.Cut(entry, "=")
		if a.o.Dialect == Cmd || a.o.Dialect == PowerShell {
			a.setsWindowsVariable(name, word.Literal(value))
			continue
		}
		a.setsVariable(name, word.Literal(value))
		a.assign(name, valueOfText(value))
	}
}

// declare judges declare, export, local, readonly, typeset and nameref.
func (w *walker) declare(d *syntax.DeclClause) {
	a := w.a
	r := a.reader()
	shown := []word.Word{word.Literal(d.Variant.Value)}
	var args []word.Word
	for _, s := range d.Args {
		if s.Name == nil { // an option, or a word that becomes something
			if s.Value != nil {
				shown = append(shown, r.Word(s.Value))
				args = append(args, r.Word(s.Value))
			}
			continue
		}
		w.assignment(s)
		name := word.Word{Text: s.Name.Value, Source: s.Name.Value, Lit: true}
		shown = append(shown, name)
		if s.Value != nil {
			v := r.Word(s.Value)
			name.Text += "=" + v.Text
			name.Source += "=" + v.Source
			name.Lit = v.Lit
		}
		args = append(args, name)
	}
	defer a.show(shown)()
	a.declaration(d.Variant.Value, args)
}

// declaration judges the arguments of declare and its like. When the name is
// quoted they are ordinary words.
func (a *analysis) declaration(name string, args []word.Word) {
	if name == "nameref" {
		a.evaluates(name)
	}
	var letters strings.Builder
	for _, w := range args {
		if len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+') {
			letters.WriteString(w.Text[1:])
		}
	}
	flags := letters.String()
	if name != "export" && name != "readonly" && strings.Contains(flags, "n") {
		a.evaluates(name)
	}
	for _, w := range args {
		if !w.Known() && (w.Prefix() == "" || w.Prefix()[0] == '-' || !strings.Contains(w.Prefix(), "=")) {
			a.evaluates(name)
			continue
		}
		if len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+') {
			continue
		}
		if _, value, ok := strings.Cut(w.Text, "="); ok {
			a.declares(name, flags, w, word.Word{Text: value, Source: w.Source, Lit: w.Lit, Glob: w.Glob})
		} else {
			a.setsVariable(w.Text, word.Word{})
		}
		declared, _, _ := strings.Cut(w.Text, "=")
		if strings.Contains(flags, "i") {
			a.evaluate(declared)
		}
		if strings.ContainsAny(flags, "aA") {
			a.arrays[variable(declared)] = true
		}
		a.variableName(name, w)
	}
}

// declares judges the value that declare gives a variable. An array takes a text
// in parentheses for the list of its elements, and expands them.
func (a *analysis) declares(by, flags string, w, given word.Word) {
	name, _, _ := strings.Cut(w.Text, "=")
	a.setsVariable(strings.TrimSuffix(name, "+"), given)
	if strings.HasPrefix(given.Text, "(") {
		a.evaluateText(by, given.Text)
		if !given.Known() {
			a.evaluates(by)
		}
	}
	switch {
	case given.Lit || given.Prefix() != "":
	case strings.ContainsAny(flags, "aA"):
		a.evaluatesComputed(by)
	default:
		a.compounds[variable(name)] = true
	}
}

// variableName judges an argument that a builtin takes as the name of a variable.
// The shell evaluates a subscript in it.
func (a *analysis) variableName(builtin string, w word.Word) {
	_, subscript, ok := strings.Cut(w.Prefix(), "[")
	switch {
	case ok && !w.Known(), !w.Known() && !strings.Contains(w.Prefix(), "="):
		a.evaluates(builtin)
	case ok:
		a.arrays[variable(w.Text)] = true
		a.evaluateText(builtin, subscript)
	}
}
