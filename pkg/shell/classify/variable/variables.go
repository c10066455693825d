package variable

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// Set judges and notes that a variable gets a value.
func (s *State) Set(name string, value word.Word) []finding.Finding {
	s.assign(name, ofWord(value))
	return s.Decides(name, value)
}

// Export judges and notes that programs get a variable.
func (s *State) Export(name string, value word.Word) []finding.Finding {
	s.assign(name, ofWord(value))
	return Exports(name, value)
}

// Assignment judges name=value, alone or before a command, which gets the variable.
func (s *State) Assignment(as *syntax.Assign, r word.Reader, before string) (f []finding.Finding) {
	if as.Name == nil {
		return nil
	}
	name := as.Name.Value
	switch {
	case before == "":
		f = s.Decides(name, r.Word(as.Value))
	case name != "IFS" || before != "read": // it splits what is read, and nothing else
		f = Exports(name, r.Word(as.Value))
	}
	f = append(f, s.Arithmetic(as.Index)...)
	s.assign(name, of(as.Value))
	if as.Array != nil || as.Index != nil {
		s.arrays.add(name)
	}
	if as.Array != nil {
		for _, e := range as.Array.Elems {
			s.assign(name, of(e.Value))
			f = append(f, s.Arithmetic(e.Index)...)
		}
	}
	return f
}

// Loop judges the variable of a for or select clause.
func (s *State) Loop(n *syntax.WordIter) []finding.Finding {
	values := ofAll(n.Items)
	if !n.InPos.IsValid() { // without "in", it goes over the positional parameters
		values = value{kind: harmless, names: []string{positional}}
	}
	s.assign(n.Name.Value, values)
	return s.Decides(n.Name.Value, word.Word{})
}

// Call notes the arguments of a command, which may be a function.
func (s *State) Call(name string, args []*syntax.Word) {
	given := ofAll(args)
	s.calls.add(name, given)
	if name == "set" {
		s.assign(positional, given)
	}
}

// Function notes a function, whose output is not known.
func (s *State) Function(name string) {
	s.functions.add(name)
	s.assign(output(name), value{kind: unknown})
}

// Operator judges an unquoted expansion among the words of test, which may become -v and
// a subscript.
func (s *State) Operator(by string, w word.Word) []finding.Finding {
	name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(w.Source, "$"), "{"), "}")
	switch {
	case strings.HasPrefix(name, "#") || name == "?" || name == "$" || name == "!":
	case strings.HasPrefix(w.Source, "$") && (canonical(name) == positional || len(namesIn(name)) == 1 && namesIn(name)[0] == name):
		s.spread = append(s.spread, name)
	default:
		return []finding.Finding{finding.EvaluatesComputed(by)}
	}
	return nil
}

// Declare judges the arguments of declare and its like when they are called as any
// other command, so that the assignments are words.
func (s *State) Declare(name string, args []word.Word) []finding.Finding {
	for _, w := range args {
		if set, text, ok := strings.Cut(w.Text, "="); ok && name != "nameref" {
			s.assign(set, ofWord(word.Word{Text: text, Lit: w.Lit, Glob: w.Glob}))
		}
	}
	return s.Declaration(name, args)
}

// Declaration judges the arguments of declare, export, local, readonly, typeset and
// nameref, whose assignments are noted already.
func (s *State) Declaration(name string, args []word.Word) (f []finding.Finding) {
	if name == "nameref" {
		f = append(f, finding.Evaluates(name))
	}
	var letters strings.Builder
	exports := name == "export"
	for _, w := range args {
		if isFlag(w) {
			letters.WriteString(w.Text[1:])
			exports = exports && !strings.Contains(w.Text, "n") || w.Text[0] == '-' && strings.Contains(w.Text, "x")
		}
	}
	flags := letters.String()
	decides := s.Decides
	if exports {
		decides = Exports
	}
	if name != "export" && name != "readonly" && strings.Contains(flags, "n") {
		f = append(f, finding.Evaluates(name))
	}
	for _, w := range args {
		if !w.Known() && (w.Prefix() == "" || w.Prefix()[0] == '-' || !strings.Contains(w.Prefix(), "=")) {
			f = append(f, finding.Evaluates(name))
			continue
		}
		if isFlag(w) {
			continue
		}
		declared, value, ok := strings.Cut(w.Text, "=")
		if ok {
			given := word.Word{Text: value, Source: w.Source, Lit: w.Lit, Glob: w.Glob}
			f = append(f, decides(strings.TrimSuffix(declared, "+"), given)...)
			f = append(f, s.declares(name, flags, declared, given)...)
		} else {
			f = append(f, decides(w.Text, word.Word{})...)
		}
		if strings.Contains(flags, "i") {
			s.evaluate(declared)
		}
		if strings.ContainsAny(flags, "aA") {
			s.arrays.add(canonical(declared))
		}
		f = append(f, s.Name(name, w)...)
	}
	return f
}

func isFlag(w word.Word) bool { return len(w.Text) > 1 && (w.Text[0] == '-' || w.Text[0] == '+') }

// declares judges the value that declare gives a variable. An array takes a text
// in parentheses for the list of its elements, and expands them.
func (s *State) declares(by, flags, name string, given word.Word) (f []finding.Finding) {
	if strings.HasPrefix(given.Text, "(") {
		f = append(f, s.Expression(by, given.Text)...)
		if !given.Known() {
			f = append(f, finding.Evaluates(by))
		}
	}
	switch {
	case given.Lit || given.Prefix() != "":
	case strings.ContainsAny(flags, "aA"):
		f = append(f, finding.EvaluatesComputed(by))
	default:
		s.compounds.add(canonical(name))
	}
	return f
}

// Name judges an argument that a builtin takes as the name of a variable. The shell
// evaluates a subscript in it.
func (s *State) Name(builtin string, w word.Word) []finding.Finding {
	_, subscript, ok := strings.Cut(w.Prefix(), "[")
	switch {
	case ok && !w.Known(), !w.Known() && !strings.Contains(w.Prefix(), "="):
		return []finding.Finding{finding.Evaluates(builtin)}
	case ok:
		s.arrays.add(canonical(w.Text))
		return s.Expression(builtin, subscript)
	}
	return nil
}
