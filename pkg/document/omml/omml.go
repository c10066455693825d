// Package omml writes equations as LaTeX: those of Office (Office MathML) and those of
// OpenDocument and HTML (MathML).
//
// Office MathML is ECMA-376 part 1, 22.1: https://ecma-international.org/publications-and-standards/standards/ecma-376/
// MathML is https://www.w3.org/TR/MathML3/.
package omml

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// maxFormula limits the text of a formula that is read, in bytes.
const maxFormula = 64 << 10

// LaTeX returns the formula of the element that s just began, an m:oMath or m:oMathPara,
// and goes on to its end. It has no dollar signs around it, and no line ends in it.
// Deleted parts of it are left out.
func LaTeX(s *xmlscan.Scanner) string {
	r := &reader{s: s}
	if s.Local() == "oMathPara" {
		return r.lines()
	}
	return strings.TrimSpace(r.sequence())
}

// reader reads one formula.
type reader struct {
	s       *xmlscan.Scanner
	size    int  // of the text that was read
	aligned bool // "&" aligns lines
	stacked string
}

// children calls visit for each child of the element that just began, by its local name,
// and goes on to its end.
func (r *reader) children(visit func(name string)) {
	for range r.s.Children {
		visit(r.s.Local())
	}
}

// lines reads an m:oMathPara: formulas below one another.
func (r *reader) lines() string {
	var all []string
	r.children(func(name string) {
		if name == "oMathParaPr" {
			return
		}
		if one := strings.TrimSpace(r.element(name)); one != "" {
			all = append(all, one)
		}
	})
	if len(all) > 1 {
		return environment("gathered", strings.Join(all, ` \\ `))
	}
	return strings.Join(all, "")
}

// sequence reads what stands side by side in the element that just began.
func (r *reader) sequence() string {
	var b builder
	r.children(func(name string) { b.add(r.element(name)) })
	return b.String()
}

// element reads one element.
func (r *reader) element(name string) string {
	switch name {
	case "r":
		return r.run()
	case "f":
		return r.fraction()
	case "sSub", "sSup", "sSubSup", "sPre":
		return r.scripts(name)
	case "rad":
		return r.radical()
	case "nary":
		return r.nary()
	case "d":
		return r.delimiters()
	case "m":
		return environment("matrix", r.matrix())
	case "func":
		return r.function()
	case "acc":
		return r.accent()
	case "bar":
		return r.bar()
	case "limLow", "limUpp":
		return r.limit(name)
	case "groupChr":
		return r.group()
	case "eqArr":
		return environment("aligned", r.equations())
	case "borderBox":
		return `\boxed{` + r.parts("e")[0] + "}"
	case "phant":
		return r.phantom()
	case "t": // of a run of text that stands in a formula
		return r.plainText()
	case "del", "moveFrom":
		return ""
	}
	if strings.HasSuffix(name, "Pr") {
		return ""
	}
	return r.sequence()
}

// parts reads the parts of an element by their names, each once, and passes what has
// another name to visit.
func (r *reader) parts(names ...string) []string {
	return r.partsAnd(nil, names...)
}

func (r *reader) partsAnd(properties func(name string), names ...string) []string {
	texts := make([]string, len(names))
	r.children(func(name string) {
		for i, n := range names {
			if n == name {
				texts[i] = strings.TrimSpace(r.sequence())
				return
			}
		}
		if properties != nil && strings.HasSuffix(name, "Pr") {
			r.children(properties)
		}
	})
	return texts
}

// value returns the m:val of the element that just began.
func (r *reader) value() string { return r.s.String("m:val") }

// on returns it as a truth value.
func (r *reader) on() bool { return r.s.Bool("m:val", true) }

// run reads an m:r: text in one style.
func (r *reader) run() string {
	var b builder
	script, style, normal, literal := "", "", false, false
	r.children(func(name string) {
		switch name {
		case "rPr":
			if r.s.Name() != "m:rPr" {
				return
			}
			r.children(func(name string) {
				switch name {
				case "scr":
					script = r.value()
				case "sty":
					style = r.value()
				case "nor":
					normal = r.on()
				case "lit":
					literal = r.on()
				}
			})
		case "t":
			text := r.content()
			switch {
			case normal:
				b.add(textual(text))
			default:
				b.add(styled(text, script, style, r.aligned && !literal))
			}
		case "br":
			b.add(`\\`)
		case "tab":
			b.add(`\quad`)
		}
	})
	return b.String()
}

// content returns the text of the element that just began.
func (r *reader) content() string {
	text := string(r.s.All(max(0, maxFormula-r.size)))
	r.size += len(text)
	return text
}

func (r *reader) plainText() string { return textual(r.content()) }
