package confine

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Grant lists the permissions of a program in its sandbox.
type Grant struct {
	Risk    policy.Risk // a program that reads can write nothing
	Network sandbox.Network
	Temp    string   // a private temporary directory on the host; "" is none
	Closed  bool     // it may read nothing outside the workspace but programs and tool chains
	Outside []string // paths outside the workspace that it may write to, absolute
	Caches  bool     // it may be a tool chain, which needs its caches
	Agent   bool     // it may log in elsewhere by the person's agent for ssh
	Named   []string // words of its command line that the person has set: it may read what they name
	// Trusted are paths, absolute, that it was allowed to change although other programs
	// run or obey them, or rules ask about them. The others stay as they are.
	Trusted []string
	// Changing are files that it may change as they say, although other programs run or obey
	// them, or rules ask about them.
	Changing []sandbox.Changing
	// Removes are paths, absolute, that the program visibly moves or removes.
	Removes []string
	// Records says that the program visibly has git make or remove branches or
	// submodules, which it notes in its settings.
	Records bool
	// Decided are paths that the call names and that were allowed: what rules ask
	// about is open to the program where it is one of these.
	Decided []tool.Path
	// Survey lists the files of the workspace that other programs obey, nil if they are not
	// known; Resurvey lists them anew. See [sandbox.Profile].
	Survey   *workspace.Survey
	Resurvey func() *workspace.Survey
}

// Surveyed reports whether the profile needs a survey of the workspace.
func (g Grant) Surveyed() bool { return g.Risk != policy.Read }

func (g Grant) survey(dir string) workspace.Survey {
	if g.Survey != nil {
		return *g.Survey
	}
	return workspace.SurveyOf(dir)
}

// trusts reports whether the program was allowed to change an absolute path, or something
// in it: what is protected as a whole is open as a whole.
func (g Grant) trusts(path string) bool {
	return slices.ContainsFunc(g.Trusted, func(one string) bool {
		one = filepath.FromSlash(one)
		return workspace.WithinOS(path, one) || workspace.WithinOS(one, path)
	})
}

// decided reports whether it was decided that the program may use a path.
func (g Grant) decided(rel string, reads bool) bool {
	return slices.ContainsFunc(g.Decided, func(p tool.Path) bool {
		return p.Real.String() == rel && (p.Use == schema.ReadPath) == reads
	})
}

// allows reports whether the program may use a path with a verdict of the policy.
func (g Grant) allows(v policy.Verdict, rel string, reads bool) bool {
	return v == policy.Allow || v == policy.Ask && g.decided(rel, reads)
}

// hides reports whether rules keep the program from reading a path of the workspace.
func (g Grant) hides(call *tool.Call, rel string) bool {
	return call.Hidden != nil && call.Hidden(rel) && !g.decided(rel, true) || !g.allows(call.Verdict(rel, schema.ReadPath), rel, true)
}

// Profile returns what a program may reach. It follows from the grant: a program that
// was judged to read cannot write, so that a wrong judgement does no harm.
func (p *Sandboxed) Profile(call *tool.Call, g Grant) (sandbox.Profile, error) {
	profile := sandbox.Profile{Filesystem: sandbox.Workspace, Network: g.Network, Workspace: p.Root.Dir(), Temp: g.Temp, Session: call.Env.Session, Secrets: p.secrets(), Withheld: p.withheld(), Opened: p.Machine.Settings.Readable}
	if g.Risk == policy.Read {
		profile.Filesystem = sandbox.ReadOnly
	}
	if profile.Closed = g.Closed || p.Machine.Settings.Reads == "workspace"; profile.Closed || p.closes() || p.Kind == sandbox.Landlock {
		profile.Readable, profile.Links = p.needs(g)
	} else {
		profile.Readable = p.readable()
	}
	files, err := p.policyFiles(call, g)
	if err != nil {
		return profile, err
	}
	profile.Secrets = append(profile.Secrets, files.hidden...)
	if call.Env.Policy != nil && call.Env.Policy.NarrowsPaths() {
		profile.Hides = func(rel string) bool { return g.hides(call, rel) }
	}
	if profile.Filesystem == sandbox.ReadOnly {
		return profile, nil
	}
	if g.Caches {
		profile.Layers = p.caches().layers
	}
	if dir, err := call.Env.State(); err == nil {
		profile.Lock, _ = dir.Path() // without it, calls at the same time are not kept apart
	}
	profile.Protected = append(p.ownFiles(), files.denied...)
	survey, permitted := g.survey(p.Root.Dir()), permits(call)
	profile.Survey, profile.Resurvey, profile.Movable = &survey, g.Resurvey, p.movable(g.Removes)
	profile.Permits = func(rel string) bool {
		return permitted(rel) || g.trusts(filepath.Join(p.Root.Dir(), filepath.FromSlash(rel)))
	}
	if g.Records {
		for _, d := range survey.Git {
			profile.Settings = append(profile.Settings, filepath.Join(d.Common, "config"))
		}
	}
	guarded := append(p.obeyedFiles(survey, permitted), files.asked...)
	profile.Protected = append(profile.Protected, slices.DeleteFunc(guarded, g.trusts)...)
	if profile.Changing = g.Changing; p.Kind == sandbox.Seatbelt { // which looks at no contents
		profile.Protected = slices.DeleteFunc(profile.Protected, profile.ChangesIn)
	}
	profile.Writable = p.Writable(g.Outside)
	slices.Sort(profile.Protected)
	profile.Protected = slices.Compact(profile.Protected)
	return profile, nil
}

// permits returns the function that reports whether the person's rules allow changing
// a path of the workspace.
func permits(call *tool.Call) func(rel string) bool {
	return func(rel string) bool { return call.Env.Policy != nil && call.Env.Policy.Permits(call.Project(), rel) }
}

// movable returns those of the paths, absolute, that lie in the workspace.
func (p *Sandboxed) movable(paths []string) (all []string) {
	for _, path := range paths {
		if path = filepath.FromSlash(path); path != p.Root.Dir() && workspace.WithinOS(path, p.Root.Dir()) {
			all = append(all, filepath.Clean(path))
		}
	}
	return all
}

// secrets returns what no command may see, unless the settings say otherwise.
func (p *Sandboxed) secrets() []string {
	all := slices.Concat(p.atHome().secrets, p.Machine.Hidden)
	return slices.DeleteFunc(all, func(secret string) bool {
		return slices.ContainsFunc(p.Machine.Settings.Readable, func(path string) bool { return workspace.WithinOS(secret, filepath.Clean(path)) })
	})
}

// ownFiles returns the files of helve's own in the workspace, without the artifacts
// of sessions.
func (p *Sandboxed) ownFiles() []string {
	names := []string{"config.json"}
	// Root.ReadDir would look through the workspace for similar names.
	if entries, err := os.ReadDir(p.Root.Path(".helve")); err == nil {
		for _, e := range entries {
			if e.Name() != "artifacts" && !slices.Contains(names, e.Name()) {
				names = append(names, e.Name())
			}
		}
	}
	for i, name := range names {
		names[i] = filepath.Join(p.Root.Dir(), ".helve", name)
	}
	return append(names, p.Exposed()...)
}

// Exposed returns the person's settings and custom tools that are where a program
// may write.
func (p *Sandboxed) Exposed() []string {
	var all []string
	for _, path := range p.Machine.Own {
		for _, path := range slices.Compact([]string{path, filepath.FromSlash(Resolve(filepath.ToSlash(path)))}) {
			if slices.ContainsFunc(append([]string{p.Root.Dir()}, p.Machine.Settings.Writable...), func(dir string) bool { return workspace.WithinOS(path, dir) && dir != path }) {
				all = append(all, path)
			}
		}
	}
	return all
}

// obeyedFiles returns what other programs run or obey in the workspace, from a survey
// of it, and in the repository that it is in: what exists and what must not come to
// exist. What the person's rules allow is left out.
func (p *Sandboxed) obeyedFiles(survey workspace.Survey, permits func(rel string) bool) []string {
	all := survey.Guarded()
	for _, rel := range survey.Obeyed {
		all = append(all, filepath.Join(p.Root.Dir(), filepath.FromSlash(rel)))
	}
	return slices.DeleteFunc(all, func(path string) bool {
		rel, ok := p.Root.Rel(path)
		return ok && permits(rel)
	})
}

// Writable returns the directories outside the workspace that a program may write to:
// those of the settings, caches of toolchains, the repository that the workspace is in,
// and the paths outside that were allowed for this program.
func (p *Sandboxed) Writable(outside []string) []string {
	var all []string
	add := func(dir string) {
		if real, err := filepath.EvalSymlinks(dir); err == nil && filepath.Dir(real) != real && !workspace.WithinOS(p.Root.Dir(), real) && !slices.Contains(all, real) {
			all = append(all, real)
		}
	}
	for _, dir := range p.Machine.Settings.Writable {
		add(dir)
	}
	if p.hasOwnCaches() && os.MkdirAll(p.Machine.Cache, 0o700) == nil {
		add(p.Machine.Cache)
	}
	for _, dir := range p.Repository() {
		add(dir)
	}
	for _, path := range outside {
		if path = filepath.FromSlash(path); workspace.WithinOS(path, p.Root.Dir()) {
			continue
		}
		if _, err := os.Lstat(path); err != nil {
			path = filepath.Dir(path) // it will be created there
		}
		if !p.above(path) {
			add(path)
		}
	}
	return all
}

// above reports whether a path contains the workspace, the home directory or helve.
func (p *Sandboxed) above(path string) bool {
	for _, below := range append([]string{p.Root.Dir(), p.Machine.Home, p.Machine.Program}, p.Machine.Hidden...) {
		if below != "" && workspace.WithinOS(below, path) {
			return true
		}
	}
	return false
}

// policyPaths are files that rules restrict.
type policyPaths struct {
	hidden []string // must not be read
	denied []string // must not be changed
	asked  []string // must not be changed without asking
}

// policyFiles finds the files of the workspace that rules keep from being read or
// changed, for the sandbox to enforce.
func (p *Sandboxed) policyFiles(call *tool.Call, g Grant) (policyPaths, error) {
	var found policyPaths
	if call.Env.Policy == nil || !call.Env.Policy.NarrowsPaths() {
		return found, nil
	}
	for _, given := range call.Env.Policy.Rules() {
		name := given.Rule.Path
		if strings.ContainsAny(name, `*?[{\`) || name == "" {
			continue
		}
		if _, err := p.Root.Lstat(p.Root.At(name)); !fault.Is(err, fault.NotFound) {
			continue // it exists: visit finds it
		}
		if v := call.Verdict(name, schema.WritePath); !g.allows(v, name, false) {
			found.note(v, p.Root.Path(name))
		}
	}
	left := visits
	if err := p.visit(call, g, ".", &left, &found); err != nil {
		return found, err
	}
	return found, p.visitProjects(call, &left, &found)
}

// note adds a path that must not be changed.
func (f *policyPaths) note(v policy.Verdict, abs string) {
	if v == policy.Ask {
		f.asked = append(f.asked, abs)
	} else {
		f.denied = append(f.denied, abs)
	}
}

// visits limits the entries of the workspace that are compared with the rules.
const visits = 200_000

func (p *Sandboxed) visit(call *tool.Call, g Grant, dir string, left *int, found *policyPaths) error {
	entries, err := p.Root.ReadDir(p.Root.At(dir))
	shut := slices.ContainsFunc(entries, func(e workspace.Entry) bool { return fault.Is(e.Err, fault.PermissionDenied) })
	if dir != "." && (shut || fault.Is(err, fault.PermissionDenied)) {
		// What is in it is not known, and whose it is can open it at any time.
		found.hidden = append(found.hidden, p.Root.Path(dir))
		return nil
	}
	if fault.Is(err, fault.NotFound) {
		return nil // it has gone
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if *left--; *left < 0 {
			return tooMany()
		}
		name := path.Join(dir, e.Name)
		abs := p.Root.Path(name)
		if g.hides(call, name) {
			found.hidden = append(found.hidden, abs)
			continue
		}
		if v := call.Verdict(name, schema.WritePath); !g.allows(v, name, false) {
			found.note(v, abs)
		}
		if e.Info != nil && e.Info.IsDir() {
			if err := p.visit(call, g, name, left, found); err != nil {
				return err
			}
		}
	}
	return nil
}
