// Package variable knows the values of the variables of a shell as far as they matter to a
// judgement: bash evaluates them in arithmetic, subscripts and what is assigned to RANDOM,
// and runs a substitution in them. Each assignment and each evaluation is noted; what an
// evaluation does shows when everything was read, whatever the order.
package variable

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// State is the knowledge about the variables of a shell. In the zero value
// none is set.
type State struct {
	// Exported reports whether the environment of the shell has a variable. If it is nil,
	// it has none but those that every shell has.
	Exported func(name string) bool

	values    values   // the worst value that was assigned to a variable
	calls     values   // the worst argument that was given to a command
	evaluated set      // variables whose value is evaluated as an expression
	numbers   []string // these, in their order
	joined    set      // variables that are evaluated together with other text
	spread    []string // variables that test may take for an operator
	arrays    set      // variables that may be arrays
	compounds set      // variables that declare gives a computed value, which an array takes for its elements
	functions set      // the names of functions
}

type set map[string]bool

func (s *set) add(name string) {
	if *s == nil {
		*s = set{}
	}
	(*s)[name] = true
}

type values map[string]value

// add notes that what has a name may have a value.
func (s *values) add(name string, v value) {
	if *s == nil {
		*s = values{}
	}
	(*s)[name] = (*s)[name].with(v)
}

// value is the knowledge about the value of a variable, or about any text that the
// shell may evaluate as an arithmetic expression.
type value struct {
	kind  kind
	names []string // the variables that it names, which are evaluated with it
}

// kind says what the evaluation of a value may do.
type kind int

const (
	number     kind = iota // nothing: digits, or no text at all
	harmless               // evaluate the variables that it names
	unknown                // anything: it is computed, or may be part of a command
	suspicious             // run the command in it
)

// with returns what is known of a value that is v or o.
func (v value) with(o value) value {
	v.kind = max(v.kind, o.kind)
	v.names = append(v.names, o.names...)
	return v
}

// positional stands for the positional parameters, as one variable.
const positional = "@"

// canonical returns the name by which a parameter is known here.
func canonical(name string) string {
	name, _, _ = strings.Cut(name, "[") // the first element of an array is the variable itself
	name = strings.TrimSuffix(name, "+")
	if name == "*" || name != "" && strings.Trim(name, "0123456789") == "" {
		return positional
	}
	return name
}

// assign notes that a variable may have a value.
func (s *State) assign(name string, v value) {
	name = canonical(name)
	s.values.add(name, v)
	if integer(name) {
		s.evaluate(name)
	}
}

// integer reports whether bash evaluates what is assigned to one of its own
// variables.
func integer(name string) bool {
	switch name {
	case "BASHPID", "BASH_SUBSHELL", "EPOCHREALTIME", "EPOCHSECONDS", "EUID", "HISTCMD", "LINENO", "OPTIND", "PPID", "RANDOM", "SECONDS",
		"SHLVL", "SRANDOM", "UID":
		return true
	}
	return false
}

// givenByShell reports whether bash itself gives a variable a value that may hold
// any text, such as a line that was read or the name of a directory.
func givenByShell(name string) bool {
	switch name {
	case "_", "BASH_ARGV", "BASH_ARGV0", "BASH_COMMAND", "BASH_EXECUTION_STRING", "BASH_REMATCH", "BASH_SOURCE", "COMP_LINE",
		"COMP_WORDS", "COMP_WORDBREAKS", "DIRSTACK", "FUNCNAME", "HOSTNAME", "MAPFILE", "OLDPWD", "OPTARG", "PWD", "READLINE_LINE", "REPLY":
		return true
	}
	return false
}

// evaluate notes that the value of a variable is evaluated. What that does only
// shows when every assignment was read.
func (s *State) evaluate(name string) {
	if name = canonical(name); name != "" && !s.evaluated[name] {
		s.evaluated.add(name)
		s.numbers = append(s.numbers, name)
	}
}

// Expression judges a literal text that by evaluates.
func (s *State) Expression(by, text string) (f []finding.Finding) {
	v := ofText(text)
	for _, name := range v.names {
		f = append(f, s.number(name)...)
	}
	if v.kind == suspicious {
		f = append(f, finding.Evaluates(by))
	}
	return f
}

// Conclude judges the variables that are evaluated, after everything was read.
func (s *State) Conclude() (f []finding.Finding) {
	for _, name := range slices.Sorted(maps.Keys(s.functions)) {
		s.assign(positional, s.calls[name])
	}
	for _, name := range s.spread {
		if s.worst(name, map[string]bool{}) >= unknown {
			f = append(f, finding.EvaluatesComputed("["))
		}
	}
	for name := range s.compounds {
		if s.arrays[name] {
			f = append(f, finding.EvaluatesComputed("declare"))
		}
	}
	for checked := 0; checked < len(s.numbers); checked++ { //nolint:intrange // the list grows meanwhile
		name := s.numbers[checked]
		v := s.values[name]
		for _, other := range v.names {
			f = append(f, s.number(other)...)
		}
		if givenByShell(name) || s.joined[name] && v.kind > number {
			v.kind = max(v.kind, unknown)
		}
		switch v.kind {
		case suspicious:
			f = append(f, finding.Of(policy.Destructive, finding.Obfuscated, fault.T("the value of %s is evaluated and holds a command", name)))
		case unknown:
			f = append(f, finding.Of(policy.Write, finding.Opaque, fault.T("the value of %s is computed and evaluated as an arithmetic expression", name)))
		}
	}
	return f
}

// worst returns the worst kind that the value of a variable may be of.
func (s *State) worst(name string, seen map[string]bool) kind {
	if name = canonical(name); seen[name] {
		return number
	}
	seen[name] = true
	k := s.values[name].kind
	if givenByShell(name) {
		k = max(k, unknown)
	}
	for _, other := range s.values[name].names {
		k = max(k, s.worst(other, seen))
	}
	return k
}

// ofAll returns the worst value of some words.
func ofAll(words []*syntax.Word) value {
	v := value{}
	for _, w := range words {
		v = v.with(of(w))
	}
	return v
}

// of returns what the syntax of a word says of its value. A variable
// alone stands for its value, which may get worse later.
func of(w *syntax.Word) value {
	if w == nil {
		return value{}
	}
	parts := word.Flat(nil, w.Parts)
	if len(parts) == 1 {
		if p, ok := parts[0].(*syntax.ParamExp); ok && !isNumber(p) {
			if v, ok := ofParameter(p); ok {
				return v
			}
		}
	}
	v := value{}
	numbered := false // a number that is not known is in it
	var text strings.Builder
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			text.WriteString(p.Value)
		case *syntax.SglQuoted:
			if p.Dollar {
				text.WriteString(word.DecodeANSIC(p.Value))
			} else {
				text.WriteString(p.Value)
			}
		case *syntax.ArithmExp:
			numbered = true
			text.WriteByte('0')
		case *syntax.CmdSubst:
			numbered = true
			counts, ok := printsNumber(p)
			if !ok {
				counts.kind = unknown
			}
			text.WriteByte('0')
			v = v.with(counts)
		case *syntax.ParamExp:
			if isNumber(p) {
				numbered = true
				text.WriteByte('0')
				continue
			}
			v = v.with(value{kind: unknown}).with(valueWithin(p))
		default:
			v = v.with(value{kind: unknown})
		}
	}
	if numbered && strings.ContainsFunc(text.String(), unicode.IsLetter) {
		v.kind = max(v.kind, unknown) // which variable it names depends on the number
	}
	return v.with(ofText(text.String()))
}

// ofParameter returns what is known of a word that is a variable or an element
// of it, or, with ${x:-word} and ${x:+word}, that word.
func ofParameter(p *syntax.ParamExp) (v value, ok bool) {
	bare := *p
	bare.Index, bare.Exp = nil, nil
	if !word.Plain(&bare) {
		return value{}, false
	}
	v = value{names: []string{canonical(p.Param.Value)}}
	if p.Exp == nil {
		return v, true
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return v.with(of(p.Exp.Word)), true
	}
	return value{}, false
}

// valueWithin returns what is known of the words in ${...}, such as a default.
func valueWithin(p *syntax.ParamExp) value {
	v := value{}
	if p.Exp != nil {
		v = v.with(of(p.Exp.Word))
	}
	if p.Repl != nil {
		v = v.with(of(p.Repl.With))
	}
	return v
}

// isNumber reports whether a parameter always expands to a number. An assignment
// to one of these that the shell keeps is judged itself.
func isNumber(p *syntax.ParamExp) bool {
	if p.Length {
		return true
	}
	if p.Param == nil {
		return false
	}
	name := p.Param.Value
	return (name == "#" || name == "?" || name == "$" || name == "!" || integer(name)) && word.Plain(p)
}

// ofWord returns what is known of the value of a word.
func ofWord(w word.Word) value {
	v := ofText(w.Text)
	if !w.Known() {
		v.kind = max(v.kind, unknown)
	}
	return v
}

// ofText returns what is known of a literal value. The shell may put names of
// files in the place of a pattern, and a bracket needs other text to do harm.
func ofText(s string) value {
	switch {
	case strings.ContainsAny(s, "$`"):
		return value{kind: suspicious, names: namesIn(s)}
	case strings.ContainsAny(s, "[*?"):
		return value{kind: unknown, names: namesIn(s)}
	case strings.Trim(s, "0123456789") == "":
		return value{}
	}
	return value{kind: harmless, names: namesIn(s)}
}

// namesIn returns the names of variables that an expression may hold.
func namesIn(s string) []string {
	var names []string
	for name := range strings.FieldsFuncSeq(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if name[0] < '0' || name[0] > '9' {
			names = append(names, name)
		}
	}
	return names
}
