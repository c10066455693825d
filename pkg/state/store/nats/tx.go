package nats

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/state/store"
)

// reader reads, each time what is there then.
type reader struct {
	ctx   context.Context
	store *Store
}

// View reads: each read is of the moment it is made.
func (s *Store) View(ctx context.Context, f func(store.Reader) error) error {
	if err := s.usable(ctx); err != nil {
		return err
	}
	return f(&reader{ctx, s})
}

func (r *reader) get(subject string) (found record, err error) {
	err = r.store.try(r.ctx, func(ctx context.Context, l *link) error {
		found, err = l.get(ctx, subject)
		return err
	})
	return found, err
}

// walk is link.walk; f starts from the beginning when the connection was lost.
func (r *reader) walk(subject string, from uint64, batch int, begin func(), f func(record) bool) error {
	return r.store.try(r.ctx, func(ctx context.Context, l *link) error {
		begin()
		return l.walk(ctx, subject, from, batch, f)
	})
}

func (r *reader) Get(key string) (store.Entry, error) {
	if err := store.CheckKey(key); err != nil {
		return store.Entry{}, err
	}
	found, err := r.get(r.store.names.key(key))
	return entryOf(key, found), err
}

func (r *reader) List(prefix string) ([]store.Entry, error) {
	entries, _, err := r.list(prefix)
	return entries, err
}

// list also returns the records, by their keys.
func (r *reader) list(prefix string) ([]store.Entry, map[string]record, error) {
	if err := store.CheckPrefix(prefix); err != nil {
		return nil, nil, err
	}
	// A key that changes meanwhile comes a second time, later.
	var found map[string]record
	err := r.walk(r.store.names.keys(prefix), 0, maxBatch, func() { found = map[string]record{} }, func(one record) bool {
		if key, ok := r.store.names.keyOf(one.subject); ok {
			found[key] = one
		}
		return true
	})
	if err != nil {
		return nil, nil, err
	}
	var entries []store.Entry
	for key, one := range found {
		if !one.removed {
			entries = append(entries, entryOf(key, one))
		}
	}
	slices.SortFunc(entries, func(a, b store.Entry) int { return cmp.Compare(a.Key, b.Key) })
	return entries, found, nil
}

func (r *reader) Read(stream string, after uint64, limit int) ([]store.Message, error) {
	if err := store.CheckName(stream); err != nil {
		return nil, err
	}
	if limit <= 0 || after == math.MaxUint64 {
		return nil, nil
	}
	var messages []store.Message
	err := r.walk(r.store.names.messages(stream), after+1, limit, func() { messages = nil }, func(one record) bool {
		if id, ok := r.store.names.idOf(stream, one.subject); ok && !one.removed {
			messages = append(messages, *messageOf(stream, id, one))
		}
		return len(messages) < limit
	})
	return messages, err
}

func (r *reader) Find(stream, id string) (*store.Message, error) {
	if err := checkMessage(stream, id); err != nil {
		return nil, err
	}
	found, err := r.get(r.store.names.message(stream, id))
	if err != nil {
		return nil, err
	}
	return messageOf(stream, id, found), nil
}

func (r *reader) Last(stream string) (uint64, error) {
	if err := store.CheckName(stream); err != nil {
		return 0, err
	}
	head, err := r.get(r.store.names.head(stream))
	if err != nil {
		return 0, err
	}
	return r.lastAfter(stream, head)
}

// lastAfter returns the last sequence number of a stream. The head has that of the
// newest message that was removed while it was the newest. If the newest record is a
// tombstone, it says what the number was when it was made, and what came since is
// looked at.
func (r *reader) lastAfter(stream string, head record) (uint64, error) {
	newest, err := r.get(r.store.names.messages(stream))
	if err != nil {
		return 0, err
	}
	if !newest.removed {
		return max(head.last, newest.seq), nil
	}
	last, since := max(head.last, newest.last), uint64(0)
	err = r.walk(r.store.names.messages(stream), last+1, maxBatch, func() { since = 0 }, func(one record) bool {
		if one.removed {
			since = max(since, one.last)
		} else {
			since = max(since, one.seq)
		}
		return true
	})
	return max(last, since), err
}

func checkMessage(stream, id string) error {
	if err := store.CheckName(stream); err != nil {
		return err
	}
	return store.CheckName(id)
}

// entryOf returns a record as that of a key.
func entryOf(key string, r record) store.Entry {
	if r.seq == 0 || r.removed {
		return store.Entry{Key: key}
	}
	return store.Entry{Key: key, Value: r.data, Revision: r.seq}
}

// messageOf returns a record as a message; nil if there is none.
func messageOf(stream, id string, r record) *store.Message {
	if r.seq == 0 || r.removed {
		return nil
	}
	return &store.Message{Stream: stream, ID: id, Seq: r.seq, Data: r.data, Time: r.time}
}

// tx is a transaction that has not been committed.
type tx struct {
	reader
	seen   map[string]record // what was read, by subject
	writes map[string]*write // by subject
	order  []*write          // those of writes, and some that were taken back
	err    error             // of a read: nothing is committed after it
}

// write is a change of a subject.
type write struct {
	subject string
	data    []byte
	removed bool
	last    uint64         // of a tombstone or a head: the last sequence number of the stream
	message *store.Message // that is appended
	dropped bool           // it was taken back
}

func newTx(ctx context.Context, s *Store) *tx {
	return &tx{reader: reader{ctx, s}, seen: map[string]record{}, writes: map[string]*write{}}
}

// look returns what is under a subject: always what was there at first.
func (t *tx) look(subject string) (record, error) {
	if found, ok := t.seen[subject]; ok {
		return found, nil
	}
	found, err := t.get(subject)
	if err != nil {
		t.err = err
		return record{}, err
	}
	t.seen[subject] = found
	return found, nil
}

// current returns what is under a subject after the writes so far.
func (t *tx) current(subject string) (record, error) {
	base, err := t.look(subject)
	if err != nil {
		return base, err
	}
	if w := t.writes[subject]; w != nil {
		return record{subject: subject, seq: base.seq + 1, data: w.data, time: time.Now(), removed: w.removed}, nil
	}
	return base, nil
}

// set notes a write, in the place of another one of the subject.
func (t *tx) set(w *write) {
	t.unset(w.subject)
	t.writes[w.subject] = w
	t.order = append(t.order, w)
}

func (t *tx) unset(subject string) {
	if before := t.writes[subject]; before != nil {
		before.dropped = true
		delete(t.writes, subject)
	}
}

func (t *tx) Get(key string) (store.Entry, error) {
	if err := store.CheckKey(key); err != nil {
		return store.Entry{}, err
	}
	found, err := t.current(t.store.names.key(key))
	return entryOf(key, found), err
}

func (t *tx) List(prefix string) ([]store.Entry, error) {
	entries, found, err := t.list(prefix)
	if err != nil {
		t.err = err
	}
	for key, one := range found {
		subject := t.store.names.key(key)
		if _, ok := t.seen[subject]; !ok {
			t.seen[subject] = one
		}
	}
	return entries, err
}

func (t *tx) Put(key string, value []byte) error {
	if err := store.CheckKey(key); err != nil {
		return err
	}
	if err := store.CheckData(value); err != nil {
		return err
	}
	t.set(&write{subject: t.store.names.key(key), data: slices.Clone(value)})
	return nil
}

func (t *tx) Delete(key string) error {
	if err := store.CheckKey(key); err != nil {
		return err
	}
	subject := t.store.names.key(key)
	base, err := t.look(subject)
	if err != nil {
		return err
	}
	t.unset(subject)
	if base.seq != 0 && !base.removed {
		t.set(&write{subject: subject, removed: true})
	}
	return nil
}

func (t *tx) Find(stream, id string) (*store.Message, error) {
	if err := checkMessage(stream, id); err != nil {
		return nil, err
	}
	subject := t.store.names.message(stream, id)
	if w := t.writes[subject]; w != nil && w.message != nil {
		return w.message, nil
	}
	found, err := t.current(subject)
	if err != nil {
		return nil, err
	}
	return messageOf(stream, id, found), nil
}

func (t *tx) Append(stream, id string, data []byte) (*store.Message, bool, error) {
	if err := store.CheckData(data); err != nil {
		return nil, false, err
	}
	have, err := t.Find(stream, id)
	if err != nil || have != nil {
		return have, false, err
	}
	m := &store.Message{Stream: stream, ID: id, Data: slices.Clone(data), Time: time.Now()}
	t.set(&write{subject: t.store.names.message(stream, id), data: m.Data, message: m})
	return m, true, nil
}

func (t *tx) Remove(stream, id string) error {
	if err := checkMessage(stream, id); err != nil {
		return err
	}
	subject := t.store.names.message(stream, id)
	base, err := t.look(subject)
	if err != nil {
		return err
	}
	t.unset(subject)
	if base.seq == 0 || base.removed {
		return nil
	}
	head := t.store.names.head(stream)
	before, err := t.look(head)
	if err != nil {
		return err
	}
	last, err := t.lastAfter(stream, before)
	if err != nil {
		t.err = err
		return err
	}
	t.set(&write{subject: subject, removed: true, last: last})
	if base.seq == last && before.last < last {
		t.set(&write{subject: head, last: last})
	}
	return nil
}
