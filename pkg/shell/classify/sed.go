package classify

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/sed"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// sed judges the options, the programs and the files of sed.
func (a *analysis) sed(c call) {
	args := c.args
	inPlace, given := false, false
	var programs []word.Word
	for i := range args {
		w := args[i]
		if w.Text == "--" && w.Known() {
			break
		}
		if w.Known() && len(w.Text) > 1 && w.Text[0] == '-' {
			inPlace = inPlace || strings.HasPrefix(w.Text, "--i") || w.Text[1] != '-' && strings.ContainsAny(beforeValue(w.Text), "iI")
			switch {
			case strings.HasPrefix(w.Text, "--e"):
				given = true
				if _, value, ok := strings.Cut(w.Text, "="); ok {
					programs = append(programs, word.Word{Text: value, Source: w.Source, Lit: w.Lit})
				} else if i+1 < len(args) {
					programs = append(programs, args[i+1])
				}
			case strings.HasPrefix(w.Text, "--f") || w.Text[1] != '-' && strings.Contains(beforeValue(w.Text), "f"):
				given = true
				a.raise(Destructive, Opaque, fault.T("%s takes its program from a file", "%s 的程序来自文件", "sed"))
			case w.Text[1] != '-' && strings.Contains(w.Text, "e") && !strings.ContainsAny(w.Text[:strings.Index(w.Text, "e")], "il"):
				given = true
				at := strings.Index(w.Text, "e")
				if at+1 < len(w.Text) {
					programs = append(programs, word.Word{Text: w.Text[at+1:], Source: w.Source, Lit: w.Lit})
				} else if i+1 < len(args) {
					programs = append(programs, args[i+1])
				}
			}
		}
	}
	rest := a.sedOptions(c)
	if !given && len(rest) > 0 {
		programs, rest = rest[:1], rest[1:]
	}
	for _, p := range programs {
		a.sedProgram(p)
	}
	for _, w := range rest {
		if inPlace {
			a.writes(w)
		} else {
			a.reads(w)
		}
	}
}

// sedOptions judges the options and returns the operands. The suffix of -i is
// joined to it, which the columns of a row cannot say.
func (a *analysis) sedOptions(c call) []word.Word {
	args := c.args
	plain := make([]word.Word, len(args))
	for i, w := range args {
		if at := strings.IndexByte(w.Text, 'i'); at > 0 && w.Text[0] == '-' && w.Text[1] != '-' && w.Known() && !strings.ContainsAny(w.Text[:at], "el") {
			w.Text = w.Text[:at+1]
		}
		if strings.HasPrefix(w.Text, "-f") || strings.HasPrefix(w.Text, "--file") {
			// It was judged before; the name of the file is not an operand.
			w = word.Literal("--line-length=1")
			if args[i].Text == "-f" || args[i].Text == "--file" {
				w = word.Literal("-l")
			}
		}
		plain[i] = w
	}
	c.args = plain
	return a.options(c).operands
}

// beforeValue returns the letters of a word of short options that are certainly
// options, and not the value of one.
func beforeValue(w string) string {
	if i := strings.IndexAny(w, "el"); i >= 0 {
		return w[:i]
	}
	if i := strings.IndexByte(w, 'i'); i >= 0 {
		return w[:i+1]
	}
	return w
}

func (a *analysis) sedProgram(w word.Word) {
	if !w.Lit {
		a.computedProgram("sed", w)
		return
	}
	p := sed.Parse(w.Text)
	for _, name := range p.Reads {
		a.reads(word.Literal(name))
	}
	for _, name := range p.Writes {
		a.writes(word.Literal(name))
	}
	if p.Runs {
		a.raise(Destructive, Obfuscated, fault.T("the program %s may run commands", "程序 %s 可能会运行命令", w.Source))
	}
}
