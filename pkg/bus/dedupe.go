package bus

import (
	"time"

	"github.com/helve-dev/helve/pkg/state/store"
)

// repeatWindow is the time in which a repeated text to a conversation causes a warning.
const repeatWindow = 2 * time.Minute

// keys returns the keys of the store that identify a repeated message; each holds the id
// of the newest one. A dedupe key replaces all others.
func (m *Message) keys() []string {
	switch {
	case m.DedupeKey != "":
		return []string{store.DigestKey(prefix+"dedupe/", m.Channel, m.To, m.DedupeKey)}
	case m.Kind != KindMessage || m.Again != "":
		return nil
	}
	parts := []string{m.Session, m.Turn, m.Channel, m.To, m.ReplyTo, m.Content}
	for _, f := range m.Media {
		parts = append(parts, f.SHA)
	}
	return []string{store.DigestKey(prefix+"same/", parts...)}
}

// earlier returns the message that m would be a duplicate of; nil for none. repeated
// says that the same was sent a short time ago, but may be sent again.
func earlier(tx store.Tx, m *Message, keys []string, now time.Time) (before *store.Message, repeated bool, err error) {
	for _, key := range keys {
		e, err := tx.Get(key)
		if err != nil {
			return nil, false, err
		}
		if e.Revision == 0 {
			continue
		}
		found, err := tx.Find(stream, string(e.Value))
		if err != nil {
			return nil, false, err
		}
		switch {
		case found == nil: // it is not kept any more
		case m.DedupeKey != "" || m.Turn != "":
			return found, false, nil
		default:
			of, err := decode(found)
			repeated = err == nil && now.Sub(of.CreatedAt) < repeatWindow
		}
	}
	return nil, repeated, nil
}
