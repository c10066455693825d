package cmd

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/helve-dev/helve/pkg/catalog"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
)

// settings are what all sources together say, and the policy they make.
type settings struct {
	*config.Settings
	policy *policy.Policy
}

// sources are where settings are looked for. The workspace's own file is
// followed only as far as it narrows, unless a person trusts its very bytes.
func (a *app) sources(env *tool.Env) config.Options {
	o := config.Options{Files: []config.File{
		{Source: config.System, Path: systemConfig()},
		{Source: config.User, Path: userConfig()},
	}}
	if root, err := env.Root(); err == nil { // without one there is nothing of its own
		o.Files = append(o.Files, config.File{Source: config.Workspace, Path: filepath.Join(root.Dir(), ".helve", "config.json"), Root: root.Dir()})
		o.Trusted = trusted(env.State)
	}
	if a.flags.config != "" {
		file, err := filepath.Abs(a.flags.config)
		if err != nil {
			file = a.flags.config // which will not be found, and that is said
		}
		o.Files = append(o.Files, config.File{Source: config.Flag, Path: file})
	}
	o.Values = append(o.Values, searchVariables()...)
	if a.flags.readOnly {
		o.Values = append(o.Values, config.Value{Source: config.Flag, Name: "--readonly", Key: "readonly", Text: "true"})
	}
	return o
}

// trusted asks the state directory which files a person trusts, when there is a
// file to ask about.
func trusted(dir func() (*state.Dir, error)) func(string) bool {
	load := sync.OnceValue(func() func(string) bool {
		d, err := dir()
		if err != nil {
			return func(string) bool { return false }
		}
		ask, err := config.Trusted(d)
		if err != nil {
			return func(string) bool { return false }
		}
		return ask
	})
	return func(sha string) bool { return load()(sha) }
}

// load reads the settings and makes the policy. Variables of search engines wait
// until a search wants them: with nothing set there is nothing to be read.
func (a *app) load(env *tool.Env) (*settings, error) {
	o := a.sources(env)
	o.Values = slices.DeleteFunc(o.Values, aboutSearch)
	s, err := config.Load(o)
	if err != nil {
		return nil, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // then no rule about it applies
	}
	p, err := policy.New(s.Rules(), policy.Options{
		ReadOnly: s.Config.ReadOnly, Switches: config.SwitchNames(), On: s.Config.Switches.On(), Home: home,
	})
	if err != nil {
		return nil, err
	}
	return &settings{s, p}, nil
}

// catalogue is the tools that the settings leave and add.
func (s *settings) catalogue() (*catalog.Catalog, error) {
	o := catalog.Options{Disabled: s.Config.Tools.Disabled, On: s.Config.Switches.On()}
	for _, b := range s.Config.Tools.Bound {
		o.Bound = append(o.Bound, catalog.Bound{Name: b.Name, Uses: b.Uses, Doc: b.Description, Fixed: b.Bindings(), Requires: b.Requires})
	}
	return catalog.New(o)
}

// catalogue is the tools there are in this run.
func (a *app) catalogue() (*catalog.Catalog, error) {
	s, err := a.load(a.world())
	if err != nil {
		return nil, err
	}
	return s.catalogue()
}

// systemConfig is the administrator's file.
func systemConfig() string {
	if dir := os.Getenv("ProgramData"); runtime.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, "helve", "config.json")
	}
	return "/etc/helve/config.json"
}

// userConfig is the person's own file. HELVE_HOME moves it with everything else.
func userConfig() string {
	if home := os.Getenv("HELVE_HOME"); home != "" {
		return filepath.Join(home, "config.json")
	}
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) { // the standard has relative ones ignored
		return filepath.Join(dir, "helve", "config.json")
	}
	if dir := os.Getenv("APPDATA"); runtime.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, "helve", "config.json")
	}
	if home, err := os.UserHomeDir(); err == nil {
		return filepath.Join(home, ".config", "helve", "config.json")
	}
	return filepath.Join(string(filepath.Separator), "nonexistent", "helve", "config.json")
}
