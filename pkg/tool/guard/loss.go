package guard

import (
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/search/built"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// losses notes on a call what it takes away from its paths. Of a custom tool the
// declared risk says what it does, and what undo takes back is not lost.
func losses(c *tool.Call) error {
	if c.Tool.Digest != "" || c.Tool.Trial(c) {
		return nil
	}
	for i := range c.Paths {
		p := &c.Paths[i]
		deletes := p.Use == schema.RemovePath && !p.Moves || p.Replaces
		if p.Moves && !p.Own {
			if err := buried(c, p); err != nil {
				return err
			}
		}
		if p.Own || p.Whole || !deletes && p.Use != schema.WritePath && p.Use != schema.EditPath {
			continue
		}
		root, err := c.Env.Root()
		if err != nil {
			return err
		}
		p.Loss = lossAt(c.Env, root, p.Real, deletes)
	}
	return nil
}

// lossAt returns what is lost when a path is deleted or overwritten by a tool that
// changes files through the journal; nil when nothing is.
func lossAt(env *tool.Env, root *workspace.Root, real workspace.Path, deletes bool) *policy.Loss {
	info, err := root.Lstat(real)
	if err != nil || info.IsDir() {
		return nil // there is nothing, or the call fails
	}
	l := &policy.Loss{Deletes: deletes}
	if journal.Keeps(info) || !deletes && info.Mode().IsRegular() { // what is overwritten is kept whatever its size
		l.Kept = policy.ByUndo
	}
	if env.RiskOfLoss(*l) == policy.Write {
		return l
	}
	var excludes []byte
	if env.Excludes != nil {
		excludes = env.Excludes()
	}
	if built.Output(root, excludes, real.String()) {
		l.Kept = policy.Generated
	}
	return l
}

// buried notes on a path that a call moves whether it moves into build output. Undo takes
// back a move only as long as the file is where it was moved to.
func buried(c *tool.Call, from *tool.Path) error {
	root, err := c.Env.Root()
	if err != nil {
		return err
	}
	var excludes []byte
	if c.Env.Excludes != nil {
		excludes = c.Env.Excludes()
	}
	for i := range c.Paths {
		to := &c.Paths[i]
		if to.Use == schema.CreatePath && built.Output(root, excludes, to.Real.String()) && !built.Output(root, excludes, from.Real.String()) {
			from.Loss = &policy.Loss{IntoBuild: true}
		}
	}
	return nil
}
