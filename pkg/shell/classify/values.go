package classify

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// value is what is known of the value of a variable, or of any text that the
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

// variable returns the name by which a parameter is known here.
func variable(name string) string {
	name, _, _ = strings.Cut(name, "[") // the first element of an array is the variable itself
	name = strings.TrimSuffix(name, "+")
	if name == "*" || name != "" && strings.Trim(name, "0123456789") == "" {
		return positional
	}
	return name
}

// assign notes that a variable may have a value.
func (a *analysis) assign(name string, v value) {
	name = variable(name)
	a.values[name] = a.values[name].with(v)
	if integer(name) {
		a.evaluate(name)
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
func (a *analysis) evaluate(name string) {
	if name = variable(name); name != "" && !a.evaluated[name] {
		a.evaluated[name] = true
		a.numbers = append(a.numbers, name)
	}
}

// evaluateText judges a literal text that by evaluates.
func (a *analysis) evaluateText(by, text string) {
	v := valueOfText(text)
	for _, name := range v.names {
		a.number(name)
	}
	if v.kind == suspicious {
		a.evaluates(by)
	}
}

func (a *analysis) evaluatesComputed(by string) {
	a.raise(Write, Opaque, fault.T("%s evaluates computed text", by))
}

// concludeValues judges the variables that are evaluated.
func (a *analysis) concludeValues() {
	for _, name := range slices.Sorted(maps.Keys(a.functions)) {
		a.assign(positional, a.calls[name])
	}
	for _, name := range a.spread {
		if a.worst(name, map[string]bool{}) >= unknown {
			a.evaluatesComputed("[")
		}
	}
	for name := range a.compounds {
		if a.arrays[name] {
			a.evaluatesComputed("declare")
		}
	}
	for checked := 0; checked < len(a.numbers); checked++ { //nolint:intrange // the list grows meanwhile
		name := a.numbers[checked]
		v := a.values[name]
		for _, other := range v.names {
			a.number(other)
		}
		if givenByShell(name) || a.joined[name] && v.kind > number {
			v.kind = max(v.kind, unknown)
		}
		switch v.kind {
		case suspicious:
			a.raise(Destructive, Obfuscated, fault.T("the value of %s is evaluated and holds a command", name))
		case unknown:
			a.raise(Write, Opaque, fault.T("the value of %s is computed and evaluated as an arithmetic expression", name))
		}
	}
}

// worst returns the worst kind that the value of a variable may be of.
func (a *analysis) worst(name string, seen map[string]bool) kind {
	if name = variable(name); seen[name] {
		return number
	}
	seen[name] = true
	k := a.values[name].kind
	if givenByShell(name) {
		k = max(k, unknown)
	}
	for _, other := range a.values[name].names {
		k = max(k, a.worst(other, seen))
	}
	return k
}

// valueOfAll returns what is known of each of some words.
func valueOfAll(words []*syntax.Word) value {
	v := value{}
	for _, w := range words {
		v = v.with(valueOf(w))
	}
	return v
}

// valueOf returns what the syntax of a word says of its value. The value of a
// variable alone is that of the variable, which may get worse later.
func valueOf(w *syntax.Word) value {
	if w == nil {
		return value{}
	}
	parts := flat(nil, w.Parts)
	if len(parts) == 1 {
		if p, ok := parts[0].(*syntax.ParamExp); ok && !isNumber(p) {
			if v, ok := valueOfParameter(p); ok {
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
	return v.with(valueOfText(text.String()))
}

// valueOfParameter returns what is known of a word that is a variable or an element
// of it, or, with ${x:-word} and ${x:+word}, that word.
func valueOfParameter(p *syntax.ParamExp) (v value, ok bool) {
	bare := *p
	bare.Index, bare.Exp = nil, nil
	if !word.Plain(&bare) {
		return value{}, false
	}
	v = value{names: []string{variable(p.Param.Value)}}
	if p.Exp == nil {
		return v, true
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return v.with(valueOf(p.Exp.Word)), true
	}
	return value{}, false
}

// valueWithin returns what is known of the words in ${...}, such as a default.
func valueWithin(p *syntax.ParamExp) value {
	v := value{}
	if p.Exp != nil {
		v = v.with(valueOf(p.Exp.Word))
	}
	if p.Repl != nil {
		v = v.with(valueOf(p.Repl.With))
	}
	return v
}

// flat appends the parts of a word, with those of double quotes in their place.
func flat(to, parts []syntax.WordPart) []syntax.WordPart {
	for _, p := range parts {
		if q, ok := p.(*syntax.DblQuoted); ok && !q.Dollar {
			to = flat(to, q.Parts)
		} else {
			to = append(to, p)
		}
	}
	return to
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

// valueOfWord returns what is known of the value of a word.
func valueOfWord(w word.Word) value {
	v := valueOfText(w.Text)
	if !w.Known() {
		v.kind = max(v.kind, unknown)
	}
	return v
}

// valueOfText returns what is known of a literal value. The shell may put names of
// files in the place of a pattern, and a bracket needs other text to do harm.
func valueOfText(s string) value {
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
