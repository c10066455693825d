package confine

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/workspace"
)

// cache is a directory of files that tool chains can make or fetch again.
type cache struct {
	dir      string // on the machine
	variable string // moves it; "" if none does
	own      string // its name in the workspace's own caches, where the variable moves it to
	needed   bool   // builds need what is there, even if they can add nothing to it
	format   string // of the variable's value, where that is more than the path
	moves    string // what the variable moves, where that is more than dir
}

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
	var paths []string
	covered := func(path string) bool {
		return slices.ContainsFunc(paths, func(above string) bool { return workspace.WithinOS(path, above) })
	}
	for _, c := range p.machineCaches() {
		real, err := filepath.EvalSymlinks(c.dir)
		switch {
		case err == nil && (covered(real) || p.opened(real)):
		case err == nil && can && p.layered(real):
			paths = append(paths, real)
		case err != nil && covered(c.dir) || err == nil && c.needed:
		case c.variable != "":
			f.env = append(f.env, c.variable+"="+fmt.Sprintf(cmp.Or(c.format, "%s"), filepath.Join(p.Machine.Cache, c.own)))
		}
	}
	if len(paths) > 0 {
		f.layers = &sandbox.Layers{Dir: dir, Paths: paths}
	}
	return f
}

// CachePlaces returns where on the machine the content of a directory of a cache may be,
// for a program: in the cache, and where what programs wrote there went.
func (p *Sandboxed) CachePlaces(dir string) []string {
	places, f := []string{dir}, p.caches()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	add := func(above, instead string) {
		if rel, ok := workspace.RelOS(dir, above); ok {
			places = append(places, filepath.Join(instead, filepath.FromSlash(rel)))
		}
	}
	if f.layers != nil {
		for _, above := range f.layers.Paths {
			add(above, f.layers.Written(0, above))
		}
	}
	for _, c := range p.machineCaches() {
		if c.variable != "" && run.Value(f.env, c.variable) != "" {
			add(cmp.Or(c.moves, c.dir), filepath.Join(p.Machine.Cache, c.own))
		}
	}
	return places
}

// machineCaches lists the caches, those above others first.
func (p *Sandboxed) machineCaches() []cache {
	if p.Machine.Home == "" {
		return nil
	}
	set := func(name string) string { return run.Value(p.Machine.Environ, name) }
	home := func(name string) string { return filepath.Join(p.Machine.Home, name) }
	below := cmp.Or(set("XDG_CACHE_HOME"), home(".cache"))
	gopath, cargo := home("go"), cmp.Or(set("CARGO_HOME"), home(".cargo"))
	if list := filepath.SplitList(set("GOPATH")); len(list) > 0 {
		gopath = list[0]
	}
	moveCargo := "CARGO_HOME" // with all of a person's settings, so only if there are none
	if _, err := os.Stat(filepath.Join(cargo, "config.toml")); err == nil {
		moveCargo = ""
	}
	all := []cache{{dir: below}} // most are there
	for _, c := range [...]cache{
		{dir: cmp.Or(set("GOCACHE"), filepath.Join(below, "go-build")), variable: "GOCACHE", own: "go-build"},
		{dir: filepath.Join(below, "golangci-lint"), variable: "GOLANGCI_LINT_CACHE", own: "golangci-lint"},
		{dir: filepath.Join(below, "pip"), variable: "PIP_CACHE_DIR", own: "pip"},
		{dir: filepath.Join(below, "uv"), variable: "UV_CACHE_DIR", own: "uv"},
		{dir: filepath.Join(below, "yarn"), variable: "YARN_CACHE_FOLDER", own: "yarn"},
		{dir: filepath.Join(below, "ccache"), variable: "CCACHE_DIR", own: "ccache"},
		{dir: cmp.Or(set("GOMODCACHE"), filepath.Join(gopath, "pkg", "mod")), variable: "GOMODCACHE", own: "go-mod", needed: true},
		{dir: home(".npm"), variable: "npm_config_cache", own: "npm"},
		{dir: filepath.Join(cargo, "registry"), variable: moveCargo, own: "cargo", needed: true, moves: cargo},
		{dir: filepath.Join(cargo, "git"), needed: true},
		{dir: home(".m2"), variable: "MAVEN_OPTS", own: "m2", needed: true, format: "-Dmaven.repo.local=%s/repository"},
		{dir: home(".gradle"), variable: "GRADLE_USER_HOME", own: "gradle", needed: true},
	} {
		if filepath.IsAbs(c.dir) {
			all = append(all, c)
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
