package variable

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// printsNumber reports whether a command substitution gives a number or nothing, as
// $(wc -l < file) does. What it gives is worse where a function has the name of the
// command: v names the output of that command like a variable.
func printsNumber(n syntax.Node) (v value, ok bool) {
	c, isCommand := n.(*syntax.CmdSubst)
	if !isCommand || len(c.Stmts) != 1 {
		return value{}, false
	}
	s := c.Stmts[0]
	for {
		pipe, isPipe := s.Cmd.(*syntax.BinaryCmd)
		if !isPipe || pipe.Op != syntax.Pipe {
			break
		}
		s = pipe.Y
	}
	call, isCall := s.Cmd.(*syntax.CallExpr)
	if !isCall || len(call.Args) == 0 || s.Background {
		return value{}, false
	}
	args := make([]word.Word, len(call.Args))
	for i, w := range call.Args {
		if args[i] = (word.Reader{}).Word(w); !args[i].Known() && i == 0 {
			return value{}, false
		}
	}
	for _, r := range s.Redirs {
		if r.Op != syntax.RdrIn && r.Op != syntax.WordHdoc && (r.N == nil || r.N.Value != "2" || r.Op != syntax.RdrOut) {
			return value{}, false
		}
	}
	if !counts(args[0].Text, args[1:]) {
		return value{}, false
	}
	return value{names: []string{output(args[0].Text)}}, true
}

// output is the name under which the values of a shell's variables know what a
// command prints.
func output(command string) string { return command + "()" }

// counts reports whether a program prints a number, nothing or an error.
func counts(name string, args []word.Word) bool {
	operands := 0
	for _, w := range args {
		switch {
		case w.MayBeOption():
			return false
		case !strings.HasPrefix(w.Text, "-"):
			operands++
		}
	}
	text := ""
	if len(args) > 0 {
		text = args[0].Text
	}
	switch name {
	case "wc": // with an operand it prints the name of the file
		return len(args) == 1 && word.Listed("-l -c -m -w -L --lines --bytes --chars --words", text)
	case "nproc":
		return len(args) == 0 || len(args) == 1 && text == "--all"
	case "id":
		return len(args) == 1 && (text == "-u" || text == "-g")
	case "grep":
		return operands <= 2 && word.Listed("-c -ci -ic -cE -Ec -cv -vc -cF -Fc -cw", text) && len(args) == operands+1
	case "date":
		return len(args) == 1 && digitsOfTime(text)
	case "tr":
		return len(args) == 2 && word.Listed("-cd -dc", text) && word.Listed("0-9 [0-9] [:digit:]", args[1].Text)
	}
	return false
}

// digitsOfTime reports whether a format of date, such as +%s, gives digits only, or nothing.
func digitsOfTime(format string) bool {
	rest, ok := strings.CutPrefix(format, "+")
	for ok && len(rest) > 1 && rest[0] == '%' && strings.IndexByte("sYmdHMSNjuyGVgCIklw", rest[1]) >= 0 {
		rest = rest[2:]
	}
	return ok && rest == ""
}
