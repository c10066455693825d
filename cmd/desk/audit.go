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

// maxTrail limits the bytes of records kept in memory. The log itself keeps fewer.
const maxTrail = 48 << 20

// trail is the audit log of a workspace, read once.
type trail struct {
	mu         sync.Mutex
	follower   *state.Follower
	records    []trailed
	bytes      int
	unreadable int
	tools      []string // that have records, sorted
	sessions   []string

	asked overview.Query // whose matches are found
	found []int          // records that match, the oldest first
	upTo  int            // records that were looked at
}

// trailed is one record.
type trailed struct {
	raw  json.RawMessage
	said overview.Audited
}

func newTrail(l *state.Log) *trail { return &trail{follower: l.Follow()} }

// update reads what is new. The caller holds the lock.
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
		t.records = append(t.records, trailed{slices.Clone(raw), said})
		t.bytes += len(raw)
		t.tools, t.sessions = added(t.tools, said.Tool), added(t.sessions, said.Session)
	}
	drop := 0
	for t.bytes > maxTrail {
		t.bytes -= len(t.records[drop].raw)
		drop++
	}
	if drop > 0 {
		t.records = slices.Clone(t.records[drop:])
		t.found, t.upTo = nil, 0
	}
	return nil
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
func (t *trail) match(q overview.Query) []int {
	if q != t.asked {
		t.asked, t.found, t.upTo = q, nil, 0
	}
	for ; t.upTo < len(t.records); t.upTo++ {
		if r := &t.records[t.upTo]; q.Selects(&r.said, r.raw) {
			t.found = append(t.found, t.upTo)
		}
	}
	return t.found
}

// auditPage is a part of the records that a query selects. Offset counts from the oldest,
// so that it stays when records are added.
type auditPage struct {
	Entries    []json.RawMessage `json:"entries"` // the oldest first
	Offset     int               `json:"offset"`
	Matched    int               `json:"matched"`
	Total      int               `json:"total"`
	Unreadable int               `json:"unreadable,omitzero"`
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
	found := t.match(q)
	if offset < 0 {
		offset = max(0, len(found)-limit)
	}
	result := auditPage{Entries: []json.RawMessage{}, Offset: offset, Matched: len(found), Total: len(t.records), Unreadable: t.unreadable, Tools: slices.Clone(t.tools), Sessions: slices.Clone(t.sessions)}
	for _, i := range found[min(offset, len(found)):min(offset+limit, len(found))] {
		result.Entries = append(result.Entries, t.records[i].raw)
	}
	if result.Tools == nil {
		result.Tools, result.Sessions = []string{}, []string{}
	}
	return result, nil, nil
}
