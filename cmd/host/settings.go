package host

import (
	"regexp"
	"slices"
	"sync"

	"github.com/helve-dev/helve/pkg/check"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/hook"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/cron"
	"github.com/helve-dev/helve/pkg/tools/read"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Settings are all sources taken together, and the policy that follows from them.
type Settings struct {
	*config.Settings
	Policy *policy.Policy

	host *Host
	home *tool.Env // the workspace that they were read for
	// shared opens the state directory of it for what other processes must find.
	shared func() (*state.Dir, error)
}

// Settings reads the settings and makes the policy. The variables of search
// engines are left out until a search wants them: without any source there is
// nothing to merge.
func (h *Host) Settings() (*Settings, error) {
	env := h.Workspace()
	o := h.sources(env)
	o.Values = slices.DeleteFunc(o.Values, aboutSearch)
	s, err := config.Load(o)
	if err != nil {
		return nil, err
	}
	h.noteForm(s)
	home, err := homeDir()
	if err != nil {
		home = "" // then no rule about the home directory applies
	}
	p, err := policy.New(s.Rules(), policy.Options{
		ReadOnly: s.Config.ReadOnly, Switches: config.SwitchNames(), On: s.Config.Switches.On(), Home: home,
		Undoable: s.Config.Policy.Undoable == "allow",
	})
	if err != nil {
		return nil, err
	}
	return &Settings{s, p, h, env, sync.OnceValues(h.Shared)}, nil
}

// Form returns the form of output that the environment or else the settings ask for;
// "" where they do not, or cannot be read.
func (h *Host) Form() string {
	if h.Output != "" {
		return h.Output
	}
	if form := h.form.Load(); form != nil {
		return *form
	}
	s, err := config.Load(h.Sources())
	if err != nil {
		return ""
	}
	h.noteForm(s)
	return *h.form.Load()
}

func (h *Host) noteForm(s *config.Settings) {
	form := s.Config.Output
	if form == "auto" {
		form = ""
	}
	h.form.Store(&form)
}

// Check reports what is wrong with the rules and the bound tools of settings that
// were read.
func Check(s *config.Settings) error {
	if _, err := policy.New(s.Rules(), policy.Options{Switches: config.SwitchNames(), On: s.Config.Switches.On()}); err != nil {
		return err
	}
	if err := check.Faults(s.Config.OnChange); err != nil {
		return err
	}
	return catalogOptions(&s.Config, nil, nil).Check()
}

// CheckOutputRules reports what is wrong with the person's own rules about output, each
// file by itself.
func CheckOutputRules(files []config.RuleFile) error {
	var wrong []fault.Text
	hint := fault.Text{}
	for _, f := range files {
		err := f.Err
		if err == nil {
			err = output.File{Name: f.Name(), Path: f.Path, Text: f.Text}.Check()
		}
		if err != nil {
			e := fault.As(err)
			wrong, hint = append(wrong, e.Message), e.Hint
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return fault.New(fault.BadDocument, fault.T("rules about output cannot be used: %s", fault.Join(wrong, "; "))).WithHint(hint)
}

// equip adds to an environment what tools need of the settings.
func (s *Settings) equip(env *tool.Env) {
	env.Policy, env.Lang, env.Timezone = s.Policy, s.host.Lang, s.Config.Timezone
	open := env.Root
	env.Root = func() (*workspace.Root, error) {
		r, err := open()
		if err == nil {
			r.Permit(func(rel string) bool { return s.Policy.Permits(policy.Project{ID: env.Project}, rel) })
		}
		return r, err
	}
	if len(s.Config.OnChange) > 0 {
		env.Responder = check.New(s.Config.OnChange)
	}
	env.Hooks, env.Tracer = hook.New(s.Config.Hooks), s.tracer()
	tool.Provide(env, func() (cron.Planner, error) { return tools.Planner(s.Catalog), nil })
	tool.Provide(env, s.web(env))
	tool.Provide(env, s.browser(env))
	tool.Provide(env, s.searching(env))
	tool.Provide(env, s.documents(env))
	tool.Provide(env, s.store())
	tool.Provide(env, s.bus())
	tool.Provide(env, s.delivery())
	tool.Provide(env, s.agents())
	tool.Provide(env, s.spawning())
	tool.Provide(env, s.calling(env))
	// A search does not show what read may not show.
	env.Hides = func(in policy.Project, t *tool.Tool) func(string) bool {
		return s.Policy.Hides(in, read.Tool.Name, t.Name, t.PresetOf)
	}
	env.Machine = sync.OnceValues(func() (*tool.Machine, error) { return s.machine(env) })
}

// mask returns the function that hides secrets in texts that are written down,
// including those that the settings describe; nil if they describe none.
func (s *Settings) mask() func(string) string {
	if len(s.Config.Audit.Mask) == 0 {
		return nil
	}
	patterns := sync.OnceValue(func() []*regexp.Regexp {
		var all []*regexp.Regexp
		for _, text := range s.Config.Audit.Mask {
			if p, err := regexp.Compile(text); err == nil { // a fault was reported when the settings were read
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

// Remember writes a rule into the person's own file.
func (h *Host) Remember(rule policy.Rule) error { return config.AddRule(h.Dirs.UserConfig, rule) }

// Set writes a setting into the person's own file. It returns the entries that
// hold afterwards, with a warning where another source still decides.
func (h *Host) Set(key, value string) ([]config.Entry, []fault.Text, error) {
	if err := config.Set(h.Dirs.UserConfig, key, value); err != nil {
		e := fault.As(err)
		if e.Hint.IsZero() {
			e = e.WithHint(fault.T("helve config show lists the settings, helve config schema describes them"))
		}
		return nil, nil, e
	}
	s, err := config.Load(h.Sources())
	if err != nil {
		return []config.Entry{}, []fault.Text{fault.T("the setting was written, but the settings still have faults: %s", fault.As(err).Message)}, nil
	}
	warnings := s.Warnings
	if e, err := s.Get(key); err == nil && e.Origin.File != h.Dirs.UserConfig && e.Origin.Source != config.Default {
		warnings = append(warnings, fault.T("the setting was written, but %s overrides %s", e.Origin.String(), key))
	}
	return s.All(key), warnings, nil
}
