package confine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
	"github.com/helve-dev/helve/pkg/workspace/gitdir"
	"github.com/helve-dev/helve/pkg/workspace/known"
)

// needs lists files and directories outside the workspace that a program may read where
// the rest is withheld: what the settings open, what the table says of tool chains, what
// is on the PATH, the repository and the projects that the workspace belongs to, and what
// the person's settings of git and of this program name. None lies in a secret, unless
// the settings or the table name it. Paths are free of links; links lead to them.
func (p *Sandboxed) needs(g Grant) (paths []string, links []sandbox.Link) {
	place := p.atHome().place
	all := slices.Concat(p.Machine.Settings.Readable, p.Machine.Settings.Writable, place.Reads())
	for _, home := range p.Machine.Homes {
		all = append(all, known.At(home).Reads()...)
	}
	for i, path := range all {
		all[i] = filepath.Clean(path)
	}
	for _, c := range place.Caches() {
		all = append(all, c.Path)
	}
	var resolver workspace.Resolver
	secrets := map[string]bool{}
	for _, path := range p.secrets() {
		secrets[path] = true
	}
	isSecret := func(path string) bool {
		for ; !secrets[path]; path = filepath.Dir(path) {
			if filepath.Dir(path) == path {
				return false
			}
		}
		return true
	}
	add := func(paths ...string) {
		for _, path := range paths {
			if path = filepath.Clean(path); !filepath.IsAbs(path) || p.contains(path) || isSecret(path) {
				continue
			}
			if real, err := resolver.Resolve(path); err == nil && !p.contains(real) && !isSecret(real) {
				all = append(all, path)
			}
		}
	}
	for _, name := range toolVariables {
		add(filepath.SplitList(run.Value(p.Machine.Environ, name))...)
	}
	add(p.onPath()...)
	if p.Machine.Program != "" {
		add(p.Machine.Program)
	}
	for _, dir := range p.Machine.Projects {
		add(dir)
	}
	add(p.repositories()...)
	add(p.siblings()...)
	add(p.namedByGit()...)
	for _, word := range g.Named {
		add(p.named(word)...)
	}
	if socket := p.AgentSocket(); g.Agent && socket != "" {
		all = append(all, socket)
	}
	slices.Sort(all)
	for _, path := range slices.Compact(all) {
		real, err := resolver.Resolve(path)
		if err != nil {
			continue // as most
		}
		if real != path {
			links = append(links, sandbox.Link{Path: path, Target: real})
		}
		if !within(real, []string{p.Root.Dir()}) && (real == path || !p.leadsThroughChangeable(path)) {
			paths = append(paths, real)
		}
	}
	return paths, links
}

// leadsThroughChangeable reports whether a program could have made one of the links that a
// path leads through.
func (p *Sandboxed) leadsThroughChangeable(path string) bool {
	const most = 40 // as the kernel
	for range most {
		next, ok := "", false
		for i := 1; i <= len(path) && !ok; i++ {
			if i < len(path) && path[i] != filepath.Separator {
				continue
			}
			target, err := os.Readlink(path[:i])
			if err != nil {
				continue
			}
			if within(path[:i], p.atHome().changeable) {
				return true
			}
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(path[:i]), target)
			}
			next, ok = filepath.Join(target, path[i:]), true
		}
		if !ok {
			return false
		}
		path = next
	}
	return true
}

// AgentVariable names the socket of the agent that keeps a person's keys for ssh.
const AgentVariable = "SSH_AUTH_SOCK"

// AgentSocket returns the socket of the person's agent for ssh, "" if there is none.
func (p *Sandboxed) AgentSocket() string {
	socket := run.Value(p.Machine.Environ, AgentVariable)
	if info, err := os.Stat(socket); err != nil || info.Mode()&os.ModeSocket == 0 || !filepath.IsAbs(socket) {
		return ""
	}
	return filepath.Clean(socket)
}

// toolVariables name directories of tool chains.
var toolVariables = [...]string{
	"GOROOT", "GOPATH", "GOMODCACHE", "CARGO_HOME", "RUSTUP_HOME", "JAVA_HOME", "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "NVM_DIR",
}

// onPath returns the directories of PATH, with those that programs in them are linked to,
// and those in which they find their libraries.
func (p *Sandboxed) onPath() (all []string) {
	closed := p.withheld()
	for _, dir := range filepath.SplitList(run.Value(p.Machine.Environ, "PATH")) {
		if dir = filepath.Clean(dir); !filepath.IsAbs(dir) || within(dir, p.atHome().changeable) {
			continue
		}
		all = append(all, dir)
		all = append(all, p.beside(dir)...)
		if !within(dir, closed) {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.Type()&os.ModeSymlink == 0 {
				continue
			}
			target, err := os.Readlink(filepath.Join(dir, e.Name()))
			if err == nil && !filepath.IsAbs(target) {
				target = filepath.Join(dir, target)
			}
			if err != nil || within(target, all) || !within(target, closed) {
				continue
			}
			if real, err := filepath.EvalSymlinks(target); err == nil && !within(real, all) {
				all = append(all, filepath.Clean(target), real)
				all = append(all, p.beside(filepath.Dir(real))...)
			}
		}
	}
	return all
}

// beside returns the directory that a directory of programs is in, if that is theirs alone.
func (p *Sandboxed) beside(dir string) []string {
	prefix := filepath.Dir(dir)
	if name := filepath.Base(dir); name != "bin" && name != "sbin" || filepath.Dir(filepath.Dir(prefix)) == filepath.Dir(prefix) || p.general(prefix) {
		return nil
	}
	return []string{prefix}
}

// repositories returns the work tree that the workspace is in, git's directories of it,
// and those whose objects it borrows.
func (p *Sandboxed) repositories() []string {
	all := p.Repository()
	d, ok := gitdir.Above(p.Root.Dir())
	if !ok {
		return all
	}
	if d.Top != p.Root.Dir() && !p.general(d.Top) {
		all = append(all, d.Top)
	}
	const list = "objects/info/alternates"
	if rel, ok := p.Root.Rel(filepath.Join(d.Common, list)); ok {
		for line := range strings.Lines(p.text(rel)) {
			line = strings.TrimSpace(line)
			if line != "" && !filepath.IsAbs(line) {
				line = filepath.Join(d.Common, "objects", line)
			}
			repository := filepath.Dir(filepath.Clean(line))
			if filepath.Base(line) == "objects" && gitdir.Is(repository) && !p.hidden(strings.TrimSuffix(repository, string(filepath.Separator)+".git"), p.withheld()) {
				all = append(all, line)
			}
		}
	}
	return all
}

// namedByGit returns the files that the person's settings of git name: git fails where it
// may not read them.
func (p *Sandboxed) namedByGit() []string {
	place := p.atHome().place
	r := gitdir.Reader{Home: p.Machine.Home, Every: true}
	settings := r.Read(slices.Concat(place.Paths(".gitconfig"), place.Paths(".config/git/config"))...)
	all := settings.Files
	for _, file := range all {
		if real, err := filepath.EvalSymlinks(file); err == nil && within(real, p.atHome().changeable) {
			return nil // then programs choose what they name
		}
	}
	for _, one := range settings.All {
		for _, key := range [...][2]string{
			{"core", "excludesfile"}, {"core", "attributesfile"}, {"core", "hookspath"}, {"commit", "template"}, {"init", "templatedir"},
			{"blame", "ignorerevsfile"}, {"mailmap", "file"}, {"gpg.ssh", "allowedsignersfile"},
		} {
			if one.Is(key[0], key[1]) {
				all = append(all, r.Expand(one.Value, p.Machine.Home))
			}
		}
	}
	return slices.DeleteFunc(all, func(path string) bool { return path == "" })
}

// named returns what a word of a command line names that the person has set: a file with
// the project that it is in, or a directory.
func (p *Sandboxed) named(word string) []string {
	if _, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(word, "-") {
		word = value
	}
	if !filepath.IsAbs(word) {
		return nil
	}
	real, err := filepath.EvalSymlinks(word)
	if err != nil {
		return nil
	}
	all := []string{filepath.Clean(word), real}
	if !within(real, p.withheld()) { // it may be in a directory that the sandbox has of its own
		return all
	}
	for dir := filepath.Dir(real); !p.general(dir); dir = filepath.Dir(dir) {
		if isProject(dir) {
			return append(all, dir)
		}
	}
	if info, err := os.Stat(real); err == nil && !info.IsDir() && !p.general(filepath.Dir(real)) {
		all = append(all, filepath.Dir(real))
	}
	return all
}
