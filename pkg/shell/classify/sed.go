package classify

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// sed judges sed: its options, its files and, by the grammar of sedProgram, its
// program.
func (a *analysis) sed(argv []word) {
	s := spec{
		name: "sed",
		ok:   options{"nEruszl:e:", "quiet silent regexp-extended unbuffered separate null-data line-length= expression= posix debug sandbox help version"},
		out:  options{"iI", "in-place?"},
	}
	args := argv[1:]
	inPlace, given := false, false
	var programs []word
	for i := range args {
		w := args[i]
		if w.text == "--" && w.known() {
			break
		}
		if w.known() && len(w.text) > 1 && w.text[0] == '-' {
			inPlace = inPlace || strings.HasPrefix(w.text, "--i") || w.text[1] != '-' && strings.ContainsAny(beforeValue(w.text), "iI")
			switch {
			case strings.HasPrefix(w.text, "--e"):
				given = true
				if _, value, ok := strings.Cut(w.text, "="); ok {
					programs = append(programs, word{text: value, source: w.source, lit: w.lit})
				} else if i+1 < len(args) {
					programs = append(programs, args[i+1])
				}
			case strings.HasPrefix(w.text, "--f") || w.text[1] != '-' && strings.Contains(beforeValue(w.text), "f"):
				given = true
				a.raise(Destructive, Opaque, fault.T("%s takes its program from a file", "%s 的程序来自文件", "sed"))
			case w.text[1] != '-' && strings.Contains(w.text, "e") && !strings.ContainsAny(w.text[:strings.Index(w.text, "e")], "il"):
				given = true
				at := strings.Index(w.text, "e")
				if at+1 < len(w.text) {
					programs = append(programs, word{text: w.text[at+1:], source: w.source, lit: w.lit})
				} else if i+1 < len(args) {
					programs = append(programs, args[i+1])
				}
			}
		}
	}
	rest := a.sedOptions(s, args)
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

// sedOptions is options, but for -i, whose suffix is joined to it.
func (a *analysis) sedOptions(s spec, args []word) []word {
	plain := make([]word, len(args))
	for i, w := range args {
		if at := strings.IndexByte(w.text, 'i'); at > 0 && w.text[0] == '-' && w.text[1] != '-' && w.known() && !strings.ContainsAny(w.text[:at], "el") {
			w.text = w.text[:at+1]
		}
		if strings.HasPrefix(w.text, "-f") || strings.HasPrefix(w.text, "--file") {
			// It is judged already; the name of the file is not an operand.
			w = literal("--line-length=1")
			if args[i].text == "-f" || args[i].text == "--file" {
				w = literal("-l")
			}
		}
		plain[i] = w
	}
	return a.options(s, plain)
}

// beforeValue is the part of a word of short options that are options surely.
func beforeValue(w string) string {
	if i := strings.IndexAny(w, "el"); i >= 0 {
		return w[:i]
	}
	if i := strings.IndexByte(w, 'i'); i >= 0 {
		return w[:i+1]
	}
	return w
}

func (a *analysis) sedProgram(w word) {
	if !w.lit {
		a.raise(Destructive, Obfuscated, fault.T("%s is given a computed program: %s", "%s 的程序是计算得来的：%s", "sed", w.source))
		return
	}
	p := sedParser{in: w.text}
	p.program()
	for _, name := range p.reads {
		a.reads(literal(name))
	}
	for _, name := range p.writes {
		a.writes(literal(name))
	}
	if p.bad {
		a.raise(Destructive, Obfuscated, fault.T("the program %s may run commands", "程序 %s 可能会运行命令", w.source))
	}
}
