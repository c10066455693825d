package cmd

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/tool"
)

// current is the world of the project that calls work in: the workspace itself
// unless one is named.
func (a *app) current(home *tool.Env, s *config.Settings) *tool.Env {
	p := projectOf(s, s.Config.Project)
	if p == nil {
		return home
	}
	env := a.at(p.Path, "")
	env.Project = p.ID
	return env
}

// enter opens the way to the other projects. What was entered once is not
// entered anew.
func (a *app) enter(s *config.Settings, govern func(*tool.Env) *tool.Env) func(id string) *tool.Env {
	if len(s.Config.Projects) == 0 {
		return nil
	}
	entered := make([]*tool.Env, len(s.Config.Projects))
	for i, p := range s.Config.Projects { // nothing is opened by this
		env := govern(a.at(p.Path, "["+p.ID+"]"))
		env.Project = p.ID
		env.ReadOnly = env.ReadOnly || p.Mode != "write"
		entered[i] = env
	}
	return func(id string) *tool.Env {
		i := slices.IndexFunc(s.Config.Projects, func(p config.Project) bool { return p.ID == id })
		if i < 0 {
			return nil
		}
		return entered[i]
	}
}

// projectOf is the entry of a project, nil when there is none of that id.
func projectOf(s *config.Settings, id string) *config.Project {
	i := slices.IndexFunc(s.Config.Projects, func(p config.Project) bool { return p.ID == id })
	if i < 0 {
		return nil
	}
	return &s.Config.Projects[i]
}

// entered is the world of the project that a path names in brackets, or else the
// one that is given.
func entered(env *tool.Env, path string) *tool.Env {
	inner, ok := strings.CutPrefix(path, "[")
	id, rest, closed := strings.Cut(inner, "]")
	if !ok || !closed || rest != "" && rest[0] != '/' || env.Enter == nil || id == env.Project {
		return env
	}
	if there := env.Enter(id); there != nil {
		return there
	}
	return env
}
