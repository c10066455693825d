package guard

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// enter moves the call to the project that a path names in brackets, as in
// [lib]/a.go, and returns the path as that project knows it.
func enter(c *tool.Call, path string) (string, error) {
	id, rest, named := c.Home.SplitProject(path)
	switch {
	case !named && c.Foreign(), named && c.Foreign() && id != c.Env.Project, named && id != c.Env.Project && len(c.Paths) > 0:
		return "", fault.New(fault.InvalidArguments, fault.T("%s is in another project than %s", "%s 与 %s 不在同一项目", path, c.Paths[0].Path)).
			WithHint(fault.T("one call works in one project: read it there, write it here", "一次调用只能在一个项目内进行：请先在那边读取，再在这里写入"))
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

// foreign returns the fault of a change by what, a path or a tool.
func foreign(c *tool.Call, what string) error {
	return fault.New(fault.Denied, fault.T("%s: the project %s may only be read from here", "%s：从这里只能读取项目 %s", what, c.Env.Project)).
		WithHint(fault.T(`the person can set "mode":"write" in its entry under projects, or run helve with --project %s`,
			`用户可在 projects 的对应条目中设置 "mode":"write"，或使用 --project %s 运行 helve`, c.Env.Project))
}
