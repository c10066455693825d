// Package check formats and checks the files that a call changes, by the programs that the
// setting on_change names, and says what the change broke.
//
//	Checker.Format   before a file is written: a formatter makes the bytes that are written
//	Checker.Watch    before files change: the diagnostics that there are already
//	(the files change)
//	after            the same programs again: what is new
//
// A checker runs on what is in the workspace, which it sees read-only; a formatter runs on a
// layer over it, so that it can write nothing but the file. Both run in the sandbox of
// commands, without the network. Nothing here fails a call: what goes wrong is a warning.
//
// The diagnostics before a change are those of the last run if the files that it looked at
// are still the same; see baseline. Package diagnostic reads and compares them.
package check

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search/glob"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Checker is the [tool.Responder] of settings.
type Checker struct {
	rules []rule

	mu   sync.Mutex
	held *watch // of the calls of a turn of which the last one has not come
}

// rule is one item of on_change.
type rule struct {
	config.OnChange
	glob *glob.Glob
}

func (r *rule) limit() time.Duration { return time.Duration(r.Timeout) * time.Second }

// New returns the checker of the settings. Of an item whose glob is wrong it knows nothing;
// [Faults] reports it.
func New(settings []config.OnChange) *Checker {
	c := &Checker{}
	for _, s := range settings {
		if g, err := glob.Compile(s.Glob); err == nil {
			c.rules = append(c.rules, rule{s, g})
		}
	}
	return c
}

// Faults reports what is wrong with the globs of the settings.
func Faults(settings []config.OnChange) error {
	for _, s := range settings {
		if _, err := glob.Compile(s.Glob); err != nil {
			return err
		}
	}
	return nil
}

// rulesFor returns the rules about one of the files that have a program of a kind.
func (c *Checker) rulesFor(reals []string, argv func(*rule) []string) (all []*rule) {
	for i := range c.rules {
		r := &c.rules[i]
		if len(argv(r)) > 0 && slices.ContainsFunc(reals, r.glob.Match) {
			all = append(all, r)
		}
	}
	return all
}

func formats(r *rule) []string { return r.OnChange.Format }
func checks(r *rule) []string  { return r.Check }

// unit is one run of a checker.
type unit struct {
	rule  *rule
	argv  []string
	dir   string   // where it runs, absolute
	files []string // it is about, relative to the root; none of a checker that looks at more than files
	dirs  []string // whose entries it looks at, relative to the root
	one   bool     // it looks at the first of dirs alone
}

// key identifies the run, whatever the files hold.
func (u *unit) key() string { return u.dir + "\x00" + strings.Join(u.argv, "\x00") }

// covers reports whether a diagnostic of a file can be of the unit.
func (u *unit) covers(file string) bool {
	switch {
	case len(u.files) > 0:
		return slices.Contains(u.files, file)
	case u.one:
		return path.Dir(file) == u.dirs[0]
	}
	return true
}

// source names the checker where its output does not.
func (u *unit) source() string {
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(u.argv[0], `\`, "/")), ".exe")
	if len(u.argv) > 1 && (name == "go" || name == "cargo" || name == "npx" || name == "terraform" || name == "dart") {
		name += " " + u.argv[1]
	}
	return name
}

// units returns the runs of a rule for those of the files that it is about. there reports
// whether a path exists.
func (r *rule) units(root *workspace.Root, reals []string, there func(rel string) bool) (all []*unit) {
	var files, dirs []string
	home := ""
	for _, real := range reals {
		if !r.glob.Match(real) {
			continue
		}
		if home == "" {
			home = projectOf(path.Dir(real), there)
		}
		if dir := path.Dir(real); there(dir) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		if there(real) {
			files = append(files, real)
		}
	}
	names := func(p string) bool {
		return slices.ContainsFunc(r.Check, func(word string) bool { return strings.Contains(word, p) })
	}
	add := func(file, dir string, of, in []string) {
		u := &unit{rule: r, dir: root.Path(home), files: of, dirs: append(slices.Clone(in), home)}
		u.argv = expand(root, r.Check, file, dir, of)
		all = append(all, u)
	}
	switch {
	case names("{file}"):
		for _, file := range files {
			add(file, path.Dir(file), []string{file}, nil)
		}
	case names("{files}"):
		if len(files) > 0 {
			add("", "", files, nil)
		}
	case names("{dir}"):
		for _, dir := range dirs {
			add("", dir, nil, []string{dir})
			all[len(all)-1].one = true
		}
	case len(dirs) > 0:
		add("", "", nil, dirs)
	}
	return all
}

// expand puts paths in the place of what stands for them.
func expand(root *workspace.Root, argv []string, file, dir string, files []string) []string {
	var words []string
	for _, word := range argv {
		if word == "{files}" {
			for _, f := range files {
				words = append(words, root.Path(f))
			}
			continue
		}
		words = append(words, strings.NewReplacer("{file}", root.Path(file), "{dir}", root.Path(dir), "{root}", root.Dir()).Replace(word))
	}
	return words
}

// markers are files that show where a project begins.
var markers = [...]string{"go.mod", "package.json", "Cargo.toml", "pyproject.toml", "tsconfig.json", "setup.cfg", "Gemfile", "composer.json", "pubspec.yaml"}

// projectOf returns the directory at or above dir that a project begins in; "." is the root.
func projectOf(dir string, there func(rel string) bool) string {
	for ; dir != "."; dir = path.Dir(dir) {
		if slices.ContainsFunc(markers[:], func(name string) bool { return there(path.Join(dir, name)) }) {
			return dir
		}
	}
	return "."
}

// existing returns a function that reports whether there is something at a path.
func existing(root *workspace.Root) func(rel string) bool {
	return func(rel string) bool {
		_, err := root.Lstat(root.At(rel))
		return err == nil
	}
}

// Watch implements [tool.Responder].
func (c *Checker) Watch(ctx context.Context, call *tool.Call, reals []string) func(context.Context, []journal.Changed) tool.Feedback {
	rules := c.rulesFor(reals, checks)
	c.mu.Lock()
	w := c.held
	c.mu.Unlock()
	if len(rules) == 0 && w == nil {
		return nil
	}
	if w == nil {
		var err error
		if w, err = newWatch(c, call); err != nil {
			c.failed(call, err)
			return nil
		}
	}
	w.call = call
	w.before(ctx, rules, reals)
	return func(ctx context.Context, changed []journal.Changed) tool.Feedback {
		w.add(changed)
		if tool.Further(ctx) {
			c.hold(w)
			return tool.Feedback{}
		}
		c.hold(nil)
		return w.after(ctx)
	}
}

func (c *Checker) hold(w *watch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = w
}

// Settle implements [tool.Responder].
func (c *Checker) Settle(ctx context.Context) []fault.Text {
	c.mu.Lock()
	w := c.held
	c.held = nil
	c.mu.Unlock()
	if w == nil || len(w.changed) == 0 {
		return nil
	}
	f := w.after(ctx)
	if f.Diagnostics == nil {
		return nil
	}
	return said(f.Diagnostics)
}

// said returns new diagnostics as warnings.
func said(d *tool.Diagnostics) (all []fault.Text) {
	for _, one := range d.New {
		all = append(all, fault.T("new diagnostic: %s", one.String()))
	}
	return all
}

// failed warns, once in a session, that something keeps files from being checked.
func (c *Checker) failed(call *tool.Call, err error) {
	call.WarnOnce(fault.T("on_change did not run: %s", fault.As(err).Message))
}
