package manifest

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
	"github.com/helve-dev/helve/pkg/schema"
)

// maxArgv limits the words of a command, with and without its arguments.
const maxArgv = 1000

// element is a word of a command's template.
type element struct {
	parts   []part
	operand bool // it follows a literal "--", so it is no option
}

// part is a part of a word: literal text, or an argument.
type part struct {
	text string
	name bool // text is the name of an argument
}

// alone returns the argument that is the whole word; "" if there is more in it.
func (e element) alone() string {
	if len(e.parts) == 1 && e.parts[0].name {
		return e.parts[0].text
	}
	return ""
}

// parseElement reads a word. {name} stands for an argument, {{ and }} for braces. bad
// says what is wrong with it, if anything.
func parseElement(word string) (e element, bad fault.Text) {
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			e.parts = append(e.parts, part{text: literal.String()})
			literal.Reset()
		}
	}
	for i := 0; i < len(word); i++ {
		two := word[i:min(i+2, len(word))]
		switch {
		case two == "{{" || two == "}}":
			literal.WriteByte(word[i])
			i++
		case word[i] == '}':
			return e, fault.T(`"}" without "{": write "}}" for the brace itself`)
		case word[i] == '{':
			end := strings.IndexByte(word[i:], '}')
			if end < 2 || strings.IndexByte(word[i+1:i+end], '{') >= 0 {
				return e, fault.T(`"{" must start {name}: write "{{" for the brace itself`)
			}
			flush()
			e.parts = append(e.parts, part{text: word[i+1 : i+end], name: true})
			i += end
		case word[i] == 0:
			return e, fault.T("a word must not contain a NUL")
		default:
			literal.WriteByte(word[i])
		}
	}
	flush()
	return e, fault.Text{}
}

// parseArgv reads a template and checks it against the parameters, which are nil if
// they are wrong themselves.
func parseArgv(words []string, parameters *schema.Object, report func(pointer string, what fault.Text)) []element {
	if len(words) == 0 || len(words) > maxArgv {
		report("/run/argv", fault.T("want 1 to %d words, the program first", maxArgv))
		return nil
	}
	var argv []element
	operands := false // after "--"
	for i, word := range words {
		at := "/run/argv/" + strconv.Itoa(i)
		e, bad := parseElement(word)
		if !bad.IsZero() {
			report(at, bad)
			continue
		}
		e.operand = operands
		operands = operands || word == "--"
		for _, p := range e.parts {
			if !p.name {
				continue
			}
			if i == 0 {
				report(at, fault.T("the program must not depend on an argument"))
			}
			if parameters != nil {
				checkName(at, p.text, parameters, e.alone() != "", report)
			}
		}
		if i == 0 && strings.TrimSpace(word) == "" {
			report(at, fault.T("the program is missing"))
		}
		argv = append(argv, e)
	}
	return argv
}

// checkName checks the name of an argument in a word; alone says that it is the whole
// word.
func checkName(at, name string, parameters *schema.Object, alone bool, report func(string, fault.Text)) {
	f, ok := parameters.Field(name)
	switch {
	case !ok:
		near := similar.Name(name, parameters.Names())
		if near != "" {
			report(at, fault.T("there is no parameter %q; did you mean %q?", name, near))
			return
		}
		report(at, fault.T("there is no parameter %q", name))
	case f.Type.Kind == schema.Map, f.Type.Kind == schema.Array && (f.Type.Items.Kind == schema.Map || f.Type.Items.Kind == schema.Array):
		report(at, fault.T(`{%s} is not a plain value: pass it on stdin ("stdin":"json")`, name))
	case f.Type.Kind == schema.Array && !alone:
		report(at, fault.T("{%s} is a list and must be a word of its own", name))
	}
}

// Command returns the words of a call's command, the program first, for execve(2).
// values are those of arguments that the tool's Parameters decoded.
//
// A word is left out if an argument in it is absent. A list becomes one word for each
// item. A value that is a whole word must not start with "-" before a "--", since the
// program would take it for an option. The error is invalid_arguments.
func (t *Tool) Command(values schema.Document) ([]string, error) {
	var argv []string
	for _, e := range t.argv {
		if name := e.alone(); name != "" {
			words, err := e.expand(name, values.Get(name))
			if err != nil {
				return nil, err
			}
			argv = append(argv, words...)
			continue
		}
		word, given := "", true
		for _, p := range e.parts {
			text := p.text
			if p.name {
				v := values.Get(p.text)
				given = given && v != nil
				text = plain(v)
			}
			word += text
		}
		if strings.IndexByte(word, 0) >= 0 {
			return nil, refuse(fault.T("an argument contains a NUL, which no program can be passed"))
		}
		if given {
			argv = append(argv, word)
		}
	}
	if len(argv) > maxArgv {
		return nil, refuse(fault.T("the command has %d words; the limit is %d", len(argv), maxArgv))
	}
	return argv, nil
}

// expand returns the words for an argument that is a whole word.
func (e element) expand(name string, v any) ([]string, error) {
	if v == nil {
		return nil, nil
	}
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	words := make([]string, len(items))
	for i, item := range items {
		words[i] = plain(item)
		switch {
		case strings.IndexByte(words[i], 0) >= 0:
			return nil, refuse(fault.T("/%s: contains a NUL, which no program can be passed", name))
		case !e.operand && strings.HasPrefix(words[i], "-"):
			return nil, refuse(fault.T(`/%s: must not start with "-": the program would take %q for an option`, name, words[i]))
		}
	}
	return words, nil
}

// refuse is the error of arguments that cannot become a command.
func refuse(what fault.Text) error {
	return fault.New(fault.InvalidArguments, fault.T("invalid arguments: %s", what)).
		WithHint(fault.T(`pass another value; a path can start with "./"`))
}

// plain returns a scalar as a word.
func plain(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// Input returns what the program reads on its standard input, for [CallStdin] its member
// arguments alone; ok is false for nothing.
func (t *Tool) Input(values schema.Document) (input []byte, ok bool, err error) {
	switch t.Stdin {
	case NoStdin:
		return nil, false, nil
	case JSONStdin, CallStdin:
		input, err = schema.Marshal(values)
		return input, true, err
	}
	v := values.Get(strings.Trim(string(t.Stdin), "{}"))
	return []byte(plain(v)), v != nil, nil
}
