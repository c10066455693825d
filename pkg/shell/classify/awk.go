package classify

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// awk judges awk: its options, its files and, by awkProgram, its program.
func (a *analysis) awk(argv []word, c context) {
	args := argv[1:]
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case w.mayBeOption():
			a.raise(Destructive, Obfuscated, fault.T("%s is given a computed program: %s", "%s 的程序是计算得来的：%s", "awk", w.source))
			return
		case w.text == "-F" || w.text == "-v" || w.text == "--field-separator" || w.text == "--assign":
			i++
			if i < len(args) && w.text[len(w.text)-1] != 'F' && strings.Contains(args[i].text, "system(") {
				a.evaluates("awk")
			}
		case w.text == "--":
			a.awkOperands(args[i+1:], c)
			return
		case w.text == "--version" || w.text == "-V" || w.text == "--help" || w.text == "-h":
			return
		case strings.HasPrefix(w.text, "-F") || strings.HasPrefix(w.text, "-v") || strings.HasPrefix(w.text, "--field-separator=") ||
			strings.HasPrefix(w.text, "--assign=") || w.text == "--posix" || w.text == "-P" || w.text == "--re-interval" || w.text == "-r" ||
			w.text == "--sandbox" || w.text == "-S" || w.text == "-b" || w.text == "--traditional" || w.text == "-c" || w.text == "--csv" || w.text == "-k":
		case w.text == "-f" || w.text == "--file" || strings.HasPrefix(w.text, "-f") || strings.HasPrefix(w.text, "--file="):
			a.raise(Write, Opaque, fault.T("%s takes its program from a file", "%s 的程序来自文件", "awk"))
			a.awkProgramFile(args, i, c)
			return
		case len(w.text) > 1 && w.text[0] == '-':
			a.strangeOption("awk", w)
			return
		default:
			a.awkOperands(args[i:], c)
			return
		}
	}
}

func (a *analysis) awkOperands(args []word, c context) {
	if len(args) == 0 {
		return
	}
	a.awkProgram(args[0])
	for _, w := range args[1:] {
		a.reads(w)
	}
	_ = c
}

// awkProgramFile judges the rest of a command line with -f.
func (a *analysis) awkProgramFile(args []word, i int, c context) {
	if args[i].text == "-f" && i+1 < len(args) && (args[i+1].text == "-" || strings.HasPrefix(args[i+1].text, "/dev/")) ||
		i+1 < len(args) && !args[i+1].lit {
		a.evaluates("awk")
	}
	for _, w := range args[i+1:] {
		if len(w.text) > 1 && w.text[0] == '-' && w.text != "--" && !strings.HasPrefix(w.text, "-v") && !strings.HasPrefix(w.text, "-F") {
			a.strangeOption("awk", w)
		}
		a.reads(w)
	}
	_ = c
}

func (a *analysis) awkProgram(w word) {
	if !w.lit {
		a.raise(Destructive, Obfuscated, fault.T("%s is given a computed program: %s", "%s 的程序是计算得来的：%s", "awk", w.source))
		return
	}
	p := awkScanner{in: w.text}
	p.scan()
	for _, name := range p.writes {
		a.writes(literal(name))
	}
	switch {
	case p.bad:
		a.raise(Destructive, Obfuscated, fault.T("the program %s may run commands", "程序 %s 可能会运行命令", w.source))
	case p.computed:
		a.raise(Write, DynamicArgs, fault.T("the path that is written is computed: %s", "写入的路径是计算得来的：%s", w.source))
	}
}
