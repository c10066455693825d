package guard

import (
	"context"
	"errors"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// lock locks every file that a call writes, from before it is read until it is
// written, so that concurrent processes lose nothing. It also cleans up after
// processes that died while they wrote.
func lock(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (result any, err error) {
		var paths []string
		for _, p := range c.Paths {
			if p.Use != schema.ReadPath && !p.Own && !p.Late {
				paths = append(paths, p.Real.String())
			}
		}
		if len(paths) == 0 {
			return next(ctx, c)
		}
		dir, err := c.Env.State()
		if err != nil {
			return nil, err
		}
		if volatile := dir.Warning(); !volatile.IsZero() {
			c.Warn(volatile)
		}
		journal, err := c.Env.Journal()
		if err != nil {
			return nil, err
		}
		tx, err := journal.Begin(ctx, paths...)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, tx.Close()) }()
		for _, w := range tx.Warnings() {
			c.Warn(w)
		}
		c.Tx = tx
		return next(ctx, c)
	}
}
