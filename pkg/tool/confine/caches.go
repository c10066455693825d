package confine

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/helve-dev/helve/pkg/shell/gocache"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/workspace"
	"github.com/helve-dev/helve/pkg/workspace/known"
)

// found are the caches of a program: layers over those of the machine, or variables that
// lead to the workspace's own, which are empty at first.
type found struct {
	layers *sandbox.Layers
	env    []string
}

// Caches returns variables that move caches of tool chains to where a confined program
// may write: otherwise the tool chains would fail.
func (p *Sandboxed) Caches() []string { return p.caches().env }

// hasOwnCaches reports whether programs get caches of the workspace.
func (p *Sandboxed) hasOwnCaches() bool { return p.Machine.Cache != "" && p.Kind.Confines() }

// caches finds the caches, once for a place.
func (p *Sandboxed) caches() found {
	p.once.Do(func() { p.found = p.findCaches() })
	return p.found
}

func (p *Sandboxed) findCaches() (f found) {
	if !p.hasOwnCaches() {
		return f
	}
	dir, can := p.layersDir()
	var paths, empty []string
	if real, err := filepath.EvalSymlinks(p.atHome().place.General()); err == nil && can && !p.opened(real) && p.layered(real) {
		if within(real, p.withheld()) {
			empty = append(empty, real) // what the table does not know is no build's
		} else {
			paths = append(paths, real)
		}
	}
	for _, c := range p.machineCaches() {
		real, err := filepath.EvalSymlinks(c.Path)
		switch {
		case err == nil && (within(real, paths) || p.opened(real)):
		case err == nil && can && p.layered(real):
			paths = append(paths, real)
		case err != nil && within(c.Path, slices.Concat(paths, empty)) || err == nil && c.Needed:
		case c.Variable != "":
			own := filepath.Join(p.Machine.Cache, c.Own)
			f.env = append(f.env, c.Variable+"="+fmt.Sprintf(cmp.Or(c.Format, "%s"), own))
			if program, ok := p.server(c, own, real); ok {
				f.env = append(f.env, c.Server+"="+program)
			}
		}
	}
	if len(paths)+len(empty) > 0 {
		f.layers = &sandbox.Layers{Dir: dir, Paths: paths, Empty: empty}
	}
	return f
}

// server returns the value of the variable that has a tool chain read a cache of the machine
// where that can have no layer. The person's own program goes before.
func (p *Sandboxed) server(c known.Cache, own, machine string) (value string, ok bool) {
	linux := p.Kind == sandbox.Landlock || p.Kind == sandbox.Namespaces
	if c.Server == "" || machine == "" || !linux || p.Machine.Program == "" || run.Value(p.Machine.Environ, c.Server) != "" {
		return "", false
	}
	return gocache.Value(p.Machine.Program, own, machine)
}

// machineCaches lists the caches that the table knows.
func (p *Sandboxed) machineCaches() []known.Cache {
	all := p.atHome().place.Caches()
	for i, c := range all {
		// It moves all of a person's settings as well, so only if there are none.
		if c.Moves == "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(c.Moves, "config.toml")); err == nil {
			all[i].Variable = ""
		}
	}
	return all
}

// opened reports whether a program may write to a directory in any case.
func (p *Sandboxed) opened(dir string) bool {
	return slices.ContainsFunc(append([]string{p.Root.Dir()}, p.Machine.Settings.Writable...), func(open string) bool { return workspace.WithinOS(dir, open) })
}

// layered reports whether a directory may get a layer: it must hold nothing that is to
// stay as it is.
func (p *Sandboxed) layered(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir() && !slices.ContainsFunc([]string{p.Root.Dir(), p.Machine.Home}, func(keep string) bool { return workspace.WithinOS(keep, dir) })
}

// layersDir returns the directory for what programs write to caches of the machine, and
// whether layers are to be had there.
func (p *Sandboxed) layersDir() (dir string, can bool) {
	if p.Kind != sandbox.Namespaces {
		return "", false
	}
	kept, err := p.state()
	if err != nil {
		return "", false
	}
	if dir, err = kept.Directory("layers"); err != nil {
		return "", false
	}
	return dir, native.ProbeLayers(dir, p.Support, fileCache(kept, "layers.json"))
}
