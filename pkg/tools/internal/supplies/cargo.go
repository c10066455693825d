package supplies

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// manifest holds the relevant parts of Cargo.toml; see the Cargo Book, "The Manifest
// Format".
type manifest struct {
	Dependencies map[string]any `toml:"dependencies"`
	Dev          map[string]any `toml:"dev-dependencies"`
	Build        map[string]any `toml:"build-dependencies"`
	Workspace    struct {
		Members      []string       `toml:"members"`
		Dependencies map[string]any `toml:"dependencies"`
	} `toml:"workspace"`
}

// lockFile holds the relevant parts of Cargo.lock.
type lockFile struct {
	Package []crate `toml:"package"`
}

type crate struct {
	Name    string `toml:"name"`
	Version string `toml:"version"`
	Source  string `toml:"source"` // "" for one of the workspace
}

// cargoLacks returns a crate that cargo fetches. A crate that only some systems or
// features need is not fetched for others, so only what is needed in any case counts.
func (w World) cargoLacks(args []string) string {
	sub, rest := subcommand(args)
	tests := false
	switch sub {
	case "test", "t", "bench":
		tests = true
	case "build", "b", "check", "c", "run", "r", "clippy", "doc", "d", "rustc", "fix":
	default:
		return ""
	}
	if i := slices.Index(rest, "--"); i >= 0 {
		rest = rest[:i]
	}
	if has(args, "--offline", "--frozen") || w.Env("CARGO_NET_OFFLINE") == "true" || w.vendored() {
		return ""
	}
	top := w.upwards("Cargo.toml")
	if path := value(rest, "--manifest-path"); path != "" {
		if top = path; !filepath.IsAbs(top) {
			top = filepath.Join(w.Dir, top)
		}
	}
	if top == "" {
		return ""
	}
	c := cargo{World: w, tests: tests || has(rest, "--tests", "--all-targets"), seen: map[string]bool{}}
	lock := top
	for dir, left := filepath.Dir(top), maxUp; left > 0 && lock == top; left-- {
		if path := filepath.Join(dir, "Cargo.lock"); exists(path) {
			lock = path
		}
		dir = filepath.Dir(dir)
	}
	if lock != top {
		c.locked = parseLock(read(lock))
		top = filepath.Join(filepath.Dir(lock), "Cargo.toml") // of the workspace
	}
	root := parseManifest(read(top))
	c.shared = root.Workspace.Dependencies
	manifests := []manifest{root}
	for _, member := range root.Workspace.Members {
		found, err := filepath.Glob(filepath.Join(escape(filepath.Dir(top)), filepath.FromSlash(member), "Cargo.toml"))
		for i := range found {
			if err == nil && len(manifests) < maxUp {
				manifests = append(manifests, parseManifest(read(found[i])))
			}
		}
	}
	for _, m := range manifests {
		if name := c.missing(m, true); name != "" {
			return name
		}
	}
	return ""
}

func parseManifest(text []byte) (m manifest) {
	if toml.Unmarshal(text, &m) != nil {
		return manifest{}
	}
	return m
}

func parseLock(text []byte) map[string][]crate {
	var l lockFile
	if toml.Unmarshal(text, &l) != nil {
		return nil
	}
	all := map[string][]crate{}
	for _, p := range l.Package {
		all[p.Name] = append(all[p.Name], p)
	}
	return all
}

// cargo looks for the crates of one build.
type cargo struct {
	World
	tests  bool
	locked map[string][]crate // by name; nil without a lock file
	shared map[string]any     // dependencies that members inherit
	seen   map[string]bool
}

// missing returns the first crate that a manifest needs and no cache has. own says that
// it is a manifest of the workspace.
func (c *cargo) missing(m manifest, own bool) string {
	groups := []map[string]any{m.Dependencies, m.Build}
	if own && c.tests {
		groups = append(groups, m.Dev)
	}
	for _, group := range groups {
		for key, spec := range group {
			name, needed := c.needs(key, spec)
			if !needed || len(c.seen) > maxItems {
				continue
			}
			if lacking := c.missingCrate(name, own); lacking != "" {
				return lacking
			}
		}
	}
	return ""
}

// needs returns the name of the crate of a dependency, and whether it is fetched in any
// case.
func (c *cargo) needs(key string, spec any) (name string, needed bool) {
	table, ok := spec.(map[string]any)
	if !ok {
		return key, true // only a version
	}
	if optional, _ := table["optional"].(bool); optional {
		return key, false
	}
	if inherited, _ := table["workspace"].(bool); inherited {
		shared, there := c.shared[key]
		if table, _ := shared.(map[string]any); table != nil && table["workspace"] == nil {
			return c.needs(key, table)
		}
		return key, there
	}
	if _, here := table["path"]; here {
		return key, false
	}
	if renamed, _ := table["package"].(string); renamed != "" {
		key = renamed
	}
	return key, true
}

// missingCrate returns the crate, or one that it needs, if no cache has it.
func (c *cargo) missingCrate(name string, own bool) string {
	versions, ok := c.locked[name]
	if !ok && own {
		return name // new, or there is no lock file
	}
	for _, v := range versions {
		if id := v.Name + "-" + v.Version; v.Source != "" && !c.seen[id] {
			c.seen[id] = true
			switch source, dir := c.find(v); {
			case !source && len(versions) == 1:
				return v.Name + " " + v.Version
			case dir != "" && len(versions) == 1:
				if lacking := c.missing(parseManifest(read(filepath.Join(dir, "Cargo.toml"))), false); lacking != "" {
					return lacking
				}
			}
		}
	}
	return ""
}

// find reports whether a cache has a crate, and its directory if it is unpacked.
func (c *cargo) find(v crate) (there bool, dir string) {
	home := c.Env("CARGO_HOME")
	if home == "" {
		home = filepath.Join(c.Home, ".cargo")
	}
	if strings.HasPrefix(v.Source, "git+") {
		_, revision, _ := strings.Cut(v.Source, "#")
		return len(revision) < 7 || c.inCache(filepath.Join(home, "git"), filepath.Join("checkouts", "*", revision[:7])), ""
	}
	id := v.Name + "-" + v.Version
	if filepath.Base(id) != id || strings.ContainsAny(id, `*?[\`) {
		return true, "" // cargo will refuse it
	}
	for _, place := range c.places(filepath.Join(home, "registry")) {
		if found, err := filepath.Glob(filepath.Join(escape(place), "src", "*", id)); err == nil && len(found) > 0 {
			return true, found[0]
		}
		if found, err := filepath.Glob(filepath.Join(escape(place), "cache", "*", id+".crate")); err == nil && len(found) > 0 {
			return true, ""
		}
	}
	return false, ""
}

// vendored reports whether settings of cargo replace the registry.
func (w World) vendored() bool {
	for _, name := range [...]string{"config.toml", "config"} {
		if file := w.upwards(filepath.Join(".cargo", name)); file != "" && bytes.Contains(read(file), []byte("replace-with")) {
			return true
		}
	}
	return false
}
