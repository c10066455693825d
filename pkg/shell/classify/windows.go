package classify

import (
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/program"
	"github.com/helve-dev/helve/pkg/shell/classify/variable"
	"github.com/helve-dev/helve/pkg/shell/classify/windows"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// windowsSource judges a line of cmd or PowerShell. Package windows reads it.
func (a *analysis) windowsSource(src string, d Dialect) {
	a.depth++
	defer func() { a.depth-- }()
	var s windows.Script
	if d == Cmd {
		given := make([]string, len(a.o.Env))
		for i, entry := range a.o.Env {
			given[i], _, _ = strings.Cut(entry, "=")
		}
		s = windows.Cmd(src, given)
	} else {
		s = windows.PowerShell(src, a.o.Home)
	}
	for _, set := range s.Sets {
		a.note(variable.ExportsOnWindows(set.Name, set.Value))
	}
	// A loop may run a cd again, and a pipe may have it run elsewhere.
	for _, c := range s.Commands {
		a.note(program.Redirections(c))
		in := program.Input{}
		switch {
		case c.Piped:
			in.Kind = program.CommandInput
		case len(c.Reads) > 0:
			in.Kind = program.FileInput
		}
		a.windowsCommand(c.Argv, a.context(d, in))
	}
	for _, doubt := range s.Doubts {
		if doubt.Kind == windows.Syntax {
			a.raise(Destructive, Syntax, fault.T("this part of the command is not understood: %s", doubt.Text))
		} else {
			a.raise(Destructive, Obfuscated, fault.T("what runs is computed from %s", doubt.Text))
		}
	}
}

// windowsCommand judges a simple command of cmd or PowerShell, or one that is started
// without either.
func (a *analysis) windowsCommand(argv []word.Word, c context) {
	if len(argv) == 0 {
		return
	}
	if a.depth >= maxNesting {
		a.tooNested()
		return
	}
	for _, w := range argv {
		if p := strings.ReplaceAll(w.Prefix(), `\`, "/"); strings.HasPrefix(p, "//") {
			a.network()
			a.raise(Write, Network, fault.T("%s is on another machine, or a device", w.Source))
		}
	}
	name := argv[0]
	if name.Known() {
		// Names have no case here, and the ending says only which file it is.
		name.Text = strings.ToLower(name.Text)
		for _, ending := range [...]string{".exe", ".com"} {
			name.Text = strings.TrimSuffix(name.Text, ending)
		}
		if base, ok := strings.CutPrefix(strings.ReplaceAll(name.Text, `\`, "/"), "c:/windows/system32/"); ok && !strings.Contains(base, "/") {
			name.Text = base
		}
		argv = slices.Concat([]word.Word{name}, argv[1:])
		if p := program.LookupOnWindows(name.Text, c.Dialect); p != nil && !a.notOfWindows(p, name.Text) {
			defer a.show(argv)()
			if !p.Builtin() {
				a.windowsShadow(name.Text)
			}
			a.depth++
			a.report(p.JudgeOnWindows(name.Text, argv[1:], c.Context), c)
			a.depth--
			return
		}
		a.windowsShadow(name.Text)
	}
	a.command(argv, c)
	if c.Dialect == PowerShell && name.Known() && strings.Contains(name.Text, "-") && !strings.ContainsAny(name.Text, `./\`) {
		if verb, _, _ := strings.Cut(name.Text, "-"); word.Listed("remove clear stop disable uninstall format reset restart invoke unregister revoke dismount set", verb) {
			a.raise(Destructive, "", fault.T("%s cannot be taken back, or changes what others rely on", name.Text))
		}
	}
}

// notOfWindows reports whether a name of the system's programs leads to another one,
// such as the find that comes with Git.
func (a *analysis) notOfWindows(p *program.Row, name string) bool {
	if p.Builtin() || a.o.LookPath == nil {
		return false
	}
	abs, _ := a.o.LookPath(name)
	_, below, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(abs, `\`, "/")), ":")
	return abs != "" && !strings.HasPrefix(below, "/windows/")
}

// windowsShadow judges a name that the directory of the command has a file for: not
// every shell leaves that directory out when it looks for programs.
func (a *analysis) windowsShadow(name string) {
	if a.o.Exists == nil || strings.ContainsAny(name, `/\:`) {
		return
	}
	for _, ending := range [...]string{"", ".com", ".exe", ".bat", ".cmd", ".ps1"} {
		for _, dir := range a.files.cwds {
			if file := path.Join(dir, name+ending); (ending != "" || strings.Contains(name, ".")) && a.o.Exists(file) {
				a.raise(Write, PathShadow, fault.T("%s may start %s", name, file))
				a.flag(Opaque)
			}
		}
	}
}
