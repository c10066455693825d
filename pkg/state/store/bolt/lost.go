package bolt

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/helve-dev/helve/pkg/state/store/bolt/pages"
)

// Lost is a record that could not be saved, or records whose names are not known.
type Lost struct {
	Kind string `json:"kind"`          // key, message, keys or messages
	Name string `json:"name,omitzero"` // of a record: the key, or stream/id, or stream#number of a message
	From string `json:"from,omitzero"` // of several: the first name that they may have; none is without a bound
	To   string `json:"to,omitzero"`   // and the one behind the last
}

// losses returns what was lost, as exactly as it is known. The records of ids and of the
// newest numbers are made again from the messages, so they are no loss.
func (s *survey) losses() []Lost {
	var lost []Lost
	numbers := map[string]bool{}
	for at, seq := range s.indexed {
		if s.found[at] == 0 {
			lost = append(lost, Lost{Kind: "message", Name: at.stream + "/" + at.id})
			numbers[numbered(at.stream, seq)] = true
		}
	}
	for _, key := range s.broken {
		switch name := shown(key); {
		case key == "":
		case key[0] == keyTag && s.entries[name] == 0:
			lost = append(lost, Lost{Kind: "key", Name: name})
		case key[0] == messageTag && !numbers[name]:
			lost = append(lost, Lost{Kind: "message", Name: name})
		}
	}
	for _, span := range s.Lost {
		if l, ok := clip(span, keyTag); ok {
			lost = append(lost, Lost{Kind: "keys", From: l.From, To: l.To})
		}
		// If all ids could be read, the messages that are lost are named above.
		if l, ok := clip(span, messageTag); ok && s.idsLost() {
			lost = append(lost, Lost{Kind: "messages", From: l.From, To: l.To})
		}
	}
	slices.SortFunc(lost, func(a, b Lost) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return slices.Compact(lost)
}

// idsLost reports whether records of ids may be lost.
func (s *survey) idsLost() bool {
	isName := func(key string) bool { return key != "" && key[0] == nameTag }
	return slices.ContainsFunc(s.broken, isName) ||
		slices.ContainsFunc(s.Lost, func(span pages.Span) bool {
			_, ok := clip(span, nameTag)
			return ok
		})
}

// clip returns the names of a span that records with a tag can have.
func clip(span pages.Span, tag byte) (names Lost, ok bool) {
	begin, end := []byte{tag}, []byte{tag + 1}
	if bytes.Compare(span.From, end) >= 0 || span.To != nil && bytes.Compare(span.To, begin) <= 0 {
		return names, false
	}
	if bytes.Compare(span.From, begin) > 0 {
		names.From = shown(string(span.From))
	}
	if span.To != nil && bytes.Compare(span.To, end) < 0 {
		names.To = shown(string(span.To))
	}
	return names, true
}

func numbered(stream string, seq uint64) string {
	return stream + "#" + strconv.FormatUint(seq, 10)
}
