package confine

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/workspace"
	"github.com/helve-dev/helve/pkg/workspace/known"
)

// closes reports whether programs see of home directories only what builds need.
func (p *Sandboxed) closes() bool { return p.Kind.Confines() && p.Machine.Settings.Reads != "all" }

// home describes the home directories of the person.
type home struct {
	place   known.Place
	dirs    []string // as they are named, and as they resolve
	secrets []string
	closed  []string // those of which a program sees little
	// changeable are the directories that programs may write to, and so may fill with
	// links: none of these opens anything.
	changeable []string
}

// atHome looks at the home directories, once for a call.
func (p *Sandboxed) atHome() *home {
	p.closing.Do(func() {
		h := &p.home
		h.place = known.At(p.Machine.Home, p.Machine.Environ...)
		h.secrets = h.place.Secrets()
		for _, dir := range append([]string{p.Machine.Home}, p.Machine.Homes...) {
			if dir == "" {
				continue
			}
			h.dirs = append(h.dirs, dir)
			if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
				h.dirs = append(h.dirs, real)
			}
		}
		for _, dir := range h.dirs {
			if dir != p.Machine.Home {
				h.secrets = append(h.secrets, known.At(dir).Secrets()...)
			}
		}
		h.changeable = []string{p.Root.Dir()}
		for _, dir := range p.Machine.Settings.Writable {
			h.changeable = append(h.changeable, filepath.Clean(dir))
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				h.changeable = append(h.changeable, real)
			}
		}
		if p.closes() {
			h.closed = p.outermost(slices.Concat(h.dirs, h.place.Moved(), []string{"/run/user"}))
		}
	})
	return &p.home
}

// withheld returns the directories of which a program sees only what [Sandboxed.needs]
// lists: home directories, what variables put elsewhere of them, and what lasts for a
// login. A home directory that is the workspace, or in it, stays open, as does one that is
// the system's.
func (p *Sandboxed) withheld() []string { return p.atHome().closed }

// outermost returns the directories that can be closed and lie in no other one.
func (p *Sandboxed) outermost(dirs []string) (outer []string) {
	var all []string
	for _, dir := range dirs {
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
	for _, home := range p.atHome().dirs {
		rel, ok := strings.CutPrefix(dir, home)
		if !ok {
			continue
		}
		switch filepath.ToSlash(rel) {
		case "", "/.local", "/.local/share", "/.local/state", "/.config", "/.cache", "/.var", "/.var/app", "/snap", "/Library", "/Library/Application Support", "/Documents", "/Desktop", "/Downloads":
			return true
		}
	}
	return p.contains(dir)
}

// contains reports whether a directory contains the workspace or a home directory.
func (p *Sandboxed) contains(dir string) bool {
	return filepath.Dir(dir) == dir || slices.ContainsFunc(slices.Concat(p.atHome().dirs, p.withheld(), []string{p.Root.Dir()}), func(below string) bool { return within(below, []string{dir}) })
}
