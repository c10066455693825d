package bolt

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
	"time"

	"go.etcd.io/bbolt"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// tx is a transaction. Without a bucket it reads from a store that nobody has written to.
type tx struct {
	path   string
	file   *file
	tx     *bbolt.Tx
	bucket *bbolt.Bucket
	now    func() time.Time
	wrote  bool
	ended  bool
	damage error // the first damage that was met; then nothing is committed
}

var _ store.Tx = (*tx)(nil)

// Get implements [store.Reader].
func (t *tx) Get(key string) (e store.Entry, err error) {
	if err := store.CheckKey(key); err != nil {
		return e, err
	}
	e.Key = key
	at := entryKey(key)
	err = t.read(func() error {
		if sealed := t.bucket.Get(at); sealed != nil {
			e, err = unsealEntry(at, sealed)
			return t.record(at, err)
		}
		return nil
	})
	return e, err
}

// List implements [store.Reader].
func (t *tx) List(prefix string) (entries []store.Entry, err error) {
	if err := store.CheckPrefix(prefix); err != nil {
		return nil, err
	}
	begin := entryKey(prefix)
	err = t.read(func() error {
		c := t.bucket.Cursor()
		for at, sealed := c.Seek(begin); bytes.HasPrefix(at, begin); at, sealed = c.Next() {
			e, err := unsealEntry(at, sealed)
			if err != nil {
				return t.record(at, err)
			}
			entries = append(entries, e)
		}
		return nil
	})
	return entries, err
}

// Read implements [store.Reader].
func (t *tx) Read(stream string, after uint64, limit int) (messages []store.Message, err error) {
	if err := store.CheckName(stream); err != nil || after == math.MaxUint64 {
		return nil, err
	}
	begin := streamKey(messageTag, stream)
	err = t.read(func() error {
		c := t.bucket.Cursor()
		at, sealed := c.Seek(messageKey(stream, after+1))
		for ; len(messages) < limit && bytes.HasPrefix(at, begin); at, sealed = c.Next() {
			if len(at) != len(begin)+numberLen {
				return t.record(at, errRecord)
			}
			m, err := unsealMessageOf(stream, binary.BigEndian.Uint64(at[len(begin):]), at, sealed)
			if err != nil {
				return t.record(at, err)
			}
			messages = append(messages, m)
		}
		return nil
	})
	return messages, err
}

// Find implements [store.Reader].
func (t *tx) Find(stream, id string) (m *store.Message, err error) {
	if err := checkNames(stream, id); err != nil {
		return nil, err
	}
	at := nameKey(stream, id)
	err = t.read(func() error {
		sealed := t.bucket.Get(at)
		if sealed == nil {
			return nil
		}
		seq, err := unsealNumber(at, sealed)
		if err != nil {
			return t.record(at, err)
		}
		at := messageKey(stream, seq)
		found, err := unsealMessageOf(stream, seq, at, t.bucket.Get(at))
		if err == nil {
			m = &found
		}
		return t.record(at, err)
	})
	return m, err
}

// Last implements [store.Reader].
func (t *tx) Last(stream string) (seq uint64, err error) {
	if err := store.CheckName(stream); err != nil {
		return 0, err
	}
	at := newestKey(stream)
	err = t.read(func() error {
		if sealed := t.bucket.Get(at); sealed != nil {
			seq, err = unsealNumber(at, sealed)
			return t.record(at, err)
		}
		return nil
	})
	return seq, err
}

// streams returns the streams that have messages.
func (t *tx) streams() (names []string, err error) {
	err = t.read(func() error {
		c := t.bucket.Cursor()
		for at, _ := c.Seek([]byte{messageTag}); len(at) > 0 && at[0] == messageTag; {
			stream, _, ok := splitMessageKey(at)
			if !ok {
				return t.record(at, errRecord)
			}
			names = append(names, stream)
			// The first key after those of the stream, which have a 0 there.
			at, _ = c.Seek(append(append([]byte{messageTag}, stream...), 1))
		}
		return nil
	})
	return names, err
}

// Put implements [store.Tx].
func (t *tx) Put(key string, value []byte) error {
	if err := store.CheckKey(key); err != nil {
		return err
	}
	if err := store.CheckData(value); err != nil {
		return err
	}
	return t.write(func() error {
		revision, err := t.bucket.NextSequence()
		if err != nil {
			return err
		}
		return t.bucket.Put(sealEntry(key, value, revision))
	})
}

// Delete implements [store.Tx].
func (t *tx) Delete(key string) error {
	if err := store.CheckKey(key); err != nil {
		return err
	}
	at := entryKey(key)
	return t.read(func() error {
		if t.bucket.Get(at) == nil {
			return nil
		}
		t.wrote = true
		return t.bucket.Delete(at)
	})
}

// Append implements [store.Tx].
func (t *tx) Append(stream, id string, data []byte) (m *store.Message, added bool, err error) {
	if err := store.CheckData(data); err != nil {
		return nil, false, err
	}
	if m, err := t.Find(stream, id); err != nil || m != nil {
		return m, false, err
	}
	m = &store.Message{Stream: stream, ID: id, Data: bytes.Clone(data), Time: t.now().UTC()}
	err = t.write(func() (err error) {
		if m.Seq, err = t.bucket.NextSequence(); err != nil {
			return err
		}
		if err := t.bucket.Put(sealMessage(m)); err != nil {
			return err
		}
		for _, at := range [][]byte{nameKey(stream, id), newestKey(stream)} {
			if err := t.bucket.Put(at, sealNumber(at, m.Seq)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	return m, true, nil
}

// Remove implements [store.Tx].
func (t *tx) Remove(stream, id string) error {
	m, err := t.Find(stream, id)
	if err != nil || m == nil {
		return err
	}
	return t.write(func() error {
		if err := t.bucket.Delete(messageKey(stream, m.Seq)); err != nil {
			return err
		}
		return t.bucket.Delete(nameKey(stream, id))
	})
}

func checkNames(stream, id string) error {
	if err := store.CheckName(stream); err != nil {
		return err
	}
	return store.CheckName(id)
}

// checkFormat checks that this helve knows the layout of the file.
func (t *tx) checkFormat() error {
	at := formatKey()
	found, err := unsealNumber(at, t.bucket.Get(at))
	switch {
	case err != nil:
		return t.record(at, err)
	case found > version:
		return tooNew(t.path, found)
	}
	return nil
}

func tooNew(path string, found uint64) error {
	return fault.New(fault.Unsupported, fault.T("a newer helve has written the store %s: its format is %d, and this helve reads up to %d", path, found, version)).
		WithHint(fault.T("use the newer helve, or set HELVE_HOME to another directory"))
}

// layOut makes the bucket of a file that is new.
func (t *tx) layOut() (err error) {
	if t.bucket, err = t.tx.CreateBucket([]byte(bucketName)); err != nil {
		return err
	}
	at := formatKey()
	return t.bucket.Put(at, sealNumber(at, version))
}

// read runs a call of bbolt that reads.
func (t *tx) read(call func() error) error {
	switch {
	case t.ended:
		return errEnded()
	case t.damage != nil:
		return t.damage
	case t.bucket == nil:
		return nil
	}
	err := t.call(call)
	if fault.Is(err, fault.BadDocument) {
		t.damage = err
	}
	return err
}

// write runs one that writes.
func (t *tx) write(call func() error) error {
	return t.read(func() error {
		t.wrote = true
		return call()
	})
}

// call runs a call of bbolt.
func (t *tx) call(call func() error) error {
	done := false
	err := guard(t.path, func() error {
		err := call()
		done = true
		return err
	})
	if !done {
		t.file.broken = true
	}
	return err
}

// record translates the error of reading a record.
func (t *tx) record(at []byte, err error) error {
	if err == nil {
		return nil
	}
	return damaged(t.path, "the record "+strconv.Quote(string(at))+" is not what was written")
}

// end gives up what was not committed.
func (t *tx) end() {
	t.ended = true
	if t.tx != nil && !t.file.broken {
		_ = t.call(t.tx.Rollback) // it is ErrTxClosed after a commit
	}
}

func errEnded() error {
	return fault.New(fault.Internal, fault.T("a transaction of the store is used after its end")).
		WithHint(fault.T("this is a bug in helve; please report it"))
}
