package guard

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// confine refuses paths that lead out of the workspace, and rewrites path arguments
// to their clean form relative to the root. The kernel confines once more when the
// tool opens a path; this is so that nothing is decided about a path outside.
func confine(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (any, error) {
		object := c.Tool.Arguments()
		for i := range object.Fields {
			f := &object.Fields[i]
			if f.Path == schema.NoPath {
				continue
			}
			for _, path := range object.Paths(c.Args, f) {
				if *path == "" && f.Type.Kind == schema.String && !f.Required {
					continue
				}
				clean, err := confinePath(c, tool.Target{Use: f.Path, Path: *path})
				if err != nil {
					return nil, err
				}
				*path = clean
			}
		}
		further, err := c.Tool.Paths(ctx, c)
		if err != nil {
			return nil, err
		}
		named := len(c.Paths)
		for _, t := range further {
			if _, err := confinePath(c, t); err != nil {
				return nil, err
			}
			more := c.Paths[len(c.Paths)-1]
			at := slices.IndexFunc(c.Paths[:named], func(p tool.Path) bool { return p.Use == more.Use && p.Real == more.Real })
			if at >= 0 {
				c.Paths[at], c.Paths = more, c.Paths[:len(c.Paths)-1]
			}
		}
		if err := losses(c); err != nil {
			return nil, err
		}
		return next(ctx, c)
	}
}

// confinePath confines one path and returns its clean form.
func confinePath(c *tool.Call, t tool.Target) (clean string, err error) {
	if (t.Use == schema.WritePath || t.Use == schema.EditPath) && strings.HasSuffix(t.Path, "/") {
		return "", fault.New(fault.IsDirectory, fault.T("%s names a directory", t.Path)).
			WithHint(fault.T("name the file, without a slash at the end"))
	}
	if c.Home.WithoutDotdot && slices.Contains(strings.Split(filepath.ToSlash(t.Path), "/"), "..") {
		return "", fault.New(fault.OutsideWorkspace, fault.T("%s has .. in it, which the settings refuse", t.Path)).
			WithHint(fault.T("name the path from the workspace root"))
	}
	path, err := enter(c, t.Path)
	if err != nil {
		return "", err
	}
	root, err := c.Env.Root()
	if err != nil {
		return "", err
	}
	given, err := root.Clean(path)
	if err != nil {
		return "", err
	}
	if t.Use != schema.CreatePath {
		given = root.Listed(given)
	}
	use := t.Use
	if t.Whole {
		use = workspace.MoveOut
	}
	real, err := root.Resolve(given, use)
	if err != nil {
		return "", err
	}
	if err := trespass(c, t); err != nil {
		return "", err
	}
	c.Paths = append(c.Paths, tool.Path{Target: t, Clean: root.At(given.String()), Real: real})
	return root.Show(given.String()), nil
}
