package bolt

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"go.etcd.io/bbolt"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// batchBytes limits the memory of one transaction of a rewrite.
const batchBytes = 8 << 20

// rewrite locks the store's file and calls write with its path, a draft of a new file
// with its records, the survey of it and its size. Without a file nothing is called.
func (s *Store) rewrite(ctx context.Context, write func(path string, d *draft, found *survey, size int64) error) (path string, err error) {
	if path, _, err = s.enter(ctx, false); err != nil || missing(path) {
		return path, err
	}
	unlock, err := s.lock(ctx, path)
	if err != nil {
		return "", err
	}
	defer func() { _ = unlock() }() // the file has been replaced, or not
	d, err := newDraft(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, d.discard()) }()
	found, size, err := inspect(path, d)
	if err != nil {
		return "", err
	}
	return path, write(path, d, found, size)
}

// substitute completes a draft and replaces the store's file by it.
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

// draft is a new file that replaces the store's once it is complete. It is the sink of a
// survey.
type draft struct {
	path   string
	db     *bbolt.DB
	tx     *bbolt.Tx
	bucket *bbolt.Bucket
	held   int // bytes that the transaction has taken
}

func newDraft(path string) (*draft, error) {
	d := &draft{path: path + ".new"}
	if err := ignoreMissing(os.Remove(d.path)); err != nil {
		return nil, fault.System(err, d.path)
	}
	// Only the whole is flushed: nobody reads a part.
	db, err := bbolt.Open(d.path, 0o600, &bbolt.Options{PageSize: pageSize, NoStatistics: true, NoSync: true, NoGrowSync: true})
	if err != nil {
		return nil, errors.Join(fault.System(err, d.path), ignoreMissing(os.Remove(d.path)))
	}
	d.db = db
	err = d.begin(func(tx *bbolt.Tx) (err error) {
		d.bucket, err = tx.CreateBucket([]byte(bucketName))
		return err
	})
	if err != nil {
		return nil, errors.Join(err, d.discard())
	}
	at := formatKey()
	if err := d.put(at, sealNumber(at, version)); err != nil {
		return nil, errors.Join(err, d.discard())
	}
	return d, nil
}

func (d *draft) begin(open func(*bbolt.Tx) error) (err error) {
	if d.tx, err = d.db.Begin(true); err == nil {
		err = open(d.tx)
	}
	if err != nil {
		return fault.System(err, d.path)
	}
	d.held = 0
	// The keys come in order, so pages can be filled.
	d.bucket.FillPercent = 0.9
	return nil
}

// put implements sink.
func (d *draft) put(at, sealed []byte) error {
	if d.held > batchBytes {
		if err := d.commit(); err != nil {
			return err
		}
		err := d.begin(func(tx *bbolt.Tx) error {
			d.bucket = tx.Bucket([]byte(bucketName))
			return nil
		})
		if err != nil {
			return err
		}
	}
	d.held += len(at) + len(sealed)
	// bbolt keeps the value until the commit; that of a survey is of a page in memory.
	return fault.System(d.bucket.Put(at, sealed), d.path)
}

// remove implements sink.
func (d *draft) remove(at []byte) error { return fault.System(d.bucket.Delete(at), d.path) }

func (d *draft) commit() error {
	tx := d.tx
	d.tx = nil
	return fault.System(tx.Commit(), d.path)
}

// finish writes the counter, makes the file durable and closes it. It returns its length.
func (d *draft) finish(counter uint64) (size int64, err error) {
	if err := d.bucket.SetSequence(counter); err != nil {
		return 0, fault.System(err, d.path)
	}
	if err := d.commit(); err != nil {
		return 0, err
	}
	if err := d.db.Sync(); err != nil {
		return 0, fault.System(err, d.path)
	}
	if err := d.db.Close(); err != nil {
		return 0, fault.System(err, d.path)
	}
	d.db = nil
	info, err := os.Stat(d.path)
	if err != nil {
		return 0, fault.System(err, d.path)
	}
	return info.Size(), nil
}

// index writes the records that are made from the messages: their ids, and the newest
// number of each stream.
func (d *draft) index(found *survey) error {
	records := make(map[string]uint64, len(found.found)+len(found.newest))
	for at, seq := range found.found {
		records[string(nameKey(at.stream, at.id))] = seq
	}
	for stream, seq := range found.newest {
		if store.CheckName(stream) == nil {
			records[string(newestKey(stream))] = seq
		}
	}
	for _, at := range slices.Sorted(maps.Keys(records)) {
		if err := d.put([]byte(at), sealNumber([]byte(at), records[at])); err != nil {
			return err
		}
	}
	return nil
}

// replace gives the file the name of the store's, durably.
func (s *Store) replace(d *draft, path string) error {
	if err := rename(d.path, path); err != nil {
		return fault.System(err, path)
	}
	return s.dir.SyncDirectory(folder)
}

// discard removes the file. It does nothing after the file has got another name.
func (d *draft) discard() error {
	if d.tx != nil {
		_ = d.tx.Rollback()
	}
	if d.db != nil {
		_ = d.db.Close()
	}
	return fault.System(ignoreMissing(os.Remove(d.path)), d.path)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
