package bolt

import (
	"errors"
	"os"

	"go.etcd.io/bbolt"

	"github.com/helve-dev/helve/pkg/fault"
)

// create makes the file, under another name until it is complete. It has no bucket yet,
// which marks that its name may not be durable.
func (s *Store) create(path string) error {
	if _, err := s.dir.Directory(folder); err != nil {
		return err
	}
	draft := path + ".new"
	if err := ignoreMissing(os.Remove(draft)); err != nil {
		return fault.System(err, draft)
	}
	db, err := bbolt.Open(draft, 0o600, &bbolt.Options{PageSize: pageSize, NoStatistics: true})
	if err != nil {
		return errors.Join(fault.System(err, draft), ignoreMissing(os.Remove(draft)))
	}
	if err := db.Close(); err != nil {
		return fault.System(err, draft)
	}
	return fault.System(os.Rename(draft, path), path)
}

// settle makes the name of the file durable, and that of its directory. The transaction
// that makes the bucket comes after it, so a file with a bucket has it behind it,
// whoever died on the way.
func (s *Store) settle() error {
	if err := s.dir.SyncDirectory(folder); err != nil {
		return err
	}
	return s.dir.SyncDirectory(".")
}
