package guard

import (
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// enter moves the call to the project that a path names in brackets, as in
// [lib]/a.go, and returns the path as that project knows it.
func enter(c *tool.Call, path string) (string, error) {
	id, rest, named := c.Home.SplitProject(path)
	switch {
	case !named && c.Foreign(), named && c.Foreign() && id != c.Env.Project, named && id != c.Env.Project && len(c.Paths) > 0:
		return "", otherProject(path, c.Paths[0].Path)
	case !named:
		return path, nil
	case id == c.Env.Project && c.Foreign():
		return path, nil // the root knows its own label
	case id == c.Env.Project:
		return rest, nil
	}
	c.Env = c.Home.Enter(id)
	return path, nil
}

// trespass refuses a change in a project that is open for reading only.
func trespass(c *tool.Call, t tool.Target) error {
	if !c.Foreign() || !c.Env.ReadOnly || t.Use == schema.ReadPath {
		return nil
	}
	return foreign(c, t.Path)
}
