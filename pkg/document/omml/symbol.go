package omml

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// styled returns the text of a run in its style: sty is plain, bold or both with italic
// (22.1.2.111), script the alphabet (22.1.2.94).
func styled(text, script, sty string, aligned bool) string {
	if strings.TrimSpace(text) == "" {
		return strings.Repeat(`\ `, min(len(text), 1))
	}
	command := ""
	switch script {
	case "double-struck":
		command = `\mathbb`
	case "script":
		command = `\mathcal`
	case "fraktur":
		command = `\mathfrak`
	case "sans-serif":
		command = `\mathsf`
	case "monospace":
		command = `\mathtt`
	}
	if command != "" && isWord(text) {
		return command + "{" + text + "}"
	}
	switch {
	case sty == "p" && isWord(text) && isFunction(text):
		return `\` + text
	case sty == "p" && isWord(text):
		return `\mathrm{` + text + "}"
	case sty == "b" && isWord(text):
		return `\mathbf{` + text + "}"
	case sty == "b" || sty == "bi":
		if plain := strings.TrimSpace(symbols(text, aligned)); plain != "" {
			return `\boldsymbol{` + plain + "}"
		}
	}
	return symbols(text, aligned)
}

func isWord(text string) bool {
	for i := range len(text) {
		if !isLetter(text[i]) {
			return false
		}
	}
	return text != ""
}

// textual returns ordinary text within a formula.
func textual(text string) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(`\text{`)
	for _, c := range text {
		switch c {
		case '\n', '\r', '\t':
			b.WriteByte(' ')
		case '\\':
			b.WriteString(`\textbackslash{}`)
		case '~':
			b.WriteString(`\textasciitilde{}`)
		case '^':
			b.WriteString(`\textasciicircum{}`)
		case '#', '$', '%', '&', '_', '{', '}':
			b.WriteByte('\\')
			b.WriteRune(c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('}')
	return b.String()
}

// symbols returns the characters of a formula as LaTeX has them.
func symbols(text string, aligned bool) string {
	var b builder
	for _, c := range text {
		if c == '&' && aligned {
			b.add("&")
			continue
		}
		b.add(symbol(c))
	}
	return b.String()
}

// symbol returns one character of a formula.
func symbol(c rune) string {
	if c < 0x80 {
		return asciiSymbol(c)
	}
	if name := greek(c); name != "" {
		return `\` + name
	}
	if name := operator(c); name != "" {
		return `\` + name
	}
	switch c {
	case '\u2061', '\u2062', '\u2063', '\u2064', '\u200b', '\ufeff': // not shown
		return ""
	case '\u00a0', '\u2002', '\u2004', '\u2005':
		return `\ `
	case '\u2003':
		return `\quad`
	case '\u2009', '\u2006', '\u200a':
		return `\,`
	case '−', '‐', '–':
		return "-"
	case '′':
		return "'"
	case '″':
		return "''"
	case '‖', '∥':
		return `\|`
	case '∣':
		return "|"
	case '⁄', '∕':
		return "/"
	case '∶':
		return ":"
	case '∗':
		return "*"
	case '∼':
		return `\sim`
	}
	return alphabet(c)
}

func asciiSymbol(c rune) string {
	switch c {
	case '#', '$', '%', '_', '{', '}':
		return `\` + string(c)
	case '&': // where an equation is aligned; elsewhere it shows nothing
		return ""
	case '\\':
		return `\backslash`
	case '~':
		return `\sim`
	case '^':
		return `\hat{}`
	case ' ', '\n', '\t', '\r':
		return " "
	}
	if c < ' ' {
		return ""
	}
	return string(c)
}

// alphabet returns a letter of the mathematical alphabets (Unicode's U+1D400 block), or
// the character itself.
func alphabet(c rune) string {
	plain := norm.NFKC.String(string(c))
	runes := []rune(plain)
	if len(runes) != 1 || runes[0] == c || !unicode.IsLetter(runes[0]) && !unicode.IsDigit(runes[0]) {
		return string(c)
	}
	letter := plain
	if name := greek(runes[0]); name != "" {
		letter = `\` + name
	}
	switch {
	case c >= 0x1d400 && c <= 0x1d433, c >= 0x1d6a8 && c <= 0x1d6e1, c >= 0x1d7ce && c <= 0x1d7d7:
		return `\mathbf{` + letter + "}"
	case c >= 0x1d468 && c <= 0x1d49b, c >= 0x1d71c && c <= 0x1d755:
		return `\boldsymbol{` + letter + "}"
	case c >= 0x1d49c && c <= 0x1d503, strings.ContainsRune("ℬℰℱℋℐℒℳℛℊℴℯ", c):
		return `\mathcal{` + letter + "}"
	case c >= 0x1d504 && c <= 0x1d537, c >= 0x1d56c && c <= 0x1d59f, strings.ContainsRune("ℭℌℑℜℨ", c):
		return `\mathfrak{` + letter + "}"
	case c >= 0x1d538 && c <= 0x1d56b, c >= 0x1d7d8 && c <= 0x1d7e1, strings.ContainsRune("ℂℍℕℙℚℝℤ", c):
		return `\mathbb{` + letter + "}"
	case c >= 0x1d5a0 && c <= 0x1d66f, c >= 0x1d7e2 && c <= 0x1d7f5:
		return `\mathsf{` + letter + "}"
	case c >= 0x1d670 && c <= 0x1d6a3, c >= 0x1d7f6 && c <= 0x1d7ff:
		return `\mathtt{` + letter + "}"
	case c >= 0x1d434 && c <= 0x1d467, c >= 0x1d6e2 && c <= 0x1d71b, c == 'ℎ':
		return letter // italic, as letters are
	}
	return string(c)
}

// greek returns the name of a Greek letter that is not a Latin one in LaTeX.
func greek(c rune) string {
	const names = "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau upsilon varphi chi psi omega"
	switch {
	case c >= 'α' && c <= 'ω' && c != 'ο':
		return word(names, int(c-'α'))
	case strings.ContainsRune("ΓΔΘΛΞΠΣΥΦΨΩ", c):
		name := word(names, int(c-'Α'))
		if c == 'Φ' {
			name = "phi"
		}
		return string(name[0]-'a'+'A') + name[1:]
	}
	switch c {
	case 'ϵ':
		return "epsilon"
	case 'ϑ':
		return "vartheta"
	case 'ϕ':
		return "phi"
	case 'ϱ':
		return "varrho"
	case 'ϖ':
		return "varpi"
	case 'ϰ':
		return "varkappa"
	case 'µ':
		return "mu"
	}
	return ""
}

func word(words string, n int) string {
	for ; n > 0; n-- {
		_, words, _ = strings.Cut(words, " ")
	}
	first, _, _ := strings.Cut(words, " ")
	return first
}
