package program

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/sed"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// judgeSed judges the options, the programs and the files of sed.
func judgeSed(c Call) (f findings) {
	programs, given, inPlace := f.sedPrograms(c.Args)
	rest := f.sedOptions(c)
	if !given && len(rest) > 0 {
		programs, rest = rest[:1], rest[1:]
	}
	for _, p := range programs {
		f.sedProgram(p)
	}
	for _, w := range rest {
		if inPlace {
			f.overwrites(w)
		} else {
			f.reads(w)
		}
	}
	return f
}

// sedPrograms returns the programs that options give, whether any option gives
// one, in a file too, and whether the files are edited in place.
func (f *findings) sedPrograms(args []word.Word) (programs []word.Word, given, inPlace bool) {
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
			f.raise(policy.Destructive, finding.Opaque, fault.T("%s takes its program from a file", "sed"))
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
func (f *findings) sedOptions(c Call) []word.Word {
	args := c.Args
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
	c.Args = plain
	return f.options(c).operands
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

func (f *findings) sedProgram(w word.Word) {
	if !w.Lit {
		f.computedProgram("sed", w)
		return
	}
	p := sed.Parse(w.Text)
	for _, name := range p.Reads {
		f.reads(word.Literal(name))
	}
	for _, name := range p.Writes {
		f.writes(word.Literal(name))
	}
	if p.Runs {
		f.programRuns(w)
	}
}
