package omml

import "strings"

// builder joins pieces of LaTeX: a command and a letter have a space between them.
type builder struct{ b strings.Builder }

func (b *builder) add(piece string) {
	if piece == "" {
		return
	}
	if isLetter(piece[0]) && endsInCommand(b.b.String()) {
		b.b.WriteByte(' ')
	}
	b.b.WriteString(piece)
}

// String returns what was joined.
func (b *builder) String() string { return b.b.String() }

func join(pieces ...string) string {
	var b builder
	for _, p := range pieces {
		b.add(p)
	}
	return b.String()
}

func endsInCommand(text string) bool {
	const longest = 20 // letters of a command
	i := len(text)
	for i > 0 && len(text)-i <= longest && isLetter(text[i-1]) {
		i--
	}
	return i < len(text) && i > 0 && text[i-1] == '\\'
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func environment(name, body string) string {
	return `\begin{` + name + "} " + body + ` \end{` + name + "}"
}

// script returns a part below or above, "" if there is none.
func script(mark byte, text string) string {
	switch {
	case text == "":
		return ""
	case len(text) == 1:
		return string(mark) + text
	case text == `\prime` && mark == '^':
		return "'"
	}
	return string(mark) + "{" + text + "}"
}

// base returns the base of scripts as a single token.
func base(text string) string {
	if isSingle(text) {
		return text
	}
	return "{" + text + "}"
}

// isSingle reports whether LaTeX takes a text as one: a character, a command, a group.
func isSingle(text string) bool {
	if len([]rune(text)) == 1 {
		return true
	}
	if strings.HasPrefix(text, `\`) {
		rest := strings.TrimLeft(text[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
		if rest == "" {
			return true
		}
		if len(text) == 2 {
			return true
		}
		return rest[0] == '{' && closes(rest)
	}
	return bracketed(text)
}

// closes reports whether the group at the beginning ends with the text.
func closes(text string) bool {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '\\':
			continue
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i == len(text)-1
			}
		}
	}
	return false
}

// bracketed reports whether a text is in parentheses as a whole.
func bracketed(text string) bool {
	if len(text) < 2 {
		return false
	}
	begin, end := text[0], text[len(text)-1]
	if !(begin == '(' && end == ')' || begin == '[' && end == ']') {
		return false
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case begin:
			depth++
		case end:
			if depth--; depth == 0 {
				return i == len(text)-1
			}
		}
	}
	return false
}

// tall reports whether delimiters around a text have to grow.
func tall(text string) bool {
	for _, high := range [...]string{`\frac`, `\begin`, `\sum`, `\int`, `\prod`, `\binom`, `\genfrac`, `\overset`, `\underset`, `\sqrt`, `\over`, `\under`} {
		if strings.Contains(text, high) {
			return true
		}
	}
	return false
}

// delimiter returns a sign that encloses something; "." where there is none.
func delimiter(sign string) string {
	switch sign {
	case "":
		return "."
	case "{":
		return `\{`
	case "}":
		return `\}`
	case "‖", "∥":
		return `\|`
	case "⌈":
		return `\lceil`
	case "⌉":
		return `\rceil`
	case "⌊":
		return `\lfloor`
	case "⌋":
		return `\rfloor`
	case "⟨", "〈", "<":
		return `\langle`
	case "⟩", "〉", ">":
		return `\rangle`
	case "⟦":
		return `\llbracket`
	case "⟧":
		return `\rrbracket`
	case "∣":
		return "|"
	}
	return symbols(sign, false)
}

// named returns the name of a function: a command if LaTeX has one.
func named(name string) string {
	plain := strings.TrimSpace(name)
	for _, wrap := range [...]string{`\mathrm{`, `\text{`} {
		if rest, ok := strings.CutPrefix(plain, wrap); ok {
			word := strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
			if strings.HasPrefix(word, "}") {
				return named(rest[:len(rest)-len(word)]) + word[1:]
			}
		}
	}
	letters := strings.TrimLeft(plain, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	word := plain[:len(plain)-len(letters)]
	switch {
	case isFunction(word):
		return `\` + word + letters
	case len(word) > 1:
		return `\operatorname{` + word + "}" + letters
	}
	return plain
}

// isFunction reports whether LaTeX has a command for a function.
func isFunction(word string) bool {
	switch word {
	case "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim", "exp", "gcd", "hom", "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log", "max", "min", "Pr", "sec", "sin", "sinh", "sup", "tan", "tanh":
		return true
	}
	return false
}

// below sets something below another: as its limit, if it is one that has limits.
func below(text, lower string) string {
	if strings.HasPrefix(text, `\underbrace{`) {
		return text + script('_', lower)
	}
	if name := named(text); hasLimits(name) {
		return name + script('_', lower)
	}
	return `\underset{` + lower + "}{" + text + "}"
}

func above(text, upper string) string {
	if strings.HasPrefix(text, `\overbrace{`) || hasLimits(text) {
		return text + script('^', upper)
	}
	return `\overset{` + upper + "}{" + text + "}"
}

func hasLimits(operator string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(operator, `\`), "_")
	switch name {
	case "lim", "limsup", "liminf", "max", "min", "sup", "inf", "det", "gcd", "Pr", "sum", "prod", "coprod", "bigcup", "bigcap", "bigvee", "bigwedge", "bigoplus", "bigotimes", "bigsqcup":
		return strings.HasPrefix(operator, `\`)
	}
	return false
}

// over sets an accent over something.
func over(sign, text string) string {
	var command string
	switch sign {
	case "\u0302", "^", "ˆ":
		if command = `\hat`; len(text) > 1 && text[0] != '\\' {
			command = `\widehat`
		}
	case "\u0303", "~", "˜":
		if command = `\tilde`; len(text) > 1 && text[0] != '\\' {
			command = `\widetilde`
		}
	case "\u0304", "\u0305", "¯", "‾", "ˉ":
		if command = `\bar`; len(text) > 1 && text[0] != '\\' {
			command = `\overline`
		}
	case "\u20d7", "→":
		if command = `\vec`; len(text) > 1 && text[0] != '\\' {
			command = `\overrightarrow`
		}
	case "\u0307", "˙":
		command = `\dot`
	case "\u0308", "¨":
		command = `\ddot`
	case "\u20db":
		command = `\dddot`
	case "\u030c", "ˇ":
		command = `\check`
	case "\u0306", "˘":
		command = `\breve`
	case "\u0301", "´":
		command = `\acute`
	case "\u0300", "`":
		command = `\grave`
	case "\u030a", "˚":
		command = `\mathring`
	case "\u20d6", "←":
		command = `\overleftarrow`
	case "\u20e1", "↔":
		command = `\overleftrightarrow`
	case "⏞":
		command = `\overbrace`
	case "⏟":
		command = `\underbrace`
	default:
		return `\overset{` + symbols(sign, false) + "}{" + text + "}"
	}
	return command + "{" + text + "}"
}
