package cmd

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
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
		o.Files = append(o.Files, config.File{Source: config.Flag, Path: file, Must: true})
	}
	if id := os.Getenv("HELVE_PROJECT"); id != "" {
		o.Values = append(o.Values, config.Value{Source: config.Environment, Name: "HELVE_PROJECT", Key: "project", Text: id})
	}
	if a.flags.project != "" {
		o.Values = append(o.Values, config.Value{Source: config.Flag, Name: "--project", Key: "project", Text: a.flags.project})
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

// mask hides secrets in what is written down, also those that the settings
// describe; nil where they describe none.
func (s *settings) mask() func(string) string {
	if len(s.Config.Audit.Mask) == 0 {
		return nil
	}
	patterns := sync.OnceValue(func() []*regexp.Regexp {
		var all []*regexp.Regexp
		for _, text := range s.Config.Audit.Mask {
			if p, err := regexp.Compile(text); err == nil { // one that is none was told when it was read
				all = append(all, p)
			}
		}
		return all
	})
	return func(text string) string {
		for _, p := range patterns() {
			text = p.ReplaceAllLiteralString(text, secret.Hidden)
		}
		return secret.Mask(text)
	}
}

// catalogue is the tools that the settings leave and add. Without a workspace,
// none of them is a custom one.
func (s *settings) catalogue(custom func() []tools.Custom) (*tools.Catalog, error) {
	o := tools.Options{Disabled: s.Config.Tools.Disabled, Custom: custom, On: s.Config.Switches.On()}
	for _, b := range s.Config.Tools.Bound {
		o.Bound = append(o.Bound, tools.Bound{Name: b.Name, Uses: b.Uses, Doc: b.Description, Fixed: b.Bindings(), Requires: b.Requires})
	}
	return tools.New(o)
}

// catalogue is the tools there are in this run.
func (a *app) catalogue() (*tools.Catalog, error) {
	home := a.world()
	s, err := a.load(home)
	if err != nil {
		return nil, err
	}
	return s.catalogue(a.custom(home, s))
}

// gitPlaces is where git finds the settings of the person.
func gitPlaces() config.GitPlaces {
	p := config.GitPlaces{XDG: os.Getenv("XDG_CONFIG_HOME"), Global: os.Getenv("GIT_CONFIG_GLOBAL")}
	if home, err := os.UserHomeDir(); err == nil {
		p.Home = home
	}
	if os.Getenv("GIT_CONFIG_NOSYSTEM") == "" {
		p.System = orElse(os.Getenv("GIT_CONFIG_SYSTEM"), "/etc/gitconfig")
	}
	return p
}
