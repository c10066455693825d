package classify

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
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
		a.setsWindowsVariable(set.Name, set.Value)
	}
	// A loop may run a cd again, and a pipe may have it run elsewhere.
	for _, c := range s.Commands {
		for _, w := range c.Reads {
			if !nullDevice(w) {
				a.reads(w)
			}
		}
		for _, w := range c.Writes {
			a.windowsWrites(w)
		}
		in := feed{}
		switch {
		case c.Piped:
			in.kind = fromCommand
		case len(c.Reads) > 0:
			in.kind = fromFile
		}
		a.windowsCommand(c.Argv, context{dialect: d, in: in})
	}
	for _, doubt := range s.Doubts {
		if doubt.Kind == windows.Syntax {
			a.raise(Destructive, Syntax, fault.T("this part of the command is not understood: %s", doubt.Text))
		} else {
			a.raise(Destructive, Obfuscated, fault.T("what runs is computed from %s", doubt.Text))
		}
	}
}

// windowsTables are the rows of what cmd, PowerShell and Windows bring along, by names
// in lower case. They come before the table of all systems: several of these names are
// other programs elsewhere.
var windowsTables struct {
	once                    sync.Once
	cmd, powerShell, system map[string]*program
}

// windowsLookup returns the row of a name where a shell runs it, nil if there is none.
func windowsLookup(name string, d Dialect) *program {
	t := &windowsTables
	t.once.Do(func() {
		t.cmd, t.powerShell, t.system = rowsByName(cmdBuiltins()), rowsByName(cmdlets()), rowsByName(windowsPrograms())
	})
	own := t.cmd
	if d == PowerShell {
		own = t.powerShell
	}
	if p := own[name]; p != nil {
		return p
	}
	return t.system[name]
}

func rowsByName(rows []program) map[string]*program {
	all := make(map[string]*program, 4*len(rows))
	for i := range rows {
		for name := range strings.FieldsSeq(rows[i].names) {
			all[name] = &rows[i]
		}
	}
	return all
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
		if p := windowsLookup(name.Text, c.dialect); p != nil && !a.notOfWindows(p, name.Text) {
			defer a.show(argv)()
			if !p.builtin {
				a.windowsShadow(name.Text)
			}
			a.depth++
			a.effects(p.does, name.Text)
			if p.judge != nil {
				p.judge(a, call{program: p, name: name.Text, args: argv[1:], context: c})
			}
			a.depth--
			return
		}
		a.windowsShadow(name.Text)
	}
	a.command(argv, c)
	if c.dialect == PowerShell && name.Known() && strings.Contains(name.Text, "-") && !strings.ContainsAny(name.Text, `./\`) {
		if verb, _, _ := strings.Cut(name.Text, "-"); hasField("remove clear stop disable uninstall format reset restart invoke unregister revoke dismount set", verb) {
			a.effect(irreversible, name.Text)
		}
	}
}

// notOfWindows reports whether a name of the system's programs leads to another one,
// such as the find that comes with Git.
func (a *analysis) notOfWindows(p *program, name string) bool {
	if p.builtin || a.o.LookPath == nil {
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
		for _, dir := range a.cwds {
			if file := path.Join(dir, name+ending); (ending != "" || strings.Contains(name, ".")) && a.o.Exists(file) {
				a.raise(Write, PathShadow, fault.T("%s may start %s", name, file))
				a.flag(Opaque)
			}
		}
	}
}

// setsWindowsVariable judges a variable, whose name has no case.
func (a *analysis) setsWindowsVariable(name string, value word.Word) {
	if upper := strings.ToUpper(name); hasField("COMSPEC PATHEXT PSMODULEPATH NODEFAULTCURRENTDIRECTORYINEXEPATH", upper) {
		a.decides(Destructive, name)
	}
	for _, spelling := range [...]string{name, strings.ToUpper(name), strings.ToLower(name)} {
		a.setsVariable(spelling, value)
	}
}

// nullDevice reports whether a word names the null device, or the console.
func nullDevice(w word.Word) bool {
	return w.Known() && hasField(`nul con nul: con: \\.\nul $null`, strings.ToLower(w.Text))
}

// windowsWrites judges a path that is created or changed.
func (a *analysis) windowsWrites(w word.Word) {
	if nullDevice(w) {
		return
	}
	p := strings.ReplaceAll(w.Prefix(), `\`, "/")
	switch drive, rest, colon := strings.Cut(p, ":"); {
	case strings.HasPrefix(p, "//./") || strings.HasPrefix(p, "//?/"):
		if strings.HasPrefix(strings.ToLower(p[4:]), "physicaldrive") || len(strings.Trim(p[4:], "/")) == 2 {
			a.forbid(fault.T("%s is a raw device", w.Source))
		}
		a.raise(Destructive, Outside, fault.T("%s is a device", w.Source))
	case colon && (len(drive) != 1 || strings.Contains(rest, ":") || !strings.HasPrefix(rest, "/")):
		// A drive of PowerShell such as the registry, a stream behind a file, or a path
		// that depends on where a drive is.
		a.raise(Destructive, Outside, fault.T("%s is no plain path of a file", w.Source))
	}
	a.writes(w)
}

// windowsRemoves judges a path that is deleted.
func (a *analysis) windowsRemoves(w word.Word) {
	a.windowsWrites(w)
	for _, p := range a.resolve(w) {
		p = strings.TrimRight(p, "/*.")
		if home := strings.TrimRight(a.o.Home, "/"); len(p) <= 2 && (p == "" || strings.HasSuffix(p, ":")) || home != "" && strings.EqualFold(p, home) || strings.EqualFold(p, "c:/windows") {
			a.forbid(fault.T("%s is all there is", w.Source))
		}
	}
}
