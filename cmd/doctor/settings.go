package doctor

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// configuration says whether the settings can be used; each problem is a check.
func (v *visit) configuration(context.Context) []Check {
	const name = "configuration"
	var all []Check
	for _, p := range v.settings.Problems {
		all = append(all, wrong(Error, name, p.Text(), fault.T("correct it; until then no tool runs: helve config validate checks it"))...)
	}
	for _, p := range v.settings.Unused {
		all = append(all, wrong(Warning, name, p.Text(), fault.T("correct it; until then it is not used"))...)
	}
	var read []string
	for _, f := range host.Look(v.host.Sources()) {
		if f.Exists {
			read = append(read, f.Path)
		}
	}
	switch {
	case len(all) > 0:
		return all
	case v.usable != nil:
		all = failed(Error, name, v.usable)
	case len(read) == 0:
		all = could(name, fault.T("there is no file: the defaults hold"), fault.T("helve init writes one"))
	default:
		all = fine(name, fault.T("valid: %s", strings.Join(read, ", ")))
	}
	if err := host.CheckOutputRules(config.RuleFiles(v.host.Dirs.OutputRules())); err != nil {
		all = append(all, failed(Warning, "output rules", err)...)
	}
	return all
}

// variables says which variables of the environment have values that cannot be used.
func (v *visit) variables(context.Context) (all []Check) {
	for _, name := range slices.Sorted(maps.Keys(v.host.Wrong)) {
		all = append(all, of(name, wrong(Error, "environment", v.host.Wrong[name], fault.T("set %s to one of these values, or unset it", name)))...)
	}
	return all
}

// sources says where the settings come from that are not the defaults.
func (v *visit) sources(context.Context) []Check {
	var set []string
	for _, e := range v.settings.Entries() {
		v.found.Settings = append(v.found.Settings, Setting{e.Key, e.Origin})
		if e.Origin.Source != config.Default {
			set = append(set, e.Key+" ("+e.Origin.String()+")")
		}
	}
	if len(set) == 0 {
		return fine("settings", fault.T("all have their defaults"))
	}
	return fine("settings", fault.T("%d are set: %s; the others have their defaults", len(set), strings.Join(set, ", ")))
}

// trust says whether the workspace's own settings and tools are followed.
func (v *visit) trust(context.Context) []Check {
	const name = "trust"
	u, err := v.host.Untrusted()
	if err != nil && v.usable != nil {
		return nil // it is said already why
	}
	if err != nil {
		return failed(Warning, name, err)
	}
	var ignored []string
	if u.Ignored.SHA != "" {
		ignored = append(ignored, u.Ignored.File+": "+strings.Join(u.Ignored.Keys, ", "))
	}
	for _, f := range u.Tools {
		ignored = append(ignored, f.File)
	}
	if len(ignored) > 0 {
		return wrong(Warning, name, fault.T("not trusted, and ignored: %s", strings.Join(ignored, "; ")),
			fault.T("read it, and if you trust it run helve config trust"))
	}
	i := slices.IndexFunc(u.Sources(), func(f host.Source) bool { return f.Source == config.Workspace && f.Exists })
	switch {
	case i < 0:
		return fine(name, fault.T("the workspace has no configuration of its own"))
	case u.Sources()[i].Trusted:
		return fine(name, fault.T("%s is trusted", u.Sources()[i].Path))
	}
	return fine(name, fault.T("%s only narrows, so it need not be trusted", u.Sources()[i].Path))
}

// workspaces says which workspaces have state here, and which of them are trusted.
func (v *visit) workspaces(context.Context) []Check {
	const name = "workspaces"
	all, err := v.host.Workspaces()
	if err != nil {
		return failed(Warning, name, err)
	}
	var trusted []string
	for _, w := range all {
		v.found.Workspaces = append(v.found.Workspaces, Workspace{w.Root, w.Has})
		if w.Has {
			trusted = append(trusted, w.Root)
		}
	}
	if len(trusted) == 0 {
		return fine(name, fault.T("%d have state here, and none is trusted", len(all)))
	}
	return fine(name, fault.T("%d have state here; trusted: %s", len(all), strings.Join(trusted, ", ")))
}

// keys says which keys are set, never what they are.
func (v *visit) keys(context.Context) []Check {
	var set []string
	var all []Check
	for _, k := range v.host.Keys(v.settings) {
		if k.From == "" {
			all = append(all, of(k.Name, wrong(Warning, "key", fault.T("the settings or an imported server name the variable %s, which is not set", k.Name),
				fault.T("set it where helve runs")))...)
			continue
		}
		set = append(set, k.Name+" ("+k.From+")")
	}
	if len(set) == 0 {
		return append(fine("keys", fault.T("none is set")), all...)
	}
	return append(fine("keys", fault.T("set: %s", strings.Join(set, ", "))), all...)
}

// model says whether sub-agents have a model.
func (v *visit) model(context.Context) []Check {
	const name = "sub-agents"
	if v.usable != nil {
		return nil
	}
	s, err := v.host.Settings()
	if err != nil {
		return failed(Warning, name, err)
	}
	err = s.Model()
	c := &s.Config.Spawn
	switch {
	case c.Runtime != config.BuiltinRuntime:
		return fine(name, fault.T("the work is done by the agent program %s", c.Runtime))
	case err == nil:
		return fine(name, fault.T("a model is configured"))
	}
	level := OK // nobody has to have one
	if c.BaseURL != "" || c.Model != "" || c.KeyEnv != "" {
		level = Warning
	}
	return failed(level, name, err)
}
