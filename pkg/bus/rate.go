package bus

import (
	"bytes"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/store"
)

// A session sends at most maxRate messages in rateWindow: more is a loop, which would
// flood a person.
const (
	maxRate    = 600
	rateWindow = time.Minute
	farthest   = 64 // times as far back numbers are looked at as there may be messages
)

// limit refuses a message of a session that sends too many. It keeps no count, on which
// all processes of a session would wait for each other: it looks at the messages
// themselves, and only if there were many of late. Processes that send at the same
// moment may go beyond the limit by as many as they are.
func (b *Bus) limit(r store.Reader, m *Message) error {
	if m.Kind != KindMessage || m.Session == "" {
		return nil
	}
	now := b.now()
	all, err := lately(r, now, b.rate)
	if err != nil || len(all) < b.rate {
		return err
	}
	mark, err := schema.Marshal(m.Session)
	if err != nil {
		return err
	}
	mark = append([]byte(`"session":`), mark...) // quotes in a text are escaped, so that no content has this
	sent := 0
	var first time.Time
	for _, one := range all {
		if now.Sub(one.Time) >= rateWindow || !bytes.Contains(one.Data, mark) {
			continue
		}
		if sent++; sent == 1 {
			first = one.Time
		}
	}
	if sent < b.rate {
		return nil
	}
	wait := max(time.Second, rateWindow-now.Sub(first)).Round(time.Second)
	return fault.New(fault.RateLimited, fault.T("session %s sent %d messages within a minute", m.Session, sent)).
		WithHint(fault.T("send fewer, each with more in it; the next one can be sent in %v", wait)).
		WithDetails(map[string]float64{"retry_after": wait.Seconds()})
}

// lately returns at least the messages of the last rateWindow, if there are more than
// most of them; else there may be fewer. It looks for the place where they begin: the
// numbers of a stream need not follow each other.
func lately(r store.Reader, now time.Time, most int) ([]store.Message, error) {
	last, err := r.Last(stream)
	if err != nil {
		return nil, err
	}
	for span := uint64(most); ; span *= 2 {
		from := last - min(span, last)
		first, err := r.Read(stream, from, 1)
		switch {
		case err != nil || len(first) == 0:
			return nil, err
		case from > 0 && span < farthest*uint64(most) && now.Sub(first[0].Time) < rateWindow:
		case span == uint64(most):
			return nil, nil // there cannot be more of them than numbers
		default:
			return r.Read(stream, from, int(last-from))
		}
	}
}
