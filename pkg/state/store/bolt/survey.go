package bolt

import (
	"errors"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/state/store/bolt/pages"
)

// Counts count the records of a store.
type Counts struct {
	Keys     int `json:"keys"`
	Streams  int `json:"streams"`
	Messages int `json:"messages"`
}

// Damage is something that is wrong with the file.
type Damage struct {
	Page   uint64 `json:"page"`
	Kind   string `json:"kind"` // one of package pages, or one of those below
	Record string `json:"record,omitzero"`
}

// Further kinds of damage.
const (
	badIndex   = "index"   // a message and the record of its id do not fit
	badCounter = "counter" // a number is above the counter that it was drawn from
	badFormat  = "format"  // the version of the layout is missing
	badBolt    = "bbolt"   // found by bbolt's own check alone
)

// name is the id of a message in a stream.
type name struct{ stream, id string }

// survey is everything that can be read in a file, and what is wrong with it.
type survey struct {
	*pages.Result
	damage  []Damage
	broken  []string // the keys of the records that cannot be read
	format  uint64   // 0 if it could not be read
	highest uint64   // of all revisions and sequence numbers
	entries map[string]uint64
	found   map[name]uint64 // the messages
	indexed map[name]uint64 // the records of their ids
	newest  map[string]uint64
	sink    sink
}

// sink takes the records that are right. The last one for a key counts.
type sink interface {
	put(at, sealed []byte) error
	remove(at []byte) error
}

// surveyFile reads a file, whatever its damage, and gives the entries and the messages in
// it to a sink.
func surveyFile(r io.ReaderAt, size int64, to sink) (*survey, error) {
	s := &survey{
		entries: map[string]uint64{}, found: map[name]uint64{}, indexed: map[name]uint64{}, newest: map[string]uint64{},
		sink: to,
	}
	result, err := pages.Walk(r, size, bucketName, s.record)
	if err != nil {
		return nil, err
	}
	s.Result = result
	first := make([]Damage, 0, len(result.Damage)+len(s.damage))
	for _, d := range result.Damage {
		first = append(first, Damage{d.Page, string(d.Kind), shown(string(d.Key))})
	}
	s.damage = append(first, s.damage...)
	if !result.Missing {
		s.compare()
	}
	return s, nil
}

// record takes in one record. Those of pages that nothing leads to may be older than
// the one for the same key that is known.
func (s *survey) record(r pages.Record) error {
	err := errRecord
	switch {
	case len(r.Key) == 0:
	case r.Key[0] == formatTag && len(r.Key) == 1:
		s.format, err = unsealNumber(r.Key, r.Value)
	case r.Key[0] == keyTag:
		err = s.entry(r)
	case r.Key[0] == newestTag:
		var seq uint64
		if seq, err = unsealNumber(r.Key, r.Value); err == nil {
			stream := string(r.Key[1:])
			s.newest[stream] = max(s.newest[stream], seq)
			s.highest = max(s.highest, seq)
		}
	case r.Key[0] == messageTag:
		err = s.message(r)
	case r.Key[0] == nameTag:
		var seq uint64
		if stream, id, ok := splitNameKey(r.Key); ok {
			if seq, err = unsealNumber(r.Key, r.Value); err == nil {
				at := name{stream, id}
				s.indexed[at] = max(s.indexed[at], seq)
			}
		}
	}
	if !errors.Is(err, errRecord) {
		return err
	}
	if !r.Stray {
		s.note(r.Page, string(pages.Element), string(r.Key))
		s.broken = append(s.broken, string(r.Key))
	}
	return nil
}

func (s *survey) entry(r pages.Record) error {
	e, err := unsealEntry(r.Key, r.Value)
	if err != nil || e.Revision <= s.entries[e.Key] {
		return err
	}
	s.entries[e.Key] = e.Revision
	s.highest = max(s.highest, e.Revision)
	return s.sink.put(r.Key, r.Value)
}

func (s *survey) message(r pages.Record) error {
	m, err := unsealMessage(r.Key, r.Value)
	if err != nil {
		return err
	}
	at := name{m.Stream, m.ID}
	known := s.found[at]
	if m.Seq <= known {
		return nil
	}
	if known > 0 { // an id comes again only after its first message was removed
		if err := s.sink.remove(messageKey(m.Stream, known)); err != nil {
			return err
		}
		if !r.Stray {
			s.note(r.Page, badIndex, string(r.Key))
		}
	}
	s.found[at] = m.Seq
	s.highest = max(s.highest, m.Seq)
	return s.sink.put(r.Key, r.Value)
}

// compare notes the records that do not fit together. Where records are lost, that is
// no further damage.
func (s *survey) compare() {
	whole := len(s.Lost) == 0 && len(s.broken) == 0
	for at, seq := range s.found {
		if whole && s.indexed[at] != seq {
			s.note(0, badIndex, string(nameKey(at.stream, at.id)))
		}
		if whole && s.newest[at.stream] < seq {
			s.note(0, badIndex, string(newestKey(at.stream)))
		}
		s.newest[at.stream] = max(s.newest[at.stream], seq)
	}
	for at, seq := range s.indexed {
		if whole && s.found[at] == 0 {
			s.note(0, badIndex, string(messageKey(at.stream, seq)))
		}
	}
	if whole && s.format == 0 {
		s.note(0, badFormat, "")
	}
	if whole && s.highest > s.Sequence {
		s.note(0, badCounter, "")
	}
}

func (s *survey) note(page uint64, kind, key string) {
	s.damage = append(s.damage, Damage{page, kind, shown(key)})
}

// counts returns how much was found.
func (s *survey) counts() Counts {
	c := Counts{Keys: len(s.entries), Messages: len(s.found)}
	streams := map[string]bool{}
	for at := range s.found {
		streams[at.stream] = true
	}
	c.Streams = len(streams)
	return c
}

// shown returns the key of a record as people read it.
func shown(key string) string {
	if key == "" {
		return ""
	}
	stream, seq, isMessage := splitMessageKey([]byte(key))
	of, id, isName := splitNameKey([]byte(key))
	switch {
	case isMessage:
		return numbered(stream, seq)
	case isName:
		return of + "/" + id
	case key[0] == keyTag, key[0] == newestTag:
		return strings.ToValidUTF8(key[1:], "?")
	}
	return strings.ToValidUTF8(key, "?")
}
