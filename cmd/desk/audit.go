package desk

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"

	"github.com/helve-dev/helve/cmd/overview"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// trail is the audit log of a workspace, read once. The records themselves stay in the log.
type trail struct {
	mu         sync.Mutex
	log        *state.Log
	follower   *state.Follower
	records    []trailed
	unreadable int
	texts      []string          // of the records, each once
	numbers    map[string]uint32 // of the texts
	tools      []string          // that have records, sorted
	sessions   []string

	asked overview.Query // whose matches are found
	found []int          // records that match, the oldest first
	upTo  int            // records that were looked at
}

// trailed is one record, by which it is selected.
type trailed struct {
	at                            state.Place
	tool, session, event, outcome uint32 // numbers of texts
}

func newTrail(l *state.Log) *trail {
	return &trail{log: l, follower: l.Follow(), numbers: map[string]uint32{}}
}

// update reads what is new, and forgets what the log has dropped. The caller holds the lock.
func (t *trail) update() error {
	for raw, err := range t.follower.Records() {
		if fault.Is(err, fault.TooLarge) {
			t.unreadable++
			continue
		}
		if err != nil {
			return err
		}
		said, ok := overview.Read(raw)
		if !ok {
			t.unreadable++
			continue
		}
		t.records = append(t.records, trailed{t.follower.Place(), t.number(said.Tool), t.number(said.Session), t.number(said.Event), t.number(said.Outcome)})
		t.tools, t.sessions = added(t.tools, said.Tool), added(t.sessions, said.Session)
	}
	newest := t.follower.Place().Generation
	if gone := slices.IndexFunc(t.records, func(r trailed) bool { return r.at.Generation >= newest-1 }); gone > 0 {
		t.records = slices.Clone(t.records[gone:])
		t.found, t.upTo = nil, 0
	}
	return nil
}

// number returns the number of a text.
func (t *trail) number(text string) uint32 {
	n, ok := t.numbers[text]
	if !ok {
		n = uint32(len(t.texts))
		t.texts = append(t.texts, text)
		t.numbers[text] = n
	}
	return n
}

// added returns a sorted list with a name.
func added(names []string, name string) []string {
	i, there := slices.BinarySearch(names, name)
	if there {
		return names
	}
	return slices.Insert(names, i, name)
}

// match finds the records that a query selects. The caller holds the lock.
func (t *trail) match(q overview.Query, again *state.Again) ([]int, error) {
	if q != t.asked {
		t.asked, t.found, t.upTo = q, nil, 0
	}
	for ; t.upTo < len(t.records); t.upTo++ {
		r := &t.records[t.upTo]
		var raw []byte
		if q.Text != "" {
			var err error
			if raw, _, err = again.Record(r.at); err != nil {
				return nil, err
			}
		}
		said := overview.Audited{Tool: t.texts[r.tool], Session: t.texts[r.session], Event: t.texts[r.event], Outcome: t.texts[r.outcome]}
		if q.Selects(&said, raw) {
			t.found = append(t.found, t.upTo)
		}
	}
	return t.found, nil
}

// auditPage is a part of the records that a query selects. Offset counts from the oldest,
// so that it stays when records are added.
type auditPage struct {
	Entries    []json.RawMessage `json:"entries"` // the oldest first
	Offset     int               `json:"offset"`
	Matched    int               `json:"matched"`
	Total      int               `json:"total"`
	Unreadable int               `json:"unreadable,omitzero"`
	Dropped    int               `json:"dropped,omitzero"` // older ones, when the log was full
	Tools      []string          `json:"tools"`
	Sessions   []string          `json:"sessions"`
}

// audit returns a page of the audit log: limit records from offset on, the last ones
// without an offset.
func (d *Desk) audit(r *http.Request) (any, []fault.Text, error) {
	p, err := d.at(r)
	if err != nil {
		return nil, nil, err
	}
	const most = 1000
	limit, err := number(r, "limit", 200, 1, most)
	if err != nil {
		return nil, nil, err
	}
	offset, err := number(r, "offset", -1, 0, 1<<30)
	if err != nil {
		return nil, nil, err
	}
	v := r.URL.Query()
	q := overview.Query{Tool: v.Get("tool"), Event: v.Get("event"), Session: v.Get("session"), Outcome: v.Get("outcome"), Text: v.Get("text")}
	t := p.log
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.update(); err != nil {
		return nil, nil, err
	}
	again, err := t.follower.Again()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = again.Close() }() // what was read is right all the same
	found, err := t.match(q, again)
	if err != nil {
		return nil, nil, err
	}
	dropped, err := t.log.Dropped()
	if err != nil {
		return nil, nil, err
	}
	if offset < 0 {
		offset = max(0, len(found)-limit)
	}
	result := auditPage{
		Entries: []json.RawMessage{}, Offset: offset, Matched: len(found), Total: len(t.records), Unreadable: t.unreadable, Dropped: dropped,
		Tools: append([]string{}, t.tools...), Sessions: append([]string{}, t.sessions...),
	}
	for _, i := range found[min(offset, len(found)):min(offset+limit, len(found))] {
		raw, ok, err := again.Record(t.records[i].at)
		if err != nil {
			return nil, nil, err
		}
		if ok { // else it was dropped just now, and the page asks again
			result.Entries = append(result.Entries, slices.Clone(raw))
		}
	}
	return result, nil, nil
}
