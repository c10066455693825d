package bus

import (
	"bytes"
	"sync"
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
	farthest   = 64  // times as far back numbers are looked at as there may be messages
	readAtOnce = 256 // messages, so that those of a busy minute are not in memory together
)

// window is the messages of the last rateWindow that this process has looked at.
type window struct {
	mu   sync.Mutex
	seen uint64 // number of the newest
	sent []stamp
	// sessions are numbers for the sessions, which are written as JSON, with quotes.
	sessions map[string]int
}

// stamp is the time and the session of a message.
type stamp struct {
	at      int64 // nanoseconds since 1970
	session int
}

// limit refuses a message of a session that sends too many. It keeps no count in the store,
// on which all processes of a session would wait for each other: it looks at the messages
// themselves, and only if there were many of late. Processes that send at the same
// moment may go beyond the limit by as many as they are.
func (b *Bus) limit(r store.Reader, m *Message) error {
	if m.Kind != KindMessage || m.Session == "" {
		return nil
	}
	now := b.now()
	first, last, err := lately(r, now, b.rate)
	if err != nil || first == last {
		return err
	}
	session, err := schema.Marshal(m.Session)
	if err != nil {
		return err
	}
	sent, since, err := b.window.count(r, now, first, last, session)
	if err != nil || sent < b.rate {
		return err
	}
	wait := max(time.Second, rateWindow-now.Sub(since)).Round(time.Second)
	return fault.New(fault.RateLimited, fault.T("session %s sent %d messages within a minute", m.Session, sent)).
		WithHint(fault.T("send fewer, each with more in it; the next one can be sent in %v", wait)).
		WithDetails(map[string]float64{"retry_after": wait.Seconds()})
}

// count returns how many of the messages after first, up to last, a session has sent within
// rateWindow, and when it began to. It reads those that it has not seen.
func (w *window) count(r store.Reader, now time.Time, first, last uint64, session []byte) (n int, since time.Time, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.sessions == nil || w.seen < first || w.seen > last {
		w.seen, w.sent, w.sessions = first, nil, map[string]int{}
	}
	for {
		some, err := r.Read(stream, w.seen, readAtOnce)
		if err != nil {
			return 0, since, err
		}
		for i := range some {
			w.seen = some[i].Seq
			w.sent = append(w.sent, stamp{some[i].Time.UnixNano(), w.number(sessionOf(some[i].Data))})
		}
		if len(some) < readAtOnce {
			break
		}
	}
	begin, old := now.Add(-rateWindow).UnixNano(), 0
	for old < len(w.sent) && w.sent[old].at <= begin {
		old++
	}
	w.sent = w.sent[old:]
	own := w.number(session)
	for _, one := range w.sent {
		if one.at > begin && one.session == own {
			if n++; n == 1 {
				since = time.Unix(0, one.at)
			}
		}
	}
	return n, since, nil
}

// number returns the number of a session.
func (w *window) number(session []byte) int {
	n, ok := w.sessions[string(session)]
	if !ok {
		n = len(w.sessions)
		w.sessions[string(session)] = n
	}
	return n
}

// sessionOf returns the session of a message as it is written there, with quotes; nil if it
// has none. Quotes in a text are escaped, so that no content has this.
func sessionOf(data []byte) []byte {
	_, rest, ok := bytes.Cut(data, []byte(`"session":`))
	if !ok {
		return nil
	}
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '"':
			return rest[:i+1]
		}
	}
	return nil
}

// lately returns the numbers between which the messages of the last rateWindow are, the
// first one not among them, if there are more than most of them; else there may be fewer,
// or the numbers are the same. It looks for the place where they begin: the numbers of a
// stream need not follow each other.
func lately(r store.Reader, now time.Time, most int) (after, last uint64, err error) {
	if last, err = r.Last(stream); err != nil {
		return 0, 0, err
	}
	for span := uint64(most); ; span *= 2 {
		after = last - min(span, last)
		first, err := r.Read(stream, after, 1)
		switch {
		case err != nil || len(first) == 0:
			return 0, 0, err
		case after > 0 && span < farthest*uint64(most) && now.Sub(first[0].Time) < rateWindow:
		case span == uint64(most):
			return 0, 0, nil // there cannot be more of them than numbers
		default:
			return after, last, nil
		}
	}
}
