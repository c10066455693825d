// Package nats is the engine of a store that several hosts share: a NATS server with
// JetStream, from version 2.12 on.
//
// One stream of the server, helve-NAMESPACE, holds everything, so that one atomic batch
// is a transaction. It keeps one message of each subject, and the subjects are
//
//	helve.NAMESPACE.k.<key>           the value of a key, with dots between its parts
//	helve.NAMESPACE.m.<stream>.<id>   a message
//	helve.NAMESPACE.h.<stream>        the last sequence number of a stream, if its newest message was removed
//	helve.NAMESPACE.t.<transaction>   the outcome of a transaction, for two minutes
//	helve.NAMESPACE.bell.>            what was stored, without its data; not in the stream
//
// Revisions and sequence numbers are those of the stream. What is removed is replaced
// by a tombstone, which the server forgets after two minutes. Whoever writes a subject
// that it has read says which revision it saw, and the server refuses the batch if there
// is another one.
//
// Each batch ends with the record of its transaction, whose subject must be new. If the
// connection is cut before the answer, that decides what became of it: a record that
// says "aborted" is written to the same subject, which either finds the transaction
// committed or keeps it from ever being so. See [Store.Update].
//
// Reads ask the stream's leader, or the only server that has the stream; never a
// replica, which may not know yet what this process has written. JetStream elects a
// leader anew when it is cut off; the old one may answer reads for a moment longer.
//
// The server acknowledges what the operating system has taken. To lose nothing when the
// machine loses its power, its configuration needs sync_interval: always, or a stream
// with replicas.
package nats

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	client "github.com/nats-io/nats.go"

	"github.com/helve-dev/helve/pkg/state/store"
)

// Store is a namespace on a server. It connects when it is first used, and again after
// the connection was lost.
type Store struct {
	names    subjects
	options  client.Options
	replicas int // of a stream that is made; 0 leaves it to the size of the cluster

	gate   chan struct{} // holds one value while somebody looks at or changes link
	link   *link         // nil before the first connection
	closed chan struct{}
	once   atomic.Bool // closed was closed
}

var _ store.Store = (*Store)(nil)

const (
	dialTimeout    = 5 * time.Second  // to connect
	requestTimeout = 5 * time.Second  // for an answer
	commitTimeout  = 10 * time.Second // for that of a transaction, which waits for a disk
	writeTimeout   = 30 * time.Second // for the bytes of a request
	patience       = 15 * time.Second // with a server that answered before and does not now, and with an election
)

// errSilent says that a server did not answer in time.
var errSilent = errors.New("no answer")

// errClosed says that the store was closed.
var errClosed = errors.New("the store is closed")

// Close ends the connection.
func (s *Store) Close() error {
	if s.once.Swap(true) {
		return nil
	}
	close(s.closed)
	s.gate <- struct{}{}
	if s.link != nil {
		s.link.Close()
	}
	<-s.gate
	return nil
}

// usable returns why there is no point in beginning.
func (s *Store) usable(ctx context.Context) error {
	if s.once.Load() {
		return s.fault(errClosed)
	}
	return ctx.Err()
}

// connect returns a connection that was alive a moment ago. known says that the server
// answered this process before.
func (s *Store) connect(ctx context.Context) (l *link, known bool, err error) {
	select {
	case s.gate <- struct{}{}:
	case <-ctx.Done():
		return nil, true, ctx.Err()
	}
	defer func() { <-s.gate }()
	if s.once.Load() {
		return nil, false, errClosed
	}
	known = s.link != nil
	old := s.link
	if known && !old.IsClosed() {
		select {
		case <-old.leaving:
		default:
			return old, true, nil
		}
	}
	l, err = s.dial(ctx)
	if err == nil {
		known = true // it answers, though the stream may have no leader yet
		if err = l.prepare(ctx, s.replicas); err != nil {
			l.Close()
		}
	}
	switch {
	case err == nil:
		s.link = l
		if old != nil {
			time.AfterFunc(commitTimeout, old.Close) // what was asked there is answered before
		}
		return l, true, nil
	case known && old != nil && !old.IsClosed():
		return old, true, nil // its server goes, but there is no other
	}
	return nil, known, err
}

// try calls f with a connection. While the server is away that was there before, it
// waits for some seconds and calls f again.
func (s *Store) try(ctx context.Context, f func(context.Context, *link) error) error {
	began := time.Now()
	for attempt := 0; ; attempt++ {
		l, known, err := s.connect(ctx)
		if err == nil {
			err = f(ctx, l)
		}
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !known || !passing(err) || time.Since(began) > patience {
			return s.fault(err)
		}
		if err := s.pause(ctx, attempt); err != nil {
			return err
		}
	}
}
