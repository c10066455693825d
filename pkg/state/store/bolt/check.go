package bolt

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"go.etcd.io/bbolt"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store/bolt/pages"
)

// Report is the result of Check.
type Report struct {
	Path string `json:"path"`
	Counts
	Bytes  int64    `json:"bytes"` // of the file; 0 says that there is none yet
	Free   int64    `json:"free_bytes"`
	Damage []Damage `json:"damage,omitempty"`
}

// Check reads the whole file and reports what is wrong with it. No damage is an error,
// but for a file that is no store at all or of a newer helve.
func (s *Store) Check(ctx context.Context) (*Report, error) {
	path, writable, err := s.enter(ctx, true)
	if err != nil {
		return nil, err
	}
	report := &Report{Path: path}
	if missing(path) {
		return report, nil
	}
	unlock, err := s.lockReading(ctx, path, writable)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unlock() }() // what was read is right all the same
	found, size, err := inspect(path, nothing{})
	if err != nil {
		return nil, err
	}
	report.Counts, report.Bytes, report.Free, report.Damage = found.counts(), size, found.Free*found.PageSize, found.damage
	if len(report.Damage) == 0 && !found.Missing {
		report.Damage, err = checkByBolt(path)
	}
	return report, err
}

// nothing is a sink that keeps nothing.
type nothing struct{}

func (nothing) put([]byte, []byte) error { return nil }
func (nothing) remove([]byte) error      { return nil }

// inspect surveys the file at a path.
func inspect(path string, to sink) (found *survey, size int64, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fault.New(fault.NotFound, fault.T("there is no store yet: %s", path)).
			WithHint(fault.T("the first message or job that is kept makes it"))
	}
	if err != nil {
		return nil, 0, fault.System(err, path)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, fault.System(err, path)
	}
	found, err = surveyFile(f, info.Size(), to)
	if err != nil {
		return nil, 0, fault.System(err, path)
	}
	if found.format > version {
		return nil, 0, tooNew(path, found.format)
	}
	return found, info.Size(), nil
}

// checkByBolt has bbolt check a file whose tree is known to be right.
func checkByBolt(path string) (damage []Damage, err error) {
	f, err := attach(path, true)
	if err != nil {
		return nil, err
	}
	defer f.release()
	err = guard(path, func() error {
		return f.db.View(func(tx *bbolt.Tx) error {
			for err := range tx.Check() {
				damage = append(damage, Damage{Kind: badBolt, Record: err.Error()})
			}
			return nil
		})
	})
	return damage, err
}

// unknown is added to the counter if it could not be read: numbers that it returned, of
// records that are lost, must not be used again.
const unknown = 1 << 32

// counter returns a number that is not below any that the store has ever given.
func (s *survey) counter() uint64 {
	n := max(s.Sequence, s.highest)
	if s.Sequence == 0 && n > 0 || s.headerLost() {
		n += unknown
	}
	return n
}

// headerLost reports whether a header is gone, and with it perhaps the last transaction.
func (s *survey) headerLost() bool {
	return slices.ContainsFunc(s.damage, func(d Damage) bool { return d.Kind == string(pages.Header) })
}
