package find

import (
	"strconv"
	"time"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/search"
)

// perMatch is about how many bytes the JSON of a match has beside its path, and
// perDetails how many its size and time take.
const (
	perMatch   = 52
	perDetails = 52
)

// AppendJSON writes the result as its tags say. A tree may have very many files.
func (r Result) AppendJSON(b []byte) ([]byte, error) {
	size := len(b) + 256
	for i := range r.Matches {
		size += perMatch + len(r.Matches[i].Path)
		if !r.Matches[i].Modified.IsZero() {
			size += perDetails
		}
	}
	b = append(make([]byte, 0, size), b...)
	b = append(b, `{"matches":[`...)
	var err error
	for i := range r.Matches {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendMatch(b, &r.Matches[i])
	}
	b = append(b, ']')
	for _, m := range []schema.Member{
		{Name: "total", Value: r.Total}, {Name: "total_exact", Value: r.TotalExact}, {Name: "truncated", Value: r.Truncated}, {Name: "skipped", Value: r.Skipped},
	} {
		if b, err = schema.AppendMember(b, m.Name, m.Value); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendMatch(b []byte, m *search.Match) []byte {
	b = append(b, `{"path":`...)
	b = schema.AppendString(b, m.Path)
	b = append(append(append(b, `,"type":"`...), m.Type...), '"')
	if !m.Modified.IsZero() {
		b = strconv.AppendInt(append(b, `,"size":`...), m.Size, 10)
		b = m.Modified.AppendFormat(append(b, `,"modified":"`...), time.RFC3339)
		b = append(b, '"')
	}
	return append(append(append(b, `,"hit":"`...), m.Hit...), `"}`...)
}
