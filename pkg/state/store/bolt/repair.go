package bolt

import (
	"context"
	"errors"
	"io"
	"os"
	"strconv"

	"github.com/helve-dev/helve/pkg/fault"
)

// Repaired is what Repair did.
type Repaired struct {
	Path string `json:"path"`
	Kept string `json:"kept,omitzero"` // the damaged file; "" if nothing was damaged
	Counts
	Damage []Damage `json:"damage,omitempty"` // what was wrong
	Lost   []Lost   `json:"lost,omitempty"`
	// Doubtful says that keys may have an earlier value, and that messages may be there
	// that had been removed, as it was not known which pages were free.
	Doubtful bool `json:"doubtful,omitzero"`
}

// Repair saves what can be read into a new file, which takes the place of the damaged
// one; that is kept beside it. A store without damage stays as it is.
func (s *Store) Repair(ctx context.Context) (result *Repaired, err error) {
	path, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	result = &Repaired{Path: path}
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
	found, _, err := inspect(path, d)
	if err != nil {
		return nil, err
	}
	result.Counts = found.counts()
	if len(found.damage) == 0 {
		if found.damage, err = checkByBolt(path); err != nil || len(found.damage) == 0 {
			return result, err
		}
	}
	result.Damage, result.Lost, result.Doubtful = found.damage, found.losses(), found.doubtful()
	if result.Kept, err = keepAside(path); err != nil {
		return nil, err
	}
	if _, err = s.substitute(ctx, d, found, path); err != nil {
		return nil, errors.Join(err, os.Remove(result.Kept))
	}
	return result, nil
}

// doubtful reports whether what was saved may be older than what was lost: records were
// taken from pages that may have been free, or the last transaction may be gone.
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
