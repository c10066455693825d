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
		case w.Text == "-F" || w.Text == "-v" || w.Text == "--field-separator" || w.Text == "--assign":
			i++
			if i < len(args) && w.Text[len(w.Text)-1] != 'F' && strings.Contains(args[i].Text, "system(") {
				a.evaluates("awk")
			}
		case w.Text == "--":
			a.awkOperands(args[i+1:])
			return
		case w.Text == "--version" || w.Text == "-V" || w.Text == "--help" || w.Text == "-h":
			return
		case strings.HasPrefix(w.Text, "-F") || strings.HasPrefix(w.Text, "-v") || strings.HasPrefix(w.Text, "--field-separator=") ||
			strings.HasPrefix(w.Text, "--assign=") || w.Text == "--posix" || w.Text == "-P" || w.Text == "--re-interval" || w.Text == "-r" ||
			w.Text == "--sandbox" || w.Text == "-S" || w.Text == "-b" || w.Text == "--traditional" || w.Text == "-c" || w.Text == "--csv" || w.Text == "-k":
		case w.Text == "-f" || w.Text == "--file" || strings.HasPrefix(w.Text, "-f") || strings.HasPrefix(w.Text, "--file="):
			a.raise(Write, Opaque, fault.T("%s takes its program from a file", "%s 的程序来自文件", "awk"))
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
		a.raise(Destructive, Obfuscated, fault.T("the program %s may run commands", "程序 %s 可能会运行命令", w.Source))
	case p.Computed:
		a.raise(Write, DynamicArgs, fault.T("the path that is written is computed: %s", "写入的路径是计算得来的：%s", w.Source))
	}
}
