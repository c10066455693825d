package confine

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/workspace"
)

// closes reports whether programs see of home directories only what builds need.
func (p *Sandboxed) closes() bool { return p.Kind.Confines() && p.Machine.Settings.Reads != "all" }

// withheld returns the directories of which a program sees only what [Sandboxed.needs]
// lists: home directories, what variables put elsewhere of them, and what lasts for a
// login. A home directory that is the workspace, or in it, stays open, as does one that is
// the system's.
func (p *Sandboxed) withheld() []string {
	p.closing.Do(func() {
		if p.closes() {
			p.closed = p.homes()
		}
	})
	return p.closed
}

func (p *Sandboxed) homes() (outer []string) {
	dirs := slices.Concat([]string{p.Machine.Home}, p.Machine.Homes, p.place().Moved(), []string{"/run/user"})
	var all []string
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		if real, err := filepath.EvalSymlinks(dir); err == nil && !isSystem(real) && !workspace.WithinOS(real, p.Root.Dir()) {
			all = append(all, real)
		}
	}
	slices.Sort(all) // those above others first
	for _, dir := range all {
		if !within(dir, outer) {
			outer = append(outer, dir)
		}
	}
	return outer
}

// isSystem reports whether a directory holds what programs need to run, as the home
// directories of services do: "/", or one below /usr and the like.
func isSystem(dir string) bool {
	top, _, _ := strings.Cut(strings.TrimPrefix(filepath.ToSlash(dir), "/"), "/")
	switch top {
	case "", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr", "etc", "nix", "gnu", "dev", "proc", "sys", "boot", "System", "Library", "Applications":
		return true
	}
	return false
}

// within reports whether a path is one of several directories or below one. All are clean.
func within(path string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		rest, ok := strings.CutPrefix(path, dir)
		return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(dir, string(filepath.Separator)))
	})
}

// general reports whether a directory below a home directory holds what all kinds of
// programs keep, so that a program in it says nothing of the rest.
func (p *Sandboxed) general(dir string) bool {
	for _, home := range p.spelled() {
		rel, ok := workspace.RelOS(dir, home)
		if !ok {
			continue
		}
		switch rel {
		case ".", ".local", ".local/share", ".local/state", ".config", ".cache", ".var", ".var/app", "snap", "Library", "Library/Application Support", "Documents", "Desktop", "Downloads":
			return true
		}
	}
	return p.contains(dir)
}

// contains reports whether a directory contains the workspace or a home directory.
func (p *Sandboxed) contains(dir string) bool {
	return filepath.Dir(dir) == dir || slices.ContainsFunc(append(p.spelled(), p.Root.Dir()), func(below string) bool { return within(below, []string{dir}) })
}

// spelled returns the home directories, as they are named and as they resolve.
func (p *Sandboxed) spelled() []string {
	all := slices.Concat([]string{p.Machine.Home}, p.Machine.Homes, p.withheld())
	return slices.DeleteFunc(all, func(dir string) bool { return dir == "" })
}
