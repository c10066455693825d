package host

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/tool"
)

// Sources returns where settings are looked for. The workspace's own file is
// followed only as far as it narrows, unless a person trusts exactly these bytes.
func (h *Host) Sources() config.Options { return h.sources(h.Workspace()) }

func (h *Host) sources(env *tool.Env) config.Options {
	o := config.Options{Files: []config.File{
		{Source: config.System, Path: h.Dirs.SystemConfig},
		{Source: config.User, Path: h.Dirs.UserConfig},
	}}
	if root, err := env.Root(); err == nil { // without a root there is no file in it
		o.Files = append(o.Files, config.File{Source: config.Workspace, Path: filepath.Join(root.Dir(), ".helve", "config.json"), Root: root.Dir()})
		o.Trusted = h.trusted(env.State)
	}
	if h.Config != "" {
		file, err := filepath.Abs(h.Config)
		if err != nil {
			file = h.Config // it will not be found, and the error says so
		}
		o.Files = append(o.Files, config.File{Source: config.Flag, Path: file, Must: true})
	}
	for _, f := range o.Files {
		h.seen.note(f.Path)
	}
	if id := os.Getenv("HELVE_PROJECT"); id != "" {
		o.Values = append(o.Values, config.Value{Source: config.Environment, Name: "HELVE_PROJECT", Key: "project", Text: id})
	}
	if h.Project != "" {
		o.Values = append(o.Values, config.Value{Source: config.Flag, Name: "--project", Key: "project", Text: h.Project})
	}
	o.Values = append(o.Values, setByEnvironment()...)
	if h.ReadOnly { // the last of the sources: no other takes it back
		o.Values = append(o.Values, config.Value{Source: config.Flag, Name: cmp.Or(h.ReadOnlyBy, "--readonly"), Key: "readonly", Text: "true"})
	}
	return o
}

// Source is one configuration file that is looked for.
type Source struct {
	Source  config.Source `json:"source"`
	Path    string        `json:"path"`
	Exists  bool          `json:"exists"`
	Trusted bool          `json:"trusted"` // may widen as well as narrow
	SHA     string        `json:"-"`       // of the workspace's own file, once it was read without a fault
}

// Look lists the files that settings are looked for in.
func Look(o config.Options) []Source {
	var sha string
	trusted := false
	if ask := o.Trusted; ask != nil {
		o.Trusted = func(s string) bool {
			sha, trusted = s, ask(s)
			return trusted
		}
	}
	_, _ = config.Load(o) // faults of the files are reported elsewhere; a file with faults is not trusted
	found := make([]Source, len(o.Files))
	for i, f := range o.Files {
		stat := os.Stat
		found[i] = Source{Source: f.Source, Path: f.Path, Trusted: true}
		if f.Source == config.Workspace {
			stat = os.Lstat // a link there is not followed out of the workspace
			found[i].Trusted, found[i].SHA = trusted, sha
		}
		_, err := stat(f.Path)
		found[i].Exists = !errors.Is(err, fs.ErrNotExist)
	}
	return found
}

// gitPlaces returns where git finds the person's settings.
func gitPlaces() config.GitPaths {
	p := config.GitPaths{XDG: os.Getenv("XDG_CONFIG_HOME"), Global: os.Getenv("GIT_CONFIG_GLOBAL")}
	if home, err := homeDir(); err == nil {
		p.Home = home
	}
	if os.Getenv("GIT_CONFIG_NOSYSTEM") == "" {
		p.System = cmp.Or(os.Getenv("GIT_CONFIG_SYSTEM"), "/etc/gitconfig")
	}
	return p
}

// binding is a variable of the environment that is a setting.
type binding struct{ key, name string }

// bindings returns those variables: keys of search engines, under the names that their vendors
// use, their addresses, and the store.
func bindings() []binding {
	return []binding{
		{"timezone", "HELVE_TIMEZONE"},
		{"web.search.brave.key", "BRAVE_API_KEY"},
		{"web.search.tavily.key", "TAVILY_API_KEY"},
		{"web.search.exa.key", "EXA_API_KEY"},
		{"web.search.serper.key", "SERPER_API_KEY"},
		{"web.search.google.key", "GOOGLE_CSE_KEY"},
		{"web.search.google.engine", "GOOGLE_CSE_ID"},
		{"web.search.searxng.url", "SEARXNG_URL"},
		{"web.search.provider", "HELVE_SEARCH_PROVIDER"},
		{"web.search.brave.url", "HELVE_SEARCH_BRAVE_URL"},
		{"web.search.duckduckgo.url", "HELVE_SEARCH_DUCKDUCKGO_URL"},
		{"web.search.tavily.url", "HELVE_SEARCH_TAVILY_URL"},
		{"web.search.exa.url", "HELVE_SEARCH_EXA_URL"},
		{"web.search.serper.url", "HELVE_SEARCH_SERPER_URL"},
		{"web.search.google.url", "HELVE_SEARCH_GOOGLE_URL"},
		{"store.url", "HELVE_STORE_URL"},
		{"store.credentials", "HELVE_STORE_CREDENTIALS"},
		{"store.ca", "HELVE_STORE_CA"},
		{"store.cert", "HELVE_STORE_CERT"},
		{"store.key", "HELVE_STORE_KEY"},
	}
}

// setByEnvironment returns the settings that the environment has.
func setByEnvironment() []config.Value {
	var values []config.Value
	for _, b := range bindings() {
		if text := os.Getenv(b.name); text != "" {
			values = append(values, config.Value{Source: config.Environment, Name: b.name, Key: b.key, Text: text})
		}
	}
	return values
}
