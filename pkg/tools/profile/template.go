package profile

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Template is a text with places for values:
//
//	{path}              the value of an expression
//	{?stderr}…{/}       the text between them, if the value says something
//	{!stderr}…{/}       the text between them, if it does not
//	{{ and }}           a brace
type Template struct{ parts []part }

// part is a literal text, a value, or a text between {? } and {/}.
type part struct {
	text  string
	value *Expression
	inner []part // nil for a value
	not   bool
}

// maxTemplate bounds a template, in bytes.
const maxTemplate = 8 << 10

// parseTemplate reads a template.
func parseTemplate(s string) (*Template, fault.Text) {
	if len(s) > maxTemplate {
		return nil, fault.T("a text has at most %d bytes", maxTemplate)
	}
	t := &Template{}
	var open *part // the section that the parts belong to
	add := func(p part) {
		if open != nil {
			open.inner = append(open.inner, p)
			return
		}
		t.parts = append(t.parts, p)
	}
	for s != "" {
		i := strings.IndexAny(s, "{}")
		switch {
		case i < 0:
			add(part{text: s})
			s = ""
			continue
		case i > 0:
			add(part{text: s[:i]})
		}
		if strings.HasPrefix(s[i+1:], s[i:i+1]) {
			add(part{text: s[i : i+1]})
			s = s[i+2:]
			continue
		}
		within, rest, closed := strings.Cut(s[i+1:], "}")
		if s[i] == '}' || !closed {
			return nil, fault.T("a brace that is no place for a value is written twice")
		}
		s = rest
		switch {
		case within == "/" && open == nil:
			return nil, fault.T("{/} ends nothing")
		case within == "/":
			t.parts, open = append(t.parts, *open), nil
			continue
		case open != nil && (within == "" || within[0] == '?' || within[0] == '!'):
			return nil, fault.T("{%s}: a text between {?…} and {/} has only values in it", within)
		}
		name := strings.TrimLeft(within, "?!")
		value, wrong := parseExpression(name)
		switch {
		case !wrong.IsZero():
			return nil, wrong
		case name != within:
			open = &part{value: value, inner: []part{}, not: within[0] == '!'}
		default:
			add(part{value: value})
		}
	}
	if open != nil {
		return nil, fault.T("{/} is missing")
	}
	return t, fault.Text{}
}

// fill returns the text with its values.
func (t *Template) fill(s *scope) string {
	var b strings.Builder
	fill(&b, t.parts, s)
	return b.String()
}

func fill(b *strings.Builder, parts []part, s *scope) {
	for _, p := range parts {
		switch {
		case p.value == nil:
			b.WriteString(p.text)
		case p.inner == nil:
			b.WriteString(plain(p.value.value(s)))
		case holds(p.value.value(s)) != p.not:
			fill(b, p.inner, s)
		}
	}
}

// expressions returns the expressions of a template.
func (t *Template) expressions() []*Expression { return expressions(t.parts) }

func expressions(parts []part) (all []*Expression) {
	for _, p := range parts {
		if p.value != nil {
			all = append(all, p.value)
		}
		all = append(all, expressions(p.inner)...)
	}
	return all
}
