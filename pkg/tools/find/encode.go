package find

import (
	"io"
	"reflect"
	"strconv"
	"time"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/workspace"
)

// piece is the number of bytes of JSON written at a time.
const piece = 32 << 10

// mostJSON returns at least the size of the JSON of that many matches, whose paths
// have that many bytes in all: an escaped byte takes six.
func mostJSON(matches, paths int) int {
	const perMatch, rest = 150, 1 << 10
	return matches*perMatch + 6*paths + rest
}

// mostLeft returns at least the size of the JSON of not_entered.
func mostLeft(left []NotEntered) (most int) {
	const perDirectory = 50
	for _, l := range left {
		most += perDirectory + 6*len(l.Path)
	}
	return most
}

// MostJSON returns how many bytes the JSON takes at most.
func (r Result) MostJSON() int { return r.most }

// JSONSchema describes the JSON that WriteJSON writes: its tags say all of it but what a
// match is.
func (r Result) JSONSchema() schema.Document {
	type tagged Result // without this method
	type match struct {
		Path     string      `json:"path"`
		Type     search.Type `json:"type"`
		Size     int64       `json:"size,omitzero"`
		Modified time.Time   `json:"modified,omitzero"`
		Hit      string      `json:"hit"`
	}
	d := described(reflect.TypeFor[tagged]())
	properties := d.Get("properties").(schema.Document)
	return d.With("properties", properties.With("matches", described(reflect.TypeFor[[]match]())))
}

func described(t reflect.Type) schema.Document {
	d, err := schema.ResultOf(t)
	if err != nil {
		panic(err) // a test describes the results of all tools
	}
	return d
}

// WriteJSON writes the result as its tags say, a piece at a time: a tree may have
// very many files.
func (r Result) WriteJSON(w io.Writer) error {
	b := append(make([]byte, 0, piece+workspace.MaxPath), `{"matches":[`...)
	var start []byte // of a match, as long as prefix stays the same
	prefix, first := "", true
	for m := range r.Matches {
		if first || m.Prefix != prefix {
			prefix = m.Prefix
			start = schema.AppendText(append(start[:0], `{"path":"`...), prefix)
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		if b = appendMatch(append(b, start...), &m); len(b) >= piece {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	b = append(b, ']')
	var err error
	members := []schema.Member{{Name: "total", Value: r.Total}, {Name: "total_exact", Value: r.TotalExact}, {Name: "truncated", Value: r.Truncated}}
	if r.NextOffset > 0 {
		members = append(members, schema.Member{Name: "next_offset", Value: r.NextOffset})
	}
	members = append(members, schema.Member{Name: "skipped", Value: r.Skipped})
	if len(r.NotEntered) > 0 {
		members = append(members, schema.Member{Name: "not_entered", Value: r.NotEntered})
	}
	for _, m := range members {
		if b, err = schema.AppendMember(b, m.Name, m.Value); err != nil {
			return err
		}
	}
	_, err = w.Write(append(b, '}'))
	return err
}

// appendMatch appends what follows the prefix of a match's path.
func appendMatch(b []byte, m *search.Match) []byte {
	b = schema.AppendText(b, m.Name)
	b = append(append(append(b, `","type":"`...), m.Type...), '"')
	if !m.Modified.IsZero() {
		b = strconv.AppendInt(append(b, `,"size":`...), m.Size, 10)
		b = m.Modified.AppendFormat(append(b, `,"modified":"`...), time.RFC3339)
		b = append(b, '"')
	}
	return append(append(append(b, `,"hit":"`...), m.Hit...), `"}`...)
}
