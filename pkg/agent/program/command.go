package program

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// maxWord limits the bytes of one argument of a program: Linux's MAX_ARG_STRLEN less the
// terminating byte, see execve(2). Other systems refuse long command lines by themselves.
const maxWord = 128<<10 - 1

// What stands in argv for the task, and for the file of the result.
const (
	taskMark   = "{task}"
	resultMark = "{result}"
)

// Check reports whether the program of a manifest is there. environ is the environment of this
// process, as "NAME=value". The fault is not_configured.
func Check(a config.Agent, environ []string) error {
	name := a.Argv[0]
	if filepath.Base(name) == name {
		env, _ := run.Environment{Parent: environ, Pass: a.Pass}.Build()
		if run.Look(name, env) == "" {
			return notThere(a)
		}
		return nil
	}
	if info, err := os.Stat(name); err != nil || info.IsDir() {
		return notThere(a)
	}
	return nil
}

// worldOf returns a call in the world of the options, in which the directories of the
// manifest are open: to be written to, and to be read, as the logins of agents are
// hidden from other programs.
func worldOf(o Options) *tool.Call {
	env := *o.Env
	env.Agent = o.JobID
	if o.Env.Machine != nil {
		env.Machine = func() (*tool.Machine, error) {
			m, err := o.Env.Machine()
			if err != nil {
				return nil, err
			}
			opened, paths := *m, slices.DeleteFunc(absolute(o.Agent.Writes, m.Home), func(path string) bool { return tooMuch(m, path) })
			opened.Settings.Writable = slices.Concat(m.Settings.Writable, paths)
			opened.Settings.Readable = slices.Concat(m.Settings.Readable, paths)
			return &opened, nil
		}
	}
	call := tool.NewCall(&env, &tool.Tool{Spec: tool.Spec{Name: "exec"}}, nil) // what rules hide from commands is hidden from it
	if env.Hides != nil {
		call.Hidden = env.Hides(call.Project(), call.Tool)
	}
	return call
}

// tooMuch reports whether a path would open the home directory as a whole, or helve's
// own files.
func tooMuch(m *tool.Machine, path string) bool {
	for _, path := range []string{path, resolved(path)} {
		for _, own := range append(slices.Clone(m.Hidden), m.Own...) {
			if workspace.WithinOS(own, path) || workspace.WithinOS(path, own) {
				return true
			}
		}
		if m.Home != "" && workspace.WithinOS(m.Home, path) {
			return true
		}
	}
	return false
}

// writes returns the paths that the manifest opens, absolute.
func (p *program) writes() []string { return absolute(p.Agent.Writes, p.place.Machine.Home) }

// absolute returns paths of a manifest with the home directory in place of ~.
func absolute(paths []string, home string) []string {
	var all []string
	for _, path := range paths {
		if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
			if home == "" {
				continue
			}
			path = filepath.Join(home, filepath.FromSlash(rest))
		}
		if filepath.IsAbs(path) {
			all = append(all, path)
		}
	}
	return all
}

// resolved returns a path without links, as far as it exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// temporary returns the program's directory for temporary files: the session's, if it has
// one. done removes a directory made for this run.
func (p *program) temporary() (dir string, done func(), err error) {
	if dir, done, err = p.place.SessionTemporary(p.call); err != nil || dir != "" {
		return dir, done, err
	}
	if dir, err = os.MkdirTemp("", "helve-agent-"); err != nil {
		return "", nil, err
	}
	return resolved(dir), func() { _ = sandbox.RemoveAll(dir) }, nil
}

// command returns what to run. Its sandbox is yet to be made.
func (p *program) command() (run.Command, error) {
	task := p.Task
	if p.System != "" {
		task = p.System + "\n\n" + p.Task
	}
	inside := p.place.TempInside(p.temp)
	set := slices.Concat(p.place.Caches(), p.call.Env.Variables())
	if p.place.Kind.Confines() { // the state of the helve that the program may call cannot be where it usually is
		set = append(set, "HELVE_HOME="+filepath.Join(inside, "helve"))
	}
	vars, _ := run.Environment{
		Parent: p.place.Machine.Environ, Pass: p.Agent.Pass, Set: set, Temp: inside,
		Workspace: p.place.Root.Dir(), Dir: p.place.Root.Dir(), ReadOnly: p.Env.ReadOnly, Sandboxed: p.place.Kind.Confines(),
	}.Build()
	c := run.Command{
		Argv: expand(p.Agent.Argv, task, filepath.Join(inside, p.file)), Dir: p.place.Root.Dir(), Env: vars,
		Timeout: p.Timeout, Budget: p.place.Budget(p.temp), Split: true, Head: head, Tail: tail,
	}
	if !slices.ContainsFunc(p.Agent.Argv, func(word string) bool { return strings.Contains(word, taskMark) }) {
		c.Stdin = strings.NewReader(task)
		return c, nil
	}
	if strings.IndexByte(task, 0) >= 0 {
		return c, p.hasNUL()
	}
	for _, word := range c.Argv {
		if runtime.GOOS == "linux" && len(word) > maxWord {
			return c, p.tooLong(len(word))
		}
	}
	return c, nil
}

// expand puts a task and the path for the result into the words of a command line. A word
// that begins with the task gets a space before it if it would be an option otherwise.
func expand(argv []string, task, result string) []string {
	marks := strings.NewReplacer(taskMark, task, resultMark, result)
	words := make([]string, len(argv))
	for i, word := range argv {
		if words[i] = marks.Replace(word); strings.HasPrefix(word, taskMark) && strings.HasPrefix(words[i], "-") {
			words[i] = " " + words[i]
		}
	}
	return words
}
