package bolt

import (
	"context"
	"fmt"
)

// Compacted is the result of Compact.
type Compacted struct {
	Path string `json:"path"`
	Counts
	Before int64 `json:"bytes_before"`
	After  int64 `json:"bytes_after"`
}

// Compact replaces the store's file by a new one without free pages. If the process
// dies meanwhile, the old file stays. Damage is an error.
func (s *Store) Compact(ctx context.Context) (*Compacted, error) {
	var result Compacted
	var err error
	result.Path, err = s.rewrite(ctx, func(path string, d *draft, found *survey, size int64) (err error) {
		if len(found.damage) > 0 {
			return damaged(path, fmt.Sprintf("%s on page %d", found.damage[0].Kind, found.damage[0].Page))
		}
		result.Counts, result.Before, result.After = found.counts(), size, size
		if !found.Missing {
			result.After, err = s.substitute(ctx, d, found, path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return &result, nil
}
