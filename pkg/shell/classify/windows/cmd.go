package windows

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// Cmd reads a line as "cmd /c" does. given are the names of variables whose values the
// caller chose: cmd puts values into the line before it reads it, so that a value may
// hold further commands.
func Cmd(line string, given []string) Script {
	c := &cmdLine{parser: parser{src: line}, given: given}
	c.variables()
	for !c.end() {
		c.sequence(false)
		if !c.end() { // a bracket that closes nothing
			c.lose()
		}
	}
	return c.out
}

type cmdLine struct {
	parser
	given []string
	loops []byte      // the variables of the loops around
	holes map[int]int // where a value of the environment will be, and where it ends
}

// harmlessValues are variables whose values come from the system or from the person.
const harmlessValues = "ALLUSERSPROFILE APPDATA COMPUTERNAME COMSPEC DATE ERRORLEVEL GOPATH GOROOT HOMEDRIVE HOMEPATH JAVA_HOME LOCALAPPDATA " +
	"NoDefaultCurrentDirectoryInExePath NUMBER_OF_PROCESSORS OS PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PUBLIC " +
	"RANDOM SYSTEMDRIVE SYSTEMROOT TEMP TIME TMP USERDOMAIN USERNAME USERPROFILE WINDIR"

// variables finds where cmd will put values, which it does before anything else.
func (c *cmdLine) variables() {
	c.holes = map[int]int{}
	for i := 0; i < len(c.src); i++ {
		if b := c.src[i]; b < ' ' && b != '\t' && b != '\n' || b == 0x7f {
			if b != '\r' || i+1 == len(c.src) || c.src[i+1] != '\n' {
				c.doubt(Syntax, c.src[i:])
			}
		}
		if c.src[i] != '%' {
			continue
		}
		length := strings.IndexByte(c.src[i+1:], '%')
		if length <= 0 {
			continue // alone, or the first of two
		}
		name := c.src[i+1 : i+1+length]
		stem, _, modified := strings.Cut(name, ":")
		switch {
		case slices.ContainsFunc(c.given, func(g string) bool { return strings.EqualFold(g, stem) }):
			c.doubt(Computed, "%"+name+"%")
			continue
		case !modified && has(harmlessValues, name):
			c.holes[i] = i + length + 2
		case plainName(stem):
			c.doubt(Computed, "%"+name+"%")
			continue
		default:
			continue // there is no such variable: the text stays, and the next sign may open one
		}
		i += length + 1
	}
}

// plainName reports whether a variable may well have this name.
func plainName(name string) bool {
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_()=-.#$") == ""
}

// sequence reads commands up to the end or, in a group, to the bracket that closes it.
func (c *cmdLine) sequence(group bool) {
	if !c.enter() {
		return
	}
	defer c.leave()
	piped := false
	for !c.end() {
		c.blanks("\n\r")
		switch b := c.peek(0); {
		case c.end():
		case b == ')':
			if group {
				c.at++
				return
			}
			return
		case b == '&' || b == '|':
			// Between commands; one is missing if two follow each other.
			double := c.peek(1) == b
			piped = b == '|' && !double
			c.at++
			if double {
				c.at++
			}
			c.blanks("\n\r")
			if next := c.peek(0); next == '&' || next == '|' || next == ')' {
				c.lose()
			}
		default:
			before := c.at
			c.command(group, piped)
			piped = false
			if c.at == before {
				c.lose()
			}
		}
	}
	if group {
		c.lose() // it is not closed
	}
}

func (c *cmdLine) blanks(more string) {
	for !c.end() && strings.IndexByte(" \t,;="+more, c.src[c.at]) >= 0 {
		c.at++
	}
}

// command reads one command, which may be a group or hold others.
func (c *cmdLine) command(group, piped bool) {
	if !c.enter() {
		return
	}
	defer c.leave()
	for c.blanks("@"); c.peek(0) == '('; {
		c.at++
		c.sequence(true)
		c.redirections(group)
		return
	}
	cmd := Command{Piped: piped}
	first := true
	for !c.end() && !c.ends(group) {
		if c.redirection(&cmd, group) {
			continue
		}
		if first {
			name, rest := c.name(group)
			switch strings.ToLower(name.Text) {
			case "if":
				if !name.Quoted {
					c.condition(group)
					return
				}
			case "for":
				if !name.Quoted {
					c.loop(group)
					return
				}
			}
			first = false
			cmd.Argv = append(cmd.Argv, name)
			c.at = rest
		} else if w, ok := c.word(group, " \t\n\r"); ok {
			cmd.Argv = append(cmd.Argv, w)
		}
		for !c.end() && (c.peek(0) == ' ' || c.peek(0) == '\t') {
			c.at++
		}
	}
	c.add(cmd)
}

// ends reports whether the command ends here.
func (c *cmdLine) ends(group bool) bool {
	b := c.peek(0)
	return b == '&' || b == '|' || b == '\n' || b == '\r' || group && b == ')'
}

// name reads the name of a command and returns where its arguments begin. What cmd
// itself does may be followed by its arguments without a blank, as in dir/s and cd..
func (c *cmdLine) name(group bool) (name word.Word, rest int) {
	from := c.at
	w, _ := c.word(group, " \t\n\r,;=")
	rest = c.at
	if w.Source != w.Text { // a quote, a caret or a value is in it
		return w, rest
	}
	lower := strings.ToLower(w.Text)
	for _, own := range [...]string{"echo", "chdir", "cd", "dir"} {
		if tail, ok := strings.CutPrefix(lower, own); ok && tail != "" && strings.IndexByte(`.\:+[](`, tail[0]) >= 0 {
			if tail[0] == '.' && has(".exe .com .bat .cmd", tail) || own == "chdir" && tail[0] == ':' {
				break
			}
			skip := 1
			if own != "echo" {
				skip = 0
			}
			return word.Literal(own), from + len(own) + skip
		}
	}
	if slash := strings.IndexByte(w.Text, '/'); slash > 0 {
		return word.Literal(w.Text[:slash]), from + slash
	}
	return w, rest
}

// word reads one word up to a delimiter or operator. A quote keeps cmd from seeing
// operators, a caret makes one of them text.
func (c *cmdLine) word(group bool, delimiters string) (word.Word, bool) {
	b := builder{from: c.at, lit: true}
	quoted := false
	for !c.end() {
		ch := c.src[c.at]
		if to, ok := c.holes[c.at]; ok {
			b.hole()
			c.at = to
			continue
		}
		switch {
		case ch == '"':
			if c.at > 0 && c.src[c.at-1] == '\\' || quoted && c.peek(1) == '"' {
				// Programs and cmd do not agree on where the text ends.
				c.doubt(Syntax, c.src[b.from:min(c.at+2, len(c.src))])
			}
			quoted, b.quoted, b.any = !quoted, true, true
		case ch == '\n' || ch == '\r':
			return b.word(c.src, c.at), b.any
		case quoted:
			c.plain(&b, ch)
			continue
		case strings.IndexByte(delimiters, ch) >= 0, ch == '<' || ch == '>', c.ends(group):
			return b.word(c.src, c.at), b.any
		case ch == '^':
			if c.at++; c.end() || c.peek(0) == '\n' || c.peek(0) == '\r' {
				c.lose()
				return b.word(c.src, len(c.src)), b.any
			}
			b.add(c.src[c.at : c.at+1])
		default:
			c.plain(&b, ch)
			continue
		}
		c.at++
	}
	if quoted {
		c.doubt(Syntax, c.src[b.from:]) // programs may see another end
	}
	return b.word(c.src, c.at), b.any
}

// plain reads a character of a word, or what will be replaced by a value: the variable
// of a loop, or a variable between exclamation marks, if the person turned that on.
func (c *cmdLine) plain(b *builder, ch byte) {
	switch {
	case ch == '%' && c.loopVariable() > 0:
		c.at += c.loopVariable()
		b.hole()
	case ch == '!' && delayed(c.src[c.at+1:]) > 0:
		c.at += delayed(c.src[c.at+1:]) + 2
		b.hole()
	default:
		b.add(c.src[c.at : c.at+1])
		c.at++
	}
}

// loopVariable returns the length of a loop's variable such as %i and %~nxi here, 0 if
// there is none.
func (c *cmdLine) loopVariable() int {
	if len(c.loops) == 0 {
		return 0
	}
	n := 1
	if c.peek(n) == '%' { // as in a batch file
		n++
	}
	if c.peek(n) == '~' {
		n++
		for !slices.Contains(c.loops, c.peek(n)) && letter(c.peek(n)) {
			n++
		}
	}
	if letter(c.peek(n)) { // of several tokens the following letters are variables too
		return n + 1
	}
	return 0
}

// delayed returns the length of a name up to an exclamation mark.
func delayed(s string) int {
	n := strings.IndexByte(s, '!')
	if n < 1 || strings.ContainsAny(s[:n], " \t\"&|<>()\n") {
		return 0
	}
	return n
}

// redirection reads a redirection, if there is one here.
func (c *cmdLine) redirection(cmd *Command, group bool) bool {
	n := 0
	if digit(c.peek(0)) {
		n = 1
	}
	op := c.peek(n)
	if op != '<' && op != '>' {
		return false
	}
	c.at += n + 1
	if op == '>' && c.peek(0) == '>' {
		c.at++
	}
	if c.peek(0) == '&' {
		c.at++
		if !digit(c.peek(0)) {
			c.lose()
			return true
		}
		c.at++
	} else {
		c.blanks("")
		w, ok := c.word(group, " \t\n\r,;=")
		switch {
		case !ok:
			c.lose()
		case op == '<':
			cmd.Reads = append(cmd.Reads, w)
		default:
			cmd.Writes = append(cmd.Writes, w)
		}
	}
	for c.peek(0) == ' ' || c.peek(0) == '\t' {
		c.at++
	}
	return true
}

// redirections reads those behind a group.
func (c *cmdLine) redirections(group bool) {
	var cmd Command
	for c.blanks(""); c.redirection(&cmd, group); c.blanks("") {
	}
	c.add(cmd)
	if !c.end() && !c.ends(group) && !c.keyword("else") {
		c.lose() // text behind a bracket
	}
}

// keyword reports whether a word comes next, and does not read it.
func (c *cmdLine) keyword(name string) bool {
	return c.next(name) && (c.at+len(name) == len(c.src) || strings.IndexByte(" \t(\n\r", c.peek(len(name))) >= 0)
}
