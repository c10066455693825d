package extract

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// Limits of the style sheets that are read.
const (
	// sheetBytes limits the bytes read of all sheets of a page.
	sheetBytes = 512 << 10
	// sheetRules limits the rules that are kept.
	sheetRules = 10_000
	// sheetClasses limits the classes of an element that are looked up.
	sheetClasses = 16
	// sheetWork limits the declarations applied to all elements together. Pages need a
	// hundredth of that.
	sheetWork = 5_000_000
)

// sheet holds the rules of a page's style elements that select by one class or id. Linked
// sheets are not read, and rules under a condition can only show elements.
type sheet struct {
	rules map[string]declarations // by ".class", "#id", and either after the name of an element
	// shown are the properties that another rule sets for some of the elements of a class or
	// an id, so that they are shown: .tab.active, or what holds for wide screens.
	shown map[string]map[string]bool
	// foreign says that the page also has sheets at other addresses.
	foreign bool
	scripts bool // the page has scripts
	work    int  // declarations that were applied
}

// declarations are the values of the properties that can hide text, in lower case.
type declarations map[string]string

// sheetOf reads the style elements of the document that holds n.
func sheetOf(n *html.Node) *sheet {
	for n.Parent != nil {
		n = n.Parent
	}
	s := &sheet{rules: map[string]declarations{}, shown: map[string]map[string]bool{}}
	left := sheetBytes
	for d := range n.Descendants() {
		switch {
		case dom.Is(d, atom.Script):
			s.scripts = s.scripts || runs(d)
		case dom.Is(d, atom.Link):
			s.foreign = s.foreign || strings.Contains(strings.ToLower(dom.Attr(d, "rel")), "stylesheet")
		case dom.Is(d, atom.Style) && d.FirstChild != nil && !strings.Contains(strings.ToLower(dom.Attr(d, "media")), "print"):
			text := d.FirstChild.Data[:min(len(d.FirstChild.Data), left)]
			left -= len(text)
			s.foreign = s.foreign || strings.Contains(text, "@import")
			s.read(withoutComments(text), false, false)
		}
	}
	return s
}

// withoutComments returns a sheet without its comments.
func withoutComments(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "/*")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteByte(' ')
		_, text, _ = strings.Cut(after, "*/")
	}
}

// read reads rules. Those under a condition, such as the width of the screen, can only
// show elements. inside says that the rules are in a block; blocks in that are skipped.
func (s *sheet) read(text string, inside, conditional bool) {
	for text != "" && len(s.rules) < sheetRules {
		open := strings.IndexAny(text, "{;}")
		if open < 0 {
			return
		}
		prelude := strings.ToLower(strings.TrimSpace(text[:open]))
		if text[open] != '{' {
			text = text[open+1:]
			continue
		}
		inner, rest := block(text[open+1:])
		text = rest
		switch {
		case !strings.HasPrefix(prelude, "@"):
			s.rule(prelude, inner, conditional)
		case inside: // blocks in blocks are not needed
		case always(prelude):
			s.read(inner, true, false)
		case strings.HasPrefix(prelude, "@media"), strings.HasPrefix(prelude, "@supports"), strings.HasPrefix(prelude, "@container"), strings.HasPrefix(prelude, "@layer"):
			s.read(inner, true, true)
		}
	}
}

// always reports whether the rules in a block hold for every screen.
func always(prelude string) bool {
	media, ok := strings.CutPrefix(prelude, "@media ")
	switch strings.TrimSpace(media) {
	case "screen", "only screen", "all":
		return ok
	}
	return false
}

// block returns what is in a block whose brace was read, and what follows it.
func block(text string) (inner, rest string) {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[:i], text[i+1:]
			}
		}
	}
	return text, ""
}

// rule notes one rule.
func (s *sheet) rule(selectors, body string, conditional bool) {
	d := declared(body)
	if len(d) == 0 {
		return
	}
	hides := d.hides()
	for selector := range strings.SplitSeq(selectors, ",") {
		selector = strings.TrimSpace(selector)
		if key := simple(selector); key != "" && !conditional {
			before := s.rules[key]
			if before == nil {
				before = declarations{}
				s.rules[key] = before
			}
			maps.Copy(before, d)
			continue
		}
		if hides {
			continue // for some elements of the class only
		}
		for _, name := range named(selector) {
			if s.shown[name] == nil {
				s.shown[name] = map[string]bool{}
			}
			for property := range d {
				s.shown[name][property] = true
			}
		}
	}
}

// declared returns the declarations in the body of a rule that can hide text.
func declared(body string) declarations {
	var d declarations
	for one := range strings.SplitSeq(body, ";") {
		name, value, found := strings.Cut(one, ":")
		name = strings.ToLower(strings.TrimSpace(name))
		if !found || len(value) > 200 || !matters(name) {
			continue
		}
		value = strings.ToLower(strings.TrimSpace(value))
		value = strings.TrimSpace(strings.TrimSuffix(value, "!important"))
		if name == "font" {
			if name, value = "font-size", sizeIn(value); value == "" {
				continue
			}
		}
		if d == nil {
			d = declarations{}
		}
		d[name] = value
	}
	return d
}

// sizeIn returns the size in the short form of a font; "" for none. A plain number before
// it is a weight.
func sizeIn(font string) string {
	for word := range strings.FieldsSeq(font) {
		size, _, _ := strings.Cut(word, "/")
		if n, unit, ok := measured(size); ok && (unit != "" || n == 0) {
			return size
		}
	}
	return ""
}

func matters(property string) bool {
	switch property {
	case "display", "visibility", "opacity", "filter", "font", "font-size", "position", "left", "right", "top", "bottom", "text-indent", "width", "height", "max-height", "max-width", "overflow", "overflow-x",
		"overflow-y", "clip", "clip-path", "color", "text-shadow", "background", "background-color", "background-image", "background-clip", "-webkit-background-clip", "transform", "translate", "transition", "animation",
		"will-change", "margin-left", "margin-top", "-webkit-text-fill-color", "content-visibility":
		return true
	}
	return false
}

// simple returns a selector that is one class or id, perhaps after the name of an element;
// "" for any other.
func simple(selector string) string {
	at := strings.IndexAny(selector, ".#")
	if at < 0 || strings.ContainsAny(selector, " >+~:[]()*\\&") || strings.ContainsAny(selector[at+1:], ".#") || at+1 == len(selector) {
		return ""
	}
	return selector
}

// named returns the classes and ids in the last part of a selector, which is for the element
// itself.
func named(selector string) []string {
	if at := strings.LastIndexAny(selector, " >+~"); at >= 0 {
		selector = selector[at+1:]
	}
	selector, escaped := withoutEscapes(selector)
	var names []string
	for {
		at := strings.IndexAny(selector, ".#")
		if at < 0 {
			return names
		}
		end := strings.IndexAny(selector[at+1:], ".#:[()")
		if end < 0 {
			return append(names, escaped.Replace(selector[at:]))
		}
		names = append(names, escaped.Replace(selector[at:at+1+end]))
		selector = selector[at+1+end:]
	}
}

// withoutEscapes puts stand-ins for the signs that are escaped in a selector, as in
// .md\:w-1\/2, so that they end no name. The replacer puts the signs into a name again.
func withoutEscapes(selector string) (string, *strings.Replacer) {
	const signs = ":./[]()"
	if !strings.Contains(selector, `\`) {
		return selector, strings.NewReplacer()
	}
	var in, out []string
	for i, sign := range signs {
		stand := string(rune(0xe000 + i)) // of private use
		in, out = append(in, `\`+string(sign), stand), append(out, stand, string(sign))
	}
	return strings.NewReplacer(in...).Replace(selector), strings.NewReplacer(out...)
}

// of returns the declarations of the sheets and of its own style for an element. own
// reports that its own style hides it.
func (s *sheet) of(n *html.Node) (d declarations, own bool) {
	if len(s.rules) > 0 && s.work < sheetWork {
		names := namesOf(n)
		var shown []map[string]bool
		for _, name := range names {
			if properties := s.shown[name]; properties != nil {
				shown = append(shown, properties)
			}
		}
		for _, name := range names {
			d = s.apply(d, s.rules[name], shown)
			d = s.apply(d, s.rules[n.Data+name], shown)
		}
	}
	if style := dom.Attr(n, "style"); style != "" {
		mine := declared(style)
		own = mine.hides()
		d = s.apply(d, mine, nil)
	}
	return d, own
}

// namesOf returns the selectors of the first classes of an element and of its id.
func namesOf(n *html.Node) []string {
	var names []string
	for class := range strings.FieldsSeq(strings.ToLower(dom.Attr(n, "class"))) {
		if len(names) == sheetClasses {
			break
		}
		names = append(names, "."+class)
	}
	if id := strings.ToLower(dom.Attr(n, "id")); id != "" {
		names = append(names, "#"+id)
	}
	return names
}

// apply adds declarations to d, except for properties that other rules may set so that
// the element is shown.
func (s *sheet) apply(d, more declarations, shown []map[string]bool) declarations {
	s.work += len(more) * (1 + len(shown))
	for name, value := range more {
		if slices.ContainsFunc(shown, func(properties map[string]bool) bool { return properties[name] }) {
			continue
		}
		if d == nil {
			d = make(declarations, len(more))
		}
		d[name] = value
	}
	return d
}
