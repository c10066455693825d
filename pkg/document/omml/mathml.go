package omml

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// MathML returns the formula of the math element that s just began, and goes on to its
// end. If the formula says itself what it is in TeX, that is returned. It has no dollar
// signs around it, and no line ends in it.
func MathML(s *xmlscan.Scanner) string {
	m := &mathReader{reader{s: s}, ""}
	text := strings.TrimSpace(m.row())
	if m.tex != "" {
		return m.tex
	}
	return text
}

// mathReader reads one formula of MathML.
type mathReader struct {
	reader
	tex string // the content of an annotation
}

// row reads what stands side by side.
func (m *mathReader) row() string {
	var b builder
	m.children(func(name string) { b.add(m.element(name)) })
	return b.String()
}

// arguments reads the children of an element that has so many. Missing ones are empty.
func (m *mathReader) arguments(n int) []string {
	var all []string
	m.children(func(name string) {
		one := strings.TrimSpace(m.element(name))
		if len(all) < maxArguments {
			all = append(all, one)
		}
	})
	for len(all) < n {
		all = append(all, "")
	}
	return all
}

// maxArguments limits the parts read of an element with a fixed number of them.
const maxArguments = 1000

// element reads one element (MathML 3, chapter 3).
func (m *mathReader) element(name string) string {
	switch name {
	case "mi":
		return m.identifier()
	case "mn", "mo":
		text := strings.TrimSpace(m.content())
		if isWord(text) && len(text) > 1 {
			return named(text)
		}
		return symbols(text, false)
	case "mtext", "ms":
		return textual(strings.Trim(m.content(), "\n"))
	case "mspace":
		return `\ `
	case "mfrac":
		line := m.s.String("linethickness")
		a := m.arguments(2)
		if strings.HasPrefix(line, "0") {
			return `\genfrac{}{}{0pt}{}{` + a[0] + "}{" + a[1] + "}"
		}
		return `\frac{` + a[0] + "}{" + a[1] + "}"
	case "msqrt":
		return `\sqrt{` + strings.TrimSpace(m.row()) + "}"
	case "mroot":
		a := m.arguments(2)
		return `\sqrt[` + a[1] + "]{" + a[0] + "}"
	case "msub":
		a := m.arguments(2)
		return base(a[0]) + script('_', a[1])
	case "msup":
		a := m.arguments(2)
		return base(a[0]) + script('^', a[1])
	case "msubsup":
		a := m.arguments(3)
		return base(a[0]) + script('_', a[1]) + script('^', a[2])
	case "munder":
		a := m.arguments(2)
		return under(a[0], a[1])
	case "mover":
		a := m.arguments(2)
		return upon(a[0], a[1])
	case "munderover":
		a := m.arguments(3)
		if isBig(a[0]) {
			return a[0] + script('_', a[1]) + script('^', a[2])
		}
		return upon(under(a[0], a[1]), a[2])
	case "mmultiscripts":
		return m.multiscripts()
	case "mfenced":
		return m.fenced()
	case "mtable":
		return environment("matrix", m.table())
	case "menclose":
		return `\boxed{` + strings.TrimSpace(m.row()) + "}"
	case "mphantom":
		return `\phantom{` + strings.TrimSpace(m.row()) + "}"
	case "annotation":
		m.annotation()
		return ""
	case "annotation-xml", "none", "mprescripts", "maligngroup", "malignmark":
		return ""
	}
	return m.row()
}

// identifier reads an mi: one letter is italic, several are a name.
func (m *mathReader) identifier() string {
	variant := m.s.String("mathvariant")
	text := strings.TrimSpace(m.content())
	if !isWord(text) {
		return symbols(text, false)
	}
	switch variant {
	case "bold":
		return `\mathbf{` + text + "}"
	case "double-struck":
		return `\mathbb{` + text + "}"
	case "script":
		return `\mathcal{` + text + "}"
	case "fraktur":
		return `\mathfrak{` + text + "}"
	case "normal":
		if len(text) == 1 {
			return `\mathrm{` + text + "}"
		}
	}
	switch {
	case isFunction(text):
		return `\` + text
	case len(text) > 1:
		return `\mathrm{` + text + "}"
	}
	return text
}

func isBig(operator string) bool {
	return hasLimits(operator) || strings.HasSuffix(operator, "int")
}

func under(text, lower string) string {
	switch {
	case isBig(text):
		return text + script('_', lower)
	case lower == "⏟" || lower == `\_` || lower == "_" || lower == "\u0332":
		if lower == "⏟" {
			return `\underbrace{` + text + "}"
		}
		return `\underline{` + text + "}"
	}
	return below(text, lower)
}

func upon(text, upper string) string {
	switch upper {
	case `\to`:
		return over("→", text)
	case `\sim`:
		return over("~", text)
	case `\hat{}`:
		return over("^", text)
	case `\cdot`:
		return over("˙", text)
	case `\leftarrow`:
		return over("←", text)
	case "-":
		return over("¯", text)
	}
	if len([]rune(upper)) == 1 {
		if accented := over(upper, text); !strings.HasPrefix(accented, `\overset`) {
			return accented
		}
	}
	if isBig(text) {
		return text + script('^', upper)
	}
	return above(text, upper)
}

// multiscripts reads an mmultiscripts: a base, pairs after it, and pairs before it.
func (m *mathReader) multiscripts() string {
	var all [2][]string // after and before
	side := 0
	m.children(func(name string) {
		if name == "mprescripts" {
			side = 1
			return
		}
		if one := strings.TrimSpace(m.element(name)); len(all[side]) < maxArguments {
			all[side] = append(all[side], one)
		}
	})
	var b strings.Builder
	pairs := func(scripts []string) {
		for i, text := range scripts {
			b.WriteString(script("_^"[i%2], text))
		}
	}
	if len(all[1]) > 0 {
		b.WriteString("{}")
		pairs(all[1])
	}
	if len(all[0]) > 0 {
		b.WriteString(base(all[0][0]))
		pairs(all[0][1:])
	}
	return b.String()
}

// fenced reads an mfenced.
func (m *mathReader) fenced() string {
	attribute := func(name, absent string) string {
		if v, ok := m.s.Attr(name); ok {
			return strings.TrimSpace(string(v))
		}
		return absent
	}
	begin, end, separators := attribute("open", "("), attribute("close", ")"), []rune(attribute("separators", ","))
	var b builder
	for i, one := range m.arguments(0) {
		if i > 0 && len(separators) > 0 {
			b.add(symbol(separators[min(i-1, len(separators)-1)]))
			b.add(" ")
		}
		b.add(one)
	}
	inner := b.String()
	if tall(inner) || begin == "" || end == "" {
		return join(`\left`+delimiter(begin), inner, `\right`+delimiter(end))
	}
	return join(delimiter(begin), inner, delimiter(end))
}

// table reads the rows of an mtable.
func (m *mathReader) table() string {
	var rows []string
	m.children(func(name string) {
		if name != "mtr" && name != "mlabeledtr" {
			return
		}
		var cells []string
		m.children(func(name string) {
			if name == "mtd" {
				cells = append(cells, strings.TrimSpace(m.row()))
			}
		})
		rows = append(rows, strings.Join(cells, " & "))
	})
	return strings.Join(rows, ` \\ `)
}

// annotation keeps the formula as it was written in TeX.
func (m *mathReader) annotation() {
	switch m.s.String("encoding") {
	case "application/x-tex", "TeX", "LaTeX", "application/x-latex":
		text := strings.Join(strings.Fields(m.content()), " ")
		if inner, ok := strings.CutPrefix(text, `{\displaystyle `); ok && closes(text) {
			text = strings.TrimSuffix(inner, "}")
		}
		m.tex = text
	}
}
