package formula

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// texOf writes presentation MathML that carries no TeX as TeX (MathML 3, chapter 3).
// Elements that it does not know are written as rows of what they hold.
func texOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return ""
	}
	switch n.Data {
	case "mi", "mn", "mo":
		return symbol(dom.Collapse(dom.RawText(n)))
	case "mtext", "ms":
		return `\text{` + dom.Collapse(dom.RawText(n)) + "}"
	case "mspace":
		return " "
	case "annotation", "annotation-xml", "none", "mprescripts":
		return ""
	}
	parts := make([]string, 0, 4)
	for _, c := range dom.Elements(n) {
		parts = append(parts, texOf(c))
	}
	arg := func(i int) string {
		if i < len(parts) {
			return strings.TrimSpace(parts[i])
		}
		return ""
	}
	switch n.Data {
	case "mfrac":
		return `\frac{` + arg(0) + "}{" + arg(1) + "}"
	case "msqrt":
		return `\sqrt{` + row(parts) + "}"
	case "mroot":
		return `\sqrt[` + arg(1) + "]{" + arg(0) + "}"
	case "msub", "munder":
		return base(arg(0)) + raised("_", arg(1))
	case "msup":
		return base(arg(0)) + raised("^", arg(1))
	case "mover":
		return over(arg(0), arg(1))
	case "msubsup", "munderover":
		return base(arg(0)) + raised("_", arg(1)) + raised("^", arg(2))
	case "mtr", "mlabeledtr":
		return strings.Join(parts, " & ")
	case "mtable":
		return `\begin{matrix} ` + strings.Join(parts, ` \\ `) + ` \end{matrix}`
	case "mfenced":
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return row(parts)
}

// row joins the parts of a row. A space separates a command from a letter.
func row(parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		if p != "" && isLetter(p[0]) && endsInCommand(b.String()) {
			b.WriteByte(' ')
		}
		b.WriteString(p)
	}
	return strings.TrimSpace(b.String())
}

// longestCommand is the most letters of a TeX command that this package writes.
const longestCommand = 20

func endsInCommand(s string) bool {
	s = s[max(len(s)-longestCommand, 0):]
	return strings.HasSuffix(strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"), `\`) && isLetter(s[len(s)-1])
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// base returns the base of scripts as a single token.
func base(s string) string {
	if len([]rune(s)) == 1 || strings.HasPrefix(s, `\`) && !strings.ContainsAny(s, " {_^") {
		return s
	}
	return "{" + s + "}"
}

func raised(mark, s string) string {
	switch {
	case s == "":
		return ""
	case len(s) == 1:
		return mark + s
	}
	return mark + "{" + s + "}"
}

// over writes an accent, or something smaller, above a base.
func over(s, accent string) string {
	switch accent {
	case "¯", "‾", "_", "―":
		return `\overline{` + s + "}"
	case "^", "ˆ":
		return `\hat{` + s + "}"
	case "~", "˜", `\sim`:
		return `\tilde{` + s + "}"
	case "→", "⃗", `\to`:
		return `\vec{` + s + "}"
	case "˙", ".":
		return `\dot{` + s + "}"
	}
	return base(s) + raised("^", accent)
}

// symbol returns the TeX of an operator, a number or an identifier. Letters that TeX
// knows only as commands stay Unicode, which its engines read as well.
func symbol(s string) string {
	switch s {
	case "\u2061", "\u2062", "\u2063", "\u2064": // what is not seen: application, times, separator, plus
		return ""
	case "−":
		return "-"
	case "{", "}", "%", "#", "&", "$", "_":
		return `\` + s
	case "\\":
		return `\backslash`
	case "∑":
		return `\sum`
	case "∏":
		return `\prod`
	case "∫":
		return `\int`
	case "∞":
		return `\infty`
	case "≤":
		return `\le`
	case "≥":
		return `\ge`
	case "≠":
		return `\ne`
	case "×":
		return `\times`
	case "⋅", "·":
		return `\cdot`
	case "→":
		return `\to`
	case "∈":
		return `\in`
	case "…":
		return `\dots`
	case "sin", "cos", "tan", "log", "ln", "exp", "lim", "max", "min", "det", "sup", "inf", "gcd":
		return `\` + s
	}
	if len(s) > 1 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		return `\mathrm{` + s + "}"
	}
	return s
}
