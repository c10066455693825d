package windows

import (
	"strings"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// condition reads what follows "if".
func (c *cmdLine) condition(group bool) {
	next := func() word.Word {
		c.blanks("")
		w, ok := c.word(group, " \t\n\r")
		if !ok {
			c.lose()
		}
		return w
	}
	w := next()
	for has("/i not", w.Text) {
		w = next()
	}
	switch {
	case has("exist errorlevel defined cmdextversion", w.Text):
		next()
	case strings.Contains(w.Source, "==") && !strings.HasSuffix(w.Source, "=="):
	case strings.HasSuffix(w.Source, "=="):
		next()
	default:
		// The blanks have taken the signs of a "==" that stands alone.
		if rest := strings.TrimLeft(c.src[c.at:], " \t"); strings.HasPrefix(rest, "==") {
			next()
			break
		}
		if op := next(); !has("equ neq lss leq gtr geq", op.Text) {
			c.lose()
			return
		}
		next()
	}
	c.blanks("")
	bracket := c.peek(0) == '('
	c.command(group, false)
	if c.blanks(""); bracket && c.keyword("else") {
		c.at += len("else")
		c.command(group, false)
	}
}

// loop reads what follows "for".
func (c *cmdLine) loop(group bool) {
	lines := false
	for c.blanks(""); c.peek(0) == '/'; c.blanks("") {
		w, _ := c.word(group, " \t\n\r")
		switch strings.ToLower(w.Text) {
		case "/f":
			lines = true
			if c.blanks(""); c.peek(0) == '"' {
				c.word(group, " \t\n\r")
			}
		case "/r":
			if c.blanks(""); c.peek(0) != '%' {
				c.word(group, " \t\n\r")
			}
		case "/d", "/l":
		default:
			c.lose()
			return
		}
	}
	if c.peek(0) == '%' && c.peek(1) == '%' {
		c.at++
	}
	if c.peek(0) != '%' || !letter(c.peek(1)) {
		c.lose()
		return
	}
	c.loops = append(c.loops, c.peek(1))
	defer func() { c.loops = c.loops[:len(c.loops)-1] }()
	c.at += 2
	if c.blanks(""); !c.keyword("in") {
		c.lose()
		return
	}
	c.at += len("in")
	if c.blanks(""); c.peek(0) != '(' {
		c.lose()
		return
	}
	c.at++
	from := c.at
	length := strings.IndexByte(c.src[from:], ')')
	if length < 0 {
		c.lose()
		return
	}
	set := strings.TrimSpace(c.src[from : from+length])
	c.at = from + length + 1
	if strings.ContainsAny(set, "&|<>^%!(") {
		c.doubt(Syntax, set)
	}
	if lines {
		c.lines(set)
	}
	if c.blanks(""); !c.keyword("do") {
		c.lose()
		return
	}
	c.at += len("do")
	c.command(group, false)
}

// lines reads where "for /f" takes lines from: a text, the output of a command, or
// files.
func (c *cmdLine) lines(set string) {
	switch {
	case set == "":
	case set[0] == '"': // text, or with "usebackq" a file
	case set[0] == '\'' || set[0] == '`':
		if len(set) < 2 || set[len(set)-1] != set[0] {
			c.doubt(Syntax, set)
			return
		}
		inner := Cmd(set[1:len(set)-1], c.given)
		c.out.Commands = append(c.out.Commands, inner.Commands...)
		for _, d := range inner.Doubts {
			c.doubt(d.Kind, d.Text)
		}
	default:
		for f := range strings.FieldsSeq(set) {
			c.out.Commands = append(c.out.Commands, Command{Reads: []word.Word{word.Literal(f)}})
		}
	}
}
