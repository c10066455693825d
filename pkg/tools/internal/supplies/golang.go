package supplies

import (
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// goLacks returns a module that the go command fetches; see https://go.dev/ref/mod.
func (w World) goLacks(args []string) string {
	sub, rest := subcommand(args)
	switch sub {
	case "build", "test", "vet", "run", "generate":
	default:
		return ""
	}
	flags := append(strings.Fields(w.Env("GOFLAGS")), rest...)
	if value(flags, "-mod") == "vendor" || w.Env("GOPROXY") == "off" {
		return ""
	}
	if sub == "run" {
		for _, a := range rest {
			if path, version, ok := strings.Cut(a, "@"); ok && module.CheckImportPath(path) == nil {
				if w.hasPackage(path, version) {
					return ""
				}
				return a
			}
		}
	}
	for _, file := range w.goModules() {
		if exists(filepath.Join(filepath.Dir(file), "vendor", "modules.txt")) {
			continue
		}
		for _, m := range required(read(file), read(filepath.Join(filepath.Dir(file), "go.sum"))) {
			if !w.hasModule(m) {
				return m.String()
			}
		}
	}
	return ""
}

// goModules returns the go.mod files of the main modules.
func (w World) goModules() []string {
	if w.Env("GOWORK") == "" {
		if file := w.upwards("go.work"); file != "" {
			return usedModules(read(file), filepath.Dir(file))
		}
	}
	if file := w.upwards("go.mod"); file != "" {
		return []string{file}
	}
	return nil
}

// usedModules returns the go.mod files that a go.work file names.
func usedModules(work []byte, dir string) (files []string) {
	parsed, err := modfile.ParseWork("go.work", work, nil)
	if err != nil {
		return nil
	}
	for _, use := range parsed.Use {
		path := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if len(files) < maxUp {
			files = append(files, filepath.Join(path, "go.mod"))
		}
	}
	return files
}

// required returns the modules whose content a build needs: those that go.mod requires
// and of which go.sum knows more than their go.mod.
func required(mod, sum []byte) (all []module.Version) {
	parsed, err := modfile.Parse("go.mod", mod, nil)
	if err != nil {
		return nil
	}
	known := map[module.Version]bool{}
	for line := range strings.Lines(string(sum)) {
		if f := strings.Fields(line); len(f) == 3 && !strings.HasSuffix(f[1], "/go.mod") {
			known[module.Version{Path: f[0], Version: f[1]}] = true
		}
	}
	for _, r := range parsed.Require {
		m := r.Mod
		for _, by := range parsed.Replace {
			if by.Old.Path == m.Path && (by.Old.Version == "" || by.Old.Version == m.Version) {
				m = by.New
			}
		}
		if m.Version != "" && known[m] && len(all) < maxItems { // without a version it is a directory
			all = append(all, m)
		}
	}
	return all
}

// hasModule reports whether the cache of modules has a module.
func (w World) hasModule(m module.Version) bool {
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return true // the go command will refuse it
	}
	version, err := module.EscapeVersion(m.Version)
	if err != nil {
		return true
	}
	cache := w.moduleCache()
	return cache == "" || w.inCache(cache, filepath.FromSlash(path+"@"+version)) ||
		w.inCache(cache, filepath.FromSlash("cache/download/"+path+"/@v/"+version+".zip"))
}

// hasPackage reports whether the cache has the module of a package.
func (w World) hasPackage(path, version string) bool {
	if !strings.HasPrefix(version, "v") {
		return false // such as latest
	}
	for path != "." && path != "" {
		if module.CheckPath(path) == nil && w.hasModule(module.Version{Path: path, Version: version}) {
			return true
		}
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			break
		}
		path = path[:i]
	}
	return false
}

// moduleCache returns the directory of the cache of modules; "" if it is not known.
func (w World) moduleCache() string {
	if dir := w.Env("GOMODCACHE"); dir != "" {
		return dir
	}
	if list := filepath.SplitList(w.Env("GOPATH")); len(list) > 0 {
		return filepath.Join(list[0], "pkg", "mod")
	}
	if w.Home == "" {
		return ""
	}
	return filepath.Join(w.Home, "go", "pkg", "mod")
}
