package bolt

import (
	"context"
	"errors"
	"fmt"
)

// Compacted is what Compact did.
type Compacted struct {
	Path string `json:"path"`
	Counts
	Before int64 `json:"bytes_before"`
	After  int64 `json:"bytes_after"`
}

// Compact writes the store into a new file, without the pages that are free, and puts
// that in its place. Whoever dies meanwhile leaves the old file. Damage is an error.
func (s *Store) Compact(ctx context.Context) (result *Compacted, err error) {
	path, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	result = &Compacted{Path: path}
	if missing(path) {
		return result, nil
	}
	unlock, err := s.lock(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unlock() }() // the file has been replaced, or not
	d, err := newDraft(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.discard()) }()
	found, before, err := inspect(path, d)
	if err != nil {
		return nil, err
	}
	if len(found.damage) > 0 {
		return nil, damaged(path, fmt.Sprintf("%s on page %d", found.damage[0].Kind, found.damage[0].Page))
	}
	result.Counts, result.Before, result.After = found.counts(), before, before
	if found.Missing {
		return result, nil
	}
	if result.After, err = s.substitute(ctx, d, found, path); err != nil {
		return nil, err
	}
	return result, nil
}

// substitute completes a draft of what was found and puts it in the place of the file.
func (s *Store) substitute(ctx context.Context, d *draft, found *survey, path string) (size int64, err error) {
	if err := d.index(found); err != nil {
		return 0, err
	}
	if size, err = d.finish(found.counter()); err != nil {
		return 0, err
	}
	if err := context.Cause(ctx); err != nil {
		return 0, err
	}
	return size, s.replace(d, path)
}
