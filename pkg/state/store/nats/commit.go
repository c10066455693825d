package nats

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	client "github.com/nats-io/nats.go"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// https://github.com/nats-io/nats-architecture-and-design, ADR-43 (time to live) and
// ADR-50 (batches).
const (
	fieldBatch    = "Nats-Batch-Id"
	fieldPlace    = "Nats-Batch-Sequence"
	fieldCommit   = "Nats-Batch-Commit"
	fieldExpected = "Nats-Expected-Last-Subject-Sequence"
	fieldLife     = "Nats-TTL"

	tombstoneLife = "120s"
	recordLife    = "120s"
	abortedLife   = "3600s" // what it keeps out may arrive late

	committed = "committed" // what a record of a transaction says
	aborted   = "aborted"

	maxWrites = 998 // of a transaction: a server takes 1000 messages at once
	maxDoubt  = time.Minute
)

// Update carries f out as one transaction: a batch of messages that the server stores
// together or not at all. While the outcome is unknown it is asked for, up to a minute;
// if the context ends before, the fault says so.
func (s *Store) Update(ctx context.Context, f func(store.Tx) error) error {
	began := time.Now()
	for attempt := 0; ; attempt++ {
		if err := s.usable(ctx); err != nil {
			return err
		}
		t := newTx(ctx, s)
		if err := f(t); err != nil {
			return err
		}
		if t.err != nil {
			return t.err
		}
		if len(t.writes) == 0 {
			return nil
		}
		err := ctx.Err()
		if err == nil {
			err = t.commit()
		}
		switch {
		case err == nil:
			return nil
		case is(err, codeTooManyBatches, codeTooManyBatch2, codeIncomplete) && time.Since(began) > maxDoubt:
			return s.fault(err)
		case !again(err):
			return s.fault(err)
		}
		if err := s.pause(ctx, min(attempt, 5)); err != nil {
			return err
		}
	}
}

// errAborted says that a transaction was not committed, and never will be.
var errAborted = errors.New("aborted")

// again reports whether a transaction that was not committed should run anew.
func again(err error) bool {
	return errors.Is(err, errAborted) || is(err, codeWrongLast, codeBusySubject, codeTooManyBatches, codeTooManyBatch2, codeIncomplete)
}

// commit sends the batch. The error says for sure that it was not committed, unless it
// is that of [Store.doubtful].
func (t *tx) commit() error {
	id := rand.Text()
	batch, err := t.batch(id)
	if err != nil {
		return err
	}
	var last uint64 // sequence number of the record
	var sent error
	err = t.store.try(t.ctx, func(ctx context.Context, l *link) error {
		most := int(l.MaxPayload())
		for _, m := range batch {
			if size := m.Size() - len(m.Subject) - len(m.Reply); size > most {
				return tooLarge(strconv.Itoa(size) + " > " + strconv.Itoa(most))
			}
		}
		last, sent = l.send(ctx, batch...)
		if errors.Is(sent, errNobody) {
			return sent // nobody has any of it
		}
		if failure, ok := errors.AsType[*apiError](sent); ok && failure.Code >= 500 {
			// It may have failed on the way.
			if have, err := l.get(ctx, t.store.names.transaction(id)); err != nil {
				sent = err
			} else if string(have.data) == committed {
				last, sent = have.seq, nil
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, refused := errors.AsType[*apiError](sent)
	if sent != nil && !refused && !errors.Is(sent, client.ErrPermissionViolation) {
		last, sent = t.store.settle(t.ctx, id, sent)
	}
	if sent == nil {
		t.number(last)
	}
	return sent
}

// batch returns the messages of the transaction. The last is its record, which commits
// it.
func (t *tx) batch(id string) ([]*client.Msg, error) {
	if len(t.writes) > maxWrites {
		return nil, fault.New(fault.TooLarge, fault.T("too much for one transaction: %d changes, at most %d", len(t.writes), maxWrites)).
			WithHint(fault.T("do it in several"))
	}
	var batch []*client.Msg
	add := func(subject string, data []byte) client.Header {
		h := client.Header{fieldBatch: {id}, fieldPlace: {strconv.Itoa(len(batch) + 1)}}
		batch = append(batch, &client.Msg{Subject: subject, Header: h, Data: data})
		return h
	}
	for _, w := range t.order {
		if w.dropped {
			continue
		}
		h := add(w.subject, w.data)
		if seen, ok := t.seen[w.subject]; ok {
			h.Set(fieldExpected, strconv.FormatUint(seen.seq, 10))
		}
		if w.removed {
			h.Set(fieldRemoved, "1")
			h.Set(fieldLife, tombstoneLife)
		}
		if w.last != 0 {
			h.Set(fieldLast, strconv.FormatUint(w.last, 10))
		}
	}
	h := add(t.store.names.transaction(id), []byte(committed))
	h.Set(fieldExpected, "0")
	h.Set(fieldLife, recordLife)
	h.Set(fieldCommit, "1")
	return batch, nil
}

// number sets the sequence numbers of the messages that were appended: those of a batch
// follow each other, and its record is the last.
func (t *tx) number(last uint64) {
	seq := last - uint64(len(t.writes))
	for _, w := range t.order {
		if w.dropped {
			continue
		}
		if w.message != nil {
			w.message.Seq = seq
		}
		seq++
	}
}

// send sends a batch and returns the sequence number of its last message.
func (l *link) send(ctx context.Context, batch ...*client.Msg) (uint64, error) {
	a, err := l.publish(batch...)
	if err != nil {
		return 0, err
	}
	defer a.close()
	for {
		m, err := a.next(ctx, commitTimeout)
		if err != nil {
			return 0, err
		}
		if len(m.Data) == 0 {
			continue // one that is not the last was taken
		}
		seq, err := decodeAck(m.Data, len(batch))
		if last := l.LastError(); is(err, codeIncomplete) && forbids(last, a.subjects...) {
			err = last // why it is incomplete
		}
		return seq, err
	}
}

// decodeAck decodes what the server says of a batch, or of a single message.
func decodeAck(body []byte, messages int) (uint64, error) {
	var ack struct {
		Error *apiError `json:"error"`
		Seq   uint64    `json:"seq"`
		Count int       `json:"count"`
	}
	if err := json.Unmarshal(body, &ack); err != nil {
		return 0, errAnswer
	}
	if ack.Error != nil {
		return 0, ack.Error
	}
	if ack.Seq < uint64(messages) || messages > 1 && ack.Count != messages {
		return 0, errAnswer
	}
	return ack.Seq, nil
}

// settle finds out what became of a transaction whose answer did not come, or sees to it
// that nothing does: then the error is errAborted. The sequence number is that of the
// transaction's record.
func (s *Store) settle(ctx context.Context, id string, cause error) (uint64, error) {
	within, cancel := context.WithTimeout(ctx, maxDoubt)
	defer cancel()
	for attempt := 0; ; attempt++ {
		l, _, err := s.connect(within)
		if err == nil {
			var last uint64
			if last, err = l.outcome(within, id); err == nil || errors.Is(err, errAborted) {
				return last, err
			}
		}
		if within.Err() != nil || !passing(err) || s.pause(within, attempt) != nil {
			return 0, s.doubtful(ctx, errors.Join(cause, err))
		}
	}
}

// outcome asks once.
func (l *link) outcome(ctx context.Context, id string) (uint64, error) {
	subject := l.names.transaction(id)
	_, err := l.send(ctx, &client.Msg{Subject: subject, Data: []byte(aborted),
		Header: client.Header{fieldExpected: {"0"}, fieldLife: {abortedLife}}})
	if err == nil {
		return 0, errAborted
	}
	if !is(err, codeWrongLast, codeBusySubject) {
		return 0, err
	}
	have, err := l.get(ctx, subject)
	switch {
	case err != nil:
		return 0, err
	case string(have.data) == committed:
		return have.seq, nil
	case string(have.data) == aborted:
		return 0, errAborted
	}
	return 0, errSilent // it is about to be stored
}

// doubtful is the fault for a transaction of which nobody knows whether it was
// committed.
func (s *Store) doubtful(ctx context.Context, cause error) error {
	code := fault.Unavailable
	if err := ctx.Err(); err != nil {
		code = fault.As(err).Code
	}
	return fault.New(code, fault.T("the store's server has not confirmed what was sent to it: it may be stored, or not")).
		WithHint(fault.T("look whether it is there; under the same id it is stored only once")).Because(cause)
}
