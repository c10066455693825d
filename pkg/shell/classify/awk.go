package classify

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/awk"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// awk judges the options, the program and the files of awk.
func (a *analysis) awk(c call) {
	args := c.args
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case w.MayBeOption():
			a.computedProgram("awk", w)
			return
		case hasField("-F -v --field-separator --assign", w.Text):
			i++
			if i < len(args) && w.Text != "-F" && strings.Contains(args[i].Text, "system(") {
				a.evaluates("awk")
			}
		case w.Text == "--":
			a.awkOperands(args[i+1:])
			return
		case hasField("--version -V --help -h", w.Text):
			return
		case hasField("--posix -P --re-interval -r --sandbox -S -b --traditional -c --csv -k", w.Text), strings.HasPrefix(w.Text, "-F"),
			strings.HasPrefix(w.Text, "-v"), strings.HasPrefix(w.Text, "--field-separator="), strings.HasPrefix(w.Text, "--assign="):
		case w.Text == "--file", strings.HasPrefix(w.Text, "-f"), strings.HasPrefix(w.Text, "--file="):
			a.raise(Write, Opaque, fault.T("%s takes its program from a file", "awk"))
			a.awkProgramFile(args, i)
			return
		case len(w.Text) > 1 && w.Text[0] == '-':
			a.strangeOption("awk", w)
			return
		default:
			a.awkOperands(args[i:])
			return
		}
	}
}

func (a *analysis) awkOperands(args []word.Word) {
	if len(args) == 0 {
		return
	}
	a.awkProgram(args[0])
	for _, w := range args[1:] {
		a.reads(w)
	}
}

// awkProgramFile judges the arguments from the i-th on, which is -f.
func (a *analysis) awkProgramFile(args []word.Word, i int) {
	if args[i].Text == "-f" && i+1 < len(args) && (args[i+1].Text == "-" || strings.HasPrefix(args[i+1].Text, "/dev/")) ||
		i+1 < len(args) && !args[i+1].Lit {
		a.evaluates("awk")
	}
	for _, w := range args[i+1:] {
		if len(w.Text) > 1 && w.Text[0] == '-' && w.Text != "--" && !strings.HasPrefix(w.Text, "-v") && !strings.HasPrefix(w.Text, "-F") {
			a.strangeOption("awk", w)
		}
		a.reads(w)
	}
}

func (a *analysis) awkProgram(w word.Word) {
	if !w.Lit {
		a.computedProgram("awk", w)
		return
	}
	p := awk.Parse(w.Text)
	for _, name := range p.Writes {
		a.writes(word.Literal(name))
	}
	switch {
	case p.Runs:
		a.programRuns(w)
	case p.Computed:
		a.computedPath(w)
	}
}
