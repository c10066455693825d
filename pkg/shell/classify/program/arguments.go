package program

import (
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// arguments are those of a call without its options.
type arguments struct {
	operands      []word.Word
	read, written []word.Word // of the operands
	target        bool        // an option named the file or directory that is written
}

// arguments judges the options and operands of a call by its row.
func (f *findings) arguments(c Call) arguments {
	if c.operands == words && c.harmless == (options{}) {
		return arguments{} // whatever it is given is text
	}
	args := f.options(c)
	args.read, args.written = f.operands(c, args)
	for _, w := range args.read {
		f.reads(w)
	}
	for _, w := range args.written {
		f.writes(w)
	}
	return args
}

// options judges the options of a call and returns the operands.
func (f *findings) options(c Call) (rest arguments) {
	for i := 0; i < len(c.Args); i++ {
		w := c.Args[i]
		switch {
		case c.operands == outputTwo && len(rest.operands) > 0: // an option behind the first operand may be the second one
			rest.operands = append(rest.operands, w)
		case w.MayBeOption():
			if c.others == ignored || c.writes != (options{}) || c.runs != (options{}) {
				f.dynamic(c.Name, w)
			}
			rest.operands = append(rest.operands, w)
		case w.Text == "--" && w.Known():
			rest.operands = append(rest.operands, c.Args[i+1:]...)
			return rest
		case len(w.Text) < 2 || w.Text[0] != '-':
			rest.operands = append(rest.operands, w)
		case strings.HasPrefix(w.Text, "--"):
			name, text, joined := strings.Cut(w.Text[2:], "=")
			column, takes := c.longOption(name)
			var v *word.Word
			if joined {
				v = &word.Word{Text: text, Source: text, Lit: w.Lit}
			} else if takes && i+1 < len(c.Args) {
				i++
				v = &c.Args[i]
			}
			f.option(c, column, w, v)
			rest.target = rest.target || column == writeOption
		case strings.Trim(w.Text[1:], "0123456789") == "": // a count, as in head -5
		default:
			i = f.letters(c, i, &rest)
		}
	}
	return rest
}

// letters judges the i-th argument, which is a word of short options, and
// returns the index of the last argument that belongs to it.
func (f *findings) letters(c Call, i int, rest *arguments) int {
	w := c.Args[i]
	for j := 1; j < len(w.Text); j++ {
		column, takes := c.shortOption(w.Text[j])
		var v *word.Word
		switch {
		case takes && j+1 < len(w.Text):
			v = &word.Word{Text: w.Text[j+1:], Source: w.Source, Lit: w.Lit}
			j = len(w.Text)
		case takes && i+1 < len(c.Args):
			i++
			v = &c.Args[i]
		}
		f.option(c, column, w, v)
		rest.target = rest.target || column == writeOption
		if column == unlisted && c.others == suspect {
			break
		}
	}
	return i
}

// option judges one option of a call. Its value is nil if it has none.
func (f *findings) option(c Call, column class, w word.Word, v *word.Word) {
	if c.others == ignored && v != nil && !v.Known() {
		f.dynamic(c.Name, *v)
	}
	switch column {
	case harmlessOption:
		if v != nil && strings.Contains(v.Text, "/") {
			f.reads(*v)
		}
	case writeOption:
		if c.others == ignored {
			f.writes(target(v))
			return
		}
		f.writesFile(c.Name, w)
		if v != nil && v.Text != "-" {
			f.overwrites(*v)
		}
	case runOption:
		f.mayRun(c.Name, w)
	case unlisted:
		if c.others == suspect {
			f.unknownOption(c.Name, w)
		}
	}
}

// target returns the path that an option names, in which a computed part counts
// as some name: whatever it is, the directories around it are certain.
func target(v *word.Word) word.Word {
	if v == nil {
		return word.Literal("")
	}
	return word.Literal(strings.ReplaceAll(v.Text, string(word.Hole), "x"))
}

// operands returns the operands that are read and those that are written.
func (f *findings) operands(c Call, args arguments) (read, written []word.Word) {
	rest := args.operands
	switch c.operands {
	case inputs:
		return rest, nil
	case outputs:
		return nil, rest
	case outputLast:
		switch n := len(rest); {
		case args.target || n == 0:
			return rest, nil
		case n == 1: // something of that name, here
			return rest, []word.Word{word.Literal(path.Base(rest[0].Prefix() + "x"))}
		default:
			return rest[:n-1], rest[n-1:]
		}
	case outputRest:
		return nil, rest[min(1, len(rest)):]
	case outputFirst:
		return rest[min(1, len(rest)):], rest[:min(1, len(rest))]
	case outputTwo:
		if len(rest) == 1 && rest[0].MayBeOption() {
			f.dynamic(c.Name, rest[0]) // it may become two operands
		}
		first := min(1, len(rest))
		if len(rest) > 1 {
			f.raise(policy.Write, "", fault.T("the second operand of %s is written", c.Name))
		}
		return rest[:first], rest[first:]
	case none:
		if len(rest) > 0 {
			f.raise(policy.Destructive, "", fault.T("%s changes the system when it is given %s", c.Name, rest[0].Source))
		}
	}
	return nil, nil
}
