package bolt

import (
	"context"
	"errors"
	"io"
	"os"
	"strconv"

	"github.com/helve-dev/helve/pkg/fault"
)

// Repaired is the result of Repair.
type Repaired struct {
	Path string `json:"path"`
	Kept string `json:"kept,omitzero"` // the damaged file; "" if nothing was damaged
	Counts
	Damage []Damage `json:"damage,omitempty"` // what was wrong
	Lost   []Lost   `json:"lost,omitempty"`
	// Doubtful is set if keys may have an earlier value, and removed messages may be back,
	// as the free pages were unknown.
	Doubtful bool `json:"doubtful,omitzero"`
}

// Repair saves the readable records into a new file that replaces the damaged one, which
// is kept beside it. A store without damage stays unchanged.
func (s *Store) Repair(ctx context.Context) (*Repaired, error) {
	var result Repaired
	var err error
	result.Path, err = s.rewrite(ctx, func(path string, d *draft, found *survey, _ int64) (err error) {
		result.Counts = found.counts()
		if len(found.damage) == 0 {
			if found.damage, err = checkByBolt(path); err != nil || len(found.damage) == 0 {
				return err
			}
		}
		result.Damage, result.Lost, result.Doubtful = found.damage, found.losses(), found.doubtful()
		if result.Kept, err = keepAside(path); err != nil {
			return err
		}
		if _, err = s.substitute(ctx, d, found, path); err != nil {
			return errors.Join(err, os.Remove(result.Kept))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &result, nil
}

// doubtful reports whether saved records may be older than lost ones: they were read
// from pages that may have been free, or the last transaction may be gone.
func (s *survey) doubtful() bool {
	return s.Doubtful && len(s.Lost) > 0 || s.headerLost()
}

// keepAside gives a file a second name beside it, and returns that.
func keepAside(path string) (kept string, err error) {
	for n := 1; ; n++ {
		kept = path + ".damaged-" + strconv.Itoa(n)
		err := os.Link(path, kept)
		switch {
		case err == nil:
			return kept, nil
		case errors.Is(err, os.ErrExist):
			continue
		}
		// Some file systems have no second names.
		if err = copyFile(path, kept); err == nil || !errors.Is(err, os.ErrExist) {
			return kept, fault.System(err, kept)
		}
	}
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, out.Close()); err != nil {
			err = errors.Join(err, os.Remove(to))
		}
	}()
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Sync()
}
