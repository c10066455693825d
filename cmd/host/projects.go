package host

import (
	"slices"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/tool"
)

// projects opens the projects that the settings configure.
type projects struct {
	settings *config.Settings
	open     func(dir, label string) *tool.Env
	govern   func(*tool.Env) *tool.Env // puts an environment under the policy
}

// current returns the environment of the project that calls work in: the
// workspace itself unless the settings name one.
func (p projects) current(home *tool.Env) *tool.Env {
	env := home
	if i := p.index(p.settings.Config.Project); i >= 0 {
		one := p.settings.Config.Projects[i]
		env = p.open(one.Path, "")
		env.Project = one.ID
	}
	return p.govern(env)
}

// enter returns the function that finds the environments of the other projects,
// always the same one for an id. It is nil if no project is configured.
func (p projects) enter() func(id string) *tool.Env {
	if len(p.settings.Config.Projects) == 0 {
		return nil
	}
	envs := make([]*tool.Env, len(p.settings.Config.Projects))
	for i, one := range p.settings.Config.Projects { // nothing is opened yet
		env := p.govern(p.open(one.Path, "["+one.ID+"]"))
		env.Project = one.ID
		env.ReadOnly = env.ReadOnly || one.Mode != "write"
		envs[i] = env
	}
	return func(id string) *tool.Env {
		if i := p.index(id); i >= 0 {
			return envs[i]
		}
		return nil
	}
}

// index returns the position of a project, -1 when there is none with that id.
func (p projects) index(id string) int {
	return slices.IndexFunc(p.settings.Config.Projects, func(one config.Project) bool { return one.ID == id })
}
