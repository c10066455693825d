// Package store is a store that several processes share, perhaps on several hosts:
// streams of messages and keys with revisions. It specifies an engine and implements the
// parts common to all of them, such as consumers. The engines are the packages below; one
// suite of tests, package storetest, checks each.
//
// A process that uses a store may die at any moment. The writes of an Update that
// returned nil stay; those of another one are there completely or not at all.
package store

import (
	"context"
	"time"
)

// Store is streams and keys. Its methods may be called from several goroutines.
//
// A name of a stream, and each part of a key between slashes, has 1 to 128 characters
// of a-z A-Z 0-9 and ._-+@: and does not begin with a dot; a key has at most 8 parts.
// The fault for another name is invalid_arguments. Data has at most [MaxData] bytes; the
// fault is too_large.
//
// The fault for a store that cannot be reached in time is unavailable, which may be
// tried again; for one whose bytes are damaged bad_document; for one that a newer
// helve has written unsupported. When a context ends, so does the call, with the cause.
// After Close all methods but Close return an error.
//
// The functions f given to View and Update must not call methods of a store: they would
// wait for themselves. If f panics, nothing is written, and the store works on.
type Store interface {
	// View reads. All that f reads with the bolt engine is of one moment; with NATS each
	// read is of the moment it is made.
	View(ctx context.Context, f func(Reader) error) error

	// Update carries f out as one transaction: all that it wrote, or nothing if f fails
	// or ctx ends before the commit. If the connection or the disk fails during the
	// commit, that is an error, and all of it may be there nevertheless, or nothing.
	//
	// If a key that f wrote has changed since f read it, or a stream got a message with
	// an id that f appended, f runs again from the beginning: it must do nothing else
	// that counts. What f reads and does not write may have changed when it commits.
	Update(ctx context.Context, f func(Tx) error) error

	// Watch returns a channel that receives after the store may have changed, by any
	// process, until ctx ends; then it is closed. Several changes may be one value, and
	// there may be values without a change. Whoever waits for something opens the
	// channel, looks, waits, and looks again.
	Watch(ctx context.Context) (<-chan struct{}, error)

	// Close releases what the store holds. It need not be called by a process that ends.
	Close() error
}

// Lister is a store that can list its streams. Both engines are.
type Lister interface {
	// Streams returns the names of the streams that have messages, in order.
	Streams(ctx context.Context) ([]string, error)
}

// MaxData is the largest value of a key, and message of a stream, in bytes.
const MaxData = 512 << 10

// MaxWrites limits the keys and messages that a transaction writes.
const MaxWrites = 500

// Reader reads streams and keys. It is valid until the function that it was given to
// returns, and belongs to its goroutine. What it returns is the caller's to keep.
type Reader interface {
	// Get returns the entry of a key. If there is none, its Revision is 0.
	Get(key string) (Entry, error)
	// List returns the entries below a prefix, such as "jobs/", in the order of their
	// keys.
	List(prefix string) ([]Entry, error)
	// Read returns up to limit messages of a stream after a sequence number, oldest
	// first; none if limit is below 1. A stream that nobody has written to is empty.
	Read(stream string, after uint64, limit int) ([]Message, error)
	// Find returns the message of a stream with an id; nil if there is none.
	Find(stream, id string) (*Message, error)
	// Last returns the sequence number of the newest message that the stream ever had;
	// 0 if it had none.
	Last(stream string) (uint64, error)
}

// Tx reads and writes. It sees what it has written itself, except what List, Read and
// Last return of it, which may be as before.
type Tx interface {
	Reader
	// Put sets the value of a key.
	Put(key string, value []byte) error
	// Delete removes a key. One that is not there is no error.
	Delete(key string) error
	// Append adds a message to a stream under a unique id. If the stream has a message
	// with that id already, nothing is added: added is false, and m is the existing
	// message. An id can be used again after its message was removed. The Seq of an added
	// message is set once Update has returned nil.
	Append(stream, id string, data []byte) (m *Message, added bool, err error)
	// Remove removes a message of a stream. One that is not there is no error.
	Remove(stream, id string) error
}

// Entry is a key with its value.
type Entry struct {
	Key      string
	Value    []byte
	Revision uint64 // grows with every change of the key; 0 says that there is none
}

// Message is a message of a stream.
type Message struct {
	Stream string
	ID     string // unique in the stream while the message is kept
	Seq    uint64 // grows along the stream, not always by one
	Data   []byte
	Time   time.Time // when it was appended, by the clock of the engine
}
