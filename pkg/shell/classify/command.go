package classify

import (
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/program"
	"github.com/helve-dev/helve/pkg/shell/classify/variable"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// context surrounds a simple command.
type context struct {
	program.Context

	functions []string // functions that are certainly defined
}

func (a *analysis) context(d Dialect, in program.Input, functions ...string) context {
	return context{program.Context{In: in, Dialect: d, Files: &a.files}, functions}
}

// reader returns a reader of the words of the source being walked.
func (a *analysis) reader() word.Reader {
	r := word.Reader{Src: a.src, Home: a.o.Home}
	if len(a.files.cwds) == 1 && !a.files.lost {
		r.Cwd = a.files.cwds[0]
	}
	return r
}

// argv judges a command without a shell.
func (a *analysis) argv(argv []string) {
	words := make([]word.Word, len(argv))
	for i, s := range argv {
		if strings.IndexByte(s, 0) >= 0 {
			a.nul()
			return
		}
		a.characters(s)
		words[i] = word.Literal(s)
	}
	switch {
	case len(words) == 0:
	case a.o.Dialect == Cmd || a.o.Dialect == PowerShell:
		a.windowsCommand(words, a.context(Cmd, program.Input{}))
	default:
		a.command(words, a.context(Bash, program.Input{}))
	}
}

// show adds argv to the commands of the verdict, makes it the one being judged,
// and matches the patterns of Options.Deny. done returns to the command around
// it, which is at least as bad.
func (a *analysis) show(argv []word.Word) (done func()) {
	words := make([]string, len(argv))
	for i, w := range argv {
		words[i] = shown(w)
		if i > 0 || strings.Contains(w.Text, "/") {
			a.names(w)
		}
		if i > 0 {
			a.stray(w)
		}
	}
	if a.o.Stray != nil && len(words) == 1 && words[0] == "cd" {
		a.strays("cd") // to the home directory
	}
	outer := a.current
	a.current = -1
	if len(a.v.Commands) < MaxCommands {
		a.current = len(a.v.Commands)
		a.v.Commands = append(a.v.Commands, policy.Command{Argv: words, Risk: Read})
	}
	done = func() {
		inner := *a.part()
		if a.current = outer; outer < 0 {
			return
		}
		around := a.part()
		around.Risk, around.Network = policy.Worst(around.Risk, inner.Risk), around.Network || inner.Network
	}
	if len(a.o.Deny) > 0 {
		a.denies(strings.Join(words, " "))
	}
	return done
}

// command judges a simple command, whether written as one or given to a wrapper.
func (a *analysis) command(argv []word.Word, c context) {
	if len(argv) == 0 {
		return
	}
	if a.depth++; a.depth > maxNesting {
		a.tooNested()
		a.depth--
		return
	}
	defer func() { a.depth-- }()
	defer a.show(argv)()
	name := argv[0]
	if !name.Known() {
		a.raise(Destructive, Obfuscated, fault.T("the name of the command is computed: %s", name.Source))
		return
	}
	if strings.ContainsFunc(name.Text, func(r rune) bool { return r > 0x7e }) {
		a.raise(Destructive, Confusable, fault.T("the name of the command is not plain ASCII: %q", name.Text))
		return
	}
	base, ok := a.programName(name.Text)
	if !ok {
		return
	}
	if lower := strings.ToLower(base); lower != base {
		// On a file system that ignores case it is the same program.
		a.raise(Write, Opaque, fault.T("%s is not a program that is known here", base))
		base = lower
	}
	base = strings.TrimSuffix(base, ".exe")
	switch base {
	case "git":
		a.v.Git = a.noted(a.v.Git, argv[1:], c.In)
	case "tar", "bsdtar", "unzip":
		a.v.Unpacks = a.noted(a.v.Unpacks, argv, c.In)
	}
	if p := program.Lookup(base); p != nil {
		a.report(p.Judge(base, argv[1:], c.Context), c)
	} else if !slices.Contains(c.functions, base) {
		a.note(program.JudgeUnknown(base, argv[1:], c.Context))
	}
}

// noted adds a command to a list, if all of its words are known.
func (a *analysis) noted(all []GitCall, args []word.Word, in program.Input) []GitCall {
	if len(all) >= MaxCommands {
		return all
	}
	call := GitCall{Args: make([]string, len(args))}
	if !a.files.lost {
		call.Dirs = slices.Clone(a.files.cwds)
	}
	for i, w := range args {
		if !w.Known() {
			return all
		}
		call.Args[i] = w.Text
	}
	switch in.Kind {
	case program.TextInput:
		call.Text = in.Text
	case program.FileInput:
		if files := a.files.Resolve(in.File); in.File.Known() && len(files) == 1 {
			call.Input = files[0]
		}
	}
	return append(all, call)
}

// programName returns the name by which a program is known. It is not ok if the
// path of the program is all there is to judge.
func (a *analysis) programName(name string) (base string, ok bool) {
	if name == "" {
		a.raise(Write, Opaque, fault.T("the name of the command is empty"))
		return "", false
	}
	if !strings.ContainsAny(name, `/\`) {
		a.shadow(name)
		return name, true
	}
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	dir, base := path.Split(clean)
	switch {
	case strings.HasPrefix(clean, "/proc/") || strings.HasPrefix(clean, "/dev/"):
		a.raise(Destructive, PathAlias, fault.T("%s is an unusual path to a program", name))
		return "", false
	case strings.HasPrefix(base, "ld-linux") || strings.HasPrefix(base, "ld-musl") || strings.HasPrefix(base, "ld.so") ||
		strings.HasPrefix(base, "ld-2."):
		a.raise(Destructive, PathAlias, fault.T("%s is the loader, which starts any program", base))
		return "", false
	case programDirectory(dir):
		return base, true
	}
	for _, p := range a.files.Resolve(word.Literal(name)) {
		if !slices.Contains(a.started, p) {
			a.started = append(a.started, p)
		}
	}
	a.raise(Write, Opaque, fault.T("%s runs code that the command does not show", name))
	return base, program.SameAnywhere(base)
}

// programDirectory reports whether only an administrator writes to dir.
func programDirectory(dir string) bool {
	switch dir {
	case "/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/opt/homebrew/bin/",
		"/run/current-system/sw/bin/", "/usr/local/go/bin/", "/snap/bin/":
		return true
	}
	return strings.HasPrefix(dir, "C:/Windows/")
}

// shadow judges a name that leads to a file which anyone may have put there.
func (a *analysis) shadow(name string) {
	if p := program.Lookup(name); a.o.LookPath == nil || p != nil && p.Builtin() {
		return
	}
	if abs, trusted := a.o.LookPath(name); abs != "" && !trusted {
		a.raise(Write, PathShadow, fault.T("%s leads to %s, which the workspace may have put there", name, abs))
		a.flag(Opaque)
	}
}

// given judges the variables that the caller adds.
func (a *analysis) given() {
	for _, entry := range a.o.Env {
		name, value, _ := strings.Cut(entry, "=")
		if a.o.Dialect == Cmd || a.o.Dialect == PowerShell {
			a.note(variable.ExportsOnWindows(name, word.Literal(value)))
		} else {
			a.note(a.vars.Export(name, word.Literal(value)))
		}
	}
}
