package classify

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/sed"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// sed judges the options, the programs and the files of sed.
func (a *analysis) sed(c call) {
	programs, given, inPlace := a.sedPrograms(c.args)
	rest := a.sedOptions(c)
	if !given && len(rest) > 0 {
		programs, rest = rest[:1], rest[1:]
	}
	for _, p := range programs {
		a.sedProgram(p)
	}
	for _, w := range rest {
		if inPlace {
			a.overwrites(w)
		} else {
			a.reads(w)
		}
	}
}

// sedPrograms returns the programs that options give, whether any option gives
// one, in a file too, and whether the files are edited in place.
func (a *analysis) sedPrograms(args []word.Word) (programs []word.Word, given, inPlace bool) {
	for i, w := range args {
		if w.Text == "--" && w.Known() {
			break
		}
		if !w.Known() || len(w.Text) < 2 || w.Text[0] != '-' {
			continue
		}
		long := w.Text[1] == '-'
		letters := beforeValue(w.Text)
		inPlace = inPlace || strings.HasPrefix(w.Text, "--i") || !long && strings.ContainsAny(letters, "iI")
		var expression string
		var joined bool
		switch at := strings.IndexByte(w.Text, 'e'); {
		case strings.HasPrefix(w.Text, "--e"):
			_, expression, joined = strings.Cut(w.Text, "=")
		case strings.HasPrefix(w.Text, "--f") || !long && strings.Contains(letters, "f"):
			given = true
			a.raise(Destructive, Opaque, fault.T("%s takes its program from a file", "sed"))
			continue
		case !long && at > 0 && !strings.ContainsAny(w.Text[:at], "il"):
			expression, joined = w.Text[at+1:], at+1 < len(w.Text)
		default:
			continue
		}
		given = true
		if joined {
			programs = append(programs, word.Word{Text: expression, Source: w.Source, Lit: true})
		} else if i+1 < len(args) {
			programs = append(programs, args[i+1])
		}
	}
	return programs, given, inPlace
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
		a.programRuns(w)
	}
}

func (a *analysis) programRuns(program word.Word) {
	a.raise(Destructive, Obfuscated, fault.T("the program %s may run commands", program.Source))
}
