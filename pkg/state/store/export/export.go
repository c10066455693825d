// Package export writes out what is in a store, for people and their programs.
package export

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/store"
)

// Entry is a key with its value, or a message of a stream. One of the last three fields
// holds the content: as JSON if possible, else as text, else as bytes.
type Entry struct {
	Kind     string          `json:"kind"` // key or message
	Key      string          `json:"key,omitzero"`
	Revision uint64          `json:"revision,omitzero"`
	Stream   string          `json:"stream,omitzero"`
	ID       string          `json:"id,omitzero"`
	Seq      uint64          `json:"seq,omitzero"`
	Time     time.Time       `json:"time,omitzero"`
	Value    json.RawMessage `json:"value,omitempty"`
	Text     *string         `json:"text,omitempty"`
	Bytes    []byte          `json:"bytes,omitempty"` // base64
}

// Counts count the exported records.
type Counts struct {
	Keys     int `json:"keys"`
	Streams  int `json:"streams"`
	Messages int `json:"messages"`
}

// page is the number of messages read at once.
const page = 50

// Each calls f with the keys of a store, in their order, and then with the messages of
// each stream. It may be called again for the same if the store must be asked again.
func Each(ctx context.Context, s store.Store, f func(Entry) error) (n Counts, err error) {
	lister, ok := s.(store.Lister)
	if !ok {
		return n, fault.New(fault.Unsupported, fault.T("this store cannot list its streams")).
			WithHint(fault.T("leave out store.url to use the store of this machine"))
	}
	streams, err := lister.Streams(ctx)
	if err != nil {
		return n, err
	}
	err = s.View(ctx, func(r store.Reader) error {
		n = Counts{Streams: len(streams)}
		entries, err := r.List("")
		if err != nil {
			return err
		}
		for _, e := range entries {
			n.Keys++
			if err := f(entryOf(Entry{Kind: "key", Key: e.Key, Revision: e.Revision}, e.Value)); err != nil {
				return err
			}
		}
		for _, stream := range streams {
			count, err := eachMessage(r, stream, f)
			n.Messages += count
			if err != nil {
				return err
			}
		}
		return context.Cause(ctx)
	})
	return n, err
}

func eachMessage(r store.Reader, stream string, f func(Entry) error) (n int, err error) {
	for after := uint64(0); ; {
		messages, err := r.Read(stream, after, page)
		if err != nil || len(messages) == 0 {
			return n, err
		}
		for _, m := range messages {
			n++
			after = m.Seq
			if err := f(entryOf(Entry{Kind: "message", Stream: m.Stream, ID: m.ID, Seq: m.Seq, Time: m.Time.UTC()}, m.Data)); err != nil {
				return n, err
			}
		}
	}
}

// entryOf puts data into an entry.
func entryOf(e Entry, data []byte) Entry {
	switch {
	case utf8.Valid(data) && json.Valid(data):
		e.Value = data
	case utf8.Valid(data):
		text := string(data)
		e.Text = &text
	default:
		e.Bytes = data
	}
	return e
}

// File writes the entries of a store into a new file, one JSON object a line.
func File(ctx context.Context, s store.Store, path string) (n Counts, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return n, fault.System(err, path)
	}
	n, err = lines(ctx, s, f, path)
	err = errors.Join(err, fault.System(f.Close(), path))
	if err != nil {
		return n, errors.Join(err, fault.System(os.Remove(path), path))
	}
	return n, nil
}

func lines(ctx context.Context, s store.Store, w io.Writer, path string) (Counts, error) {
	buffered := bufio.NewWriter(w)
	n, err := Each(ctx, s, func(e Entry) error {
		line, err := schema.Marshal(e)
		if err != nil {
			return err
		}
		_, err = buffered.Write(append(line, '\n'))
		return fault.System(err, path)
	})
	if err != nil {
		return n, err
	}
	return n, fault.System(buffered.Flush(), path)
}
