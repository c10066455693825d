package program

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/awk"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// judgeAwk judges the options, the program and the files of awk.
func judgeAwk(c Call) (f findings) {
	args := c.Args
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case w.MayBeOption():
			f.computedProgram("awk", w)
			return f
		case word.Listed("-F -v --field-separator --assign", w.Text):
			i++
			if i < len(args) && w.Text != "-F" && strings.Contains(args[i].Text, "system(") {
				f.evaluates("awk")
			}
		case w.Text == "--":
			f.awkOperands(args[i+1:])
			return f
		case word.Listed("--version -V --help -h", w.Text):
			return f
		case word.Listed("--posix -P --re-interval -r --sandbox -S -b --traditional -c --csv -k", w.Text), strings.HasPrefix(w.Text, "-F"),
			strings.HasPrefix(w.Text, "-v"), strings.HasPrefix(w.Text, "--field-separator="), strings.HasPrefix(w.Text, "--assign="):
		case w.Text == "--file", strings.HasPrefix(w.Text, "-f"), strings.HasPrefix(w.Text, "--file="):
			f.raise(policy.Write, finding.Opaque, fault.T("%s takes its program from a file", "awk"))
			f.awkProgramFile(args, i)
			return f
		case len(w.Text) > 1 && w.Text[0] == '-':
			f.strangeOption("awk", w)
			return f
		default:
			f.awkOperands(args[i:])
			return f
		}
	}
	return f
}

func (f *findings) awkOperands(args []word.Word) {
	if len(args) == 0 {
		return
	}
	f.awkProgram(args[0])
	for _, w := range args[1:] {
		f.reads(w)
	}
}

// awkProgramFile judges the arguments from the i-th on, which is -f.
func (f *findings) awkProgramFile(args []word.Word, i int) {
	if args[i].Text == "-f" && i+1 < len(args) && (args[i+1].Text == "-" || strings.HasPrefix(args[i+1].Text, "/dev/")) ||
		i+1 < len(args) && !args[i+1].Lit {
		f.evaluates("awk")
	}
	for _, w := range args[i+1:] {
		if len(w.Text) > 1 && w.Text[0] == '-' && w.Text != "--" && !strings.HasPrefix(w.Text, "-v") && !strings.HasPrefix(w.Text, "-F") {
			f.strangeOption("awk", w)
		}
		f.reads(w)
	}
}

func (f *findings) awkProgram(w word.Word) {
	if !w.Lit {
		f.computedProgram("awk", w)
		return
	}
	p := awk.Parse(w.Text)
	for _, name := range p.Writes {
		f.writes(word.Literal(name))
	}
	switch {
	case p.Runs:
		f.programRuns(w)
	case p.Computed:
		f.add(finding.ComputedPath(w))
	}
}
