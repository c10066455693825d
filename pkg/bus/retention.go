package bus

import (
	"context"
	"strconv"
	"time"

	"github.com/helve-dev/helve/pkg/state/store"
)

// What is kept. What a consumer has not acknowledged when it is removed becomes a dead
// letter, which is kept longer. Dead letters that are removed are counted.
const (
	keepDays    = 30
	keep        = keepDays * 24 * time.Hour
	keepNumber  = 100_000 // messages
	keepDead    = 90 * 24 * time.Hour
	keepLetters = 10_000
)

const (
	// tidyEvery is about how many messages a sender removes old ones after. A message takes
	// one or two numbers of the store.
	tidyEvery = 128
	// batch limits the messages, and the dead letters, removed in one transaction.
	batch = 50
	// maxRemovals limits the changes of a transaction that remove messages: each has a
	// key, too, and a dead letter for each consumer that has not settled it.
	maxRemovals = store.MaxWrites - 2*batch
)

const droppedKey = prefix + "dropped" // number of dead letters removed

// Compacted counts the removals of Compact.
type Compacted struct {
	Messages int `json:"messages"`
	Buried   int `json:"buried"`  // dead letters made of these
	Letters  int `json:"letters"` // dead letters
	Files    int `json:"files"`   // that no message names
}

// Compact removes the messages and the dead letters that are too old or too many, and
// the files of messages that are gone.
func (b *Bus) Compact(ctx context.Context) (Compacted, error) {
	var all Compacted
	excess, err := b.excess(ctx, stream, keepNumber)
	if err != nil {
		return all, err
	}
	letters, err := b.excess(ctx, dead, keepLetters)
	if err != nil {
		return all, err
	}
	for {
		some, err := b.remove(ctx, min(batch, excess), min(batch, letters))
		all.Messages += some.Messages
		all.Buried += some.Buried
		all.Letters += some.Letters
		if err != nil {
			return all, err
		}
		if some.Messages+some.Letters == 0 {
			break
		}
		excess, letters = max(0, excess-some.Messages), max(0, letters-some.Letters)
	}
	if b.media != nil {
		all.Files, err = b.clean(ctx)
	}
	return all, err
}

// tidy removes one batch of what is too old. Senders do so now and then, so that nobody
// need call Compact.
func (b *Bus) tidy(ctx context.Context) error {
	_, err := b.remove(ctx, 0, 0)
	return err
}

// excess returns by how many messages a stream is too long.
func (b *Bus) excess(ctx context.Context, of string, most int) (n int, err error) {
	err = b.store.View(ctx, func(r store.Reader) error {
		n = -most
		return eachOf(r, of, func(*store.Message) error { n++; return nil })
	})
	return max(0, n), err
}

// remove removes a batch: as many of the oldest messages and dead letters as are in
// excess, and others that are too old.
func (b *Bus) remove(ctx context.Context, excess, letters int) (done Compacted, err error) {
	now := b.now()
	old := func(m *store.Message, age time.Duration) bool { return now.Sub(m.Time) >= age }
	idle := true
	err = b.store.View(ctx, func(r store.Reader) error {
		for _, of := range []struct {
			stream string
			age    time.Duration
			excess int
		}{{stream, keep, excess}, {dead, keepDead, letters}} {
			first, err := r.Read(of.stream, 0, 1)
			if err != nil {
				return err
			}
			idle = idle && (len(first) == 0 || of.excess == 0 && !old(&first[0], of.age))
		}
		return nil
	})
	if err != nil || idle {
		return Compacted{}, err
	}
	err = b.store.Update(ctx, func(tx store.Tx) error {
		done = Compacted{}
		readers, err := readersOf(tx)
		if err != nil {
			return err
		}
		messages, err := tx.Read(stream, 0, batch)
		if err != nil {
			return err
		}
		for i := range messages {
			if i >= excess && !old(&messages[i], keep) || 2*done.Messages+done.Buried >= maxRemovals {
				break
			}
			n, err := b.expel(tx, &messages[i], readers)
			if err != nil {
				return err
			}
			done.Messages++
			done.Buried += n
		}
		done.Letters, err = b.dropLetters(tx, letters, func(m *store.Message) bool { return old(m, keepDead) })
		return err
	})
	return done, err
}

// expel removes a message with its keys. Each consumer that has not settled it gets a
// dead letter; so does nobody, if none has asked for it. It returns how many these are.
func (b *Bus) expel(tx store.Tx, kept *store.Message, readers []reader) (letters int, err error) {
	m, unreadable := decode(kept)
	var heirs []string
	asked := false
	for _, r := range readers {
		if unreadable != nil || !r.wants(&m) {
			continue
		}
		if asked = true; !r.settled(&m) {
			heirs = append(heirs, r.Name)
		}
	}
	switch {
	case unreadable == nil && m.expired(b.now()):
		heirs = nil
	case !asked:
		heirs = []string{""}
	}
	for _, consumer := range heirs {
		if err := b.appendDead(tx, consumer, kept, 0, "nobody acknowledged it before it was removed"); err != nil {
			return 0, err
		}
	}
	if unreadable == nil {
		if err := m.forget(tx); err != nil {
			return 0, err
		}
	}
	return len(heirs), tx.Remove(stream, kept.ID)
}

// forget removes the keys by which a message is known, unless they are those of a newer
// one.
func (m *Message) forget(tx store.Tx) error {
	for _, key := range m.keys() {
		e, err := tx.Get(key)
		if err != nil {
			return err
		}
		if string(e.Value) != m.ID {
			continue
		}
		if err := tx.Delete(key); err != nil {
			return err
		}
	}
	return nil
}

// dropLetters removes dead letters, and counts them.
func (b *Bus) dropLetters(tx store.Tx, excess int, old func(*store.Message) bool) (n int, err error) {
	letters, err := tx.Read(dead, 0, batch)
	if err != nil {
		return 0, err
	}
	for i := range letters {
		if i >= excess && !old(&letters[i]) {
			break
		}
		if err := tx.Remove(dead, letters[i].ID); err != nil {
			return 0, err
		}
		n++
	}
	if n == 0 {
		return 0, nil
	}
	before, err := dropped(tx)
	if err != nil {
		return 0, err
	}
	return n, tx.Put(droppedKey, []byte(strconv.Itoa(before+n)))
}

// dropped returns how many dead letters were ever removed.
func dropped(r store.Reader) (int, error) {
	e, err := r.Get(droppedKey)
	if err != nil || e.Revision == 0 {
		return 0, err
	}
	n, err := strconv.Atoi(string(e.Value))
	if err != nil {
		return 0, nil //nolint:nilerr // a damaged count begins anew
	}
	return n, nil
}
