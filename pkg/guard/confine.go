package guard

import (
	"context"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// confine holds every path argument to the workspace and rewrites it to its
// clean form relative to the root. The kernel confines once more when the tool
// opens it; this is so that nothing is decided about a path that leads out.
func confine(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (any, error) {
		object := c.Tool.Schema()
		for i := range object.Fields {
			f := &object.Fields[i]
			if f.Path == schema.NoPath {
				continue
			}
			path := object.String(c.Args, f)
			if *path == "" && !f.Required {
				continue
			}
			root, err := c.Env.Root()
			if err != nil {
				return nil, err
			}
			clean, err := root.Clean(*path)
			if err != nil {
				return nil, err
			}
			real, err := root.Resolve(*path, opOf(f.Path))
			if err != nil {
				return nil, err
			}
			c.Paths = append(c.Paths, tool.Path{Use: f.Path, Given: *path, Real: real})
			*path = clean
		}
		return next(ctx, c)
	}
}

func opOf(use schema.PathUse) workspace.Op {
	switch use {
	case schema.WritePath:
		return workspace.Write
	case schema.CreatePath:
		return workspace.Create
	case schema.RemovePath:
		return workspace.Remove
	}
	return workspace.Read
}
