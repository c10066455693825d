package schedule

import (
	"encoding/json"
	"os"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
)

const (
	beatEvery = 10 * time.Second
	// A scheduler of another machine counts as dead after deadAfter without a beat,
	// measured by the observer's monotonic clock. An observer that looks only once must
	// compare the clocks of two machines, which may differ, and waits for deadByClock.
	deadAfter   = 45 * time.Second
	deadByClock = 3 * time.Minute
)

// What a member does.
const (
	kindRun  = "run"  // it waits for slots
	kindTick = "tick" // it carries out what is due, and ends
)

// member is a process that runs jobs: the value of the key cron/schedulers/ID.
type member struct {
	ID      string    `json:"id"`
	Kind    string    `json:"kind"`
	Host    string    `json:"host"`
	PID     int       `json:"pid"`
	Start   uint64    `json:"start,omitzero"`   // of the process, as the system counts
	Machine string    `json:"machine,omitzero"` // that the PID is of
	Since   time.Time `json:"since"`
	Beat    time.Time `json:"beat"`
}

// thisMember returns the member that this process becomes.
func thisMember(kind string, now time.Time) member {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown" // it is only shown
	}
	self := process.This()
	return member{
		ID: state.NewID(now), Kind: kind, Host: host, PID: self.PID, Start: self.Start, Machine: process.Machine(), Since: now, Beat: now,
	}
}

// here reports whether the member is a process of this machine, and whether it lives.
func (m *member) here() (here, alive bool) {
	if m.Machine == "" || m.Start == 0 || m.Machine != process.Machine() {
		return false, false
	}
	return true, process.ID{PID: m.PID, Start: m.Start}.Alive()
}

// late reports whether the heart of a member has not beaten for a time.
func (m *member) late(now time.Time, limit time.Duration) bool { return now.Sub(m.Beat) > limit }

// readMember reads the record of a scheduler. found is false if there is none.
func readMember(r store.Reader, id string) (m member, found bool, err error) {
	if !isName(id) {
		return member{}, false, nil
	}
	e, err := r.Get(schedulerKeys + id)
	if err != nil || e.Revision == 0 {
		return member{}, false, err
	}
	m, found = decodeMember(e)
	return m, found, nil
}

// decodeMember reads the record of a scheduler. If that is damaged it counts as none:
// one that lives writes it again.
func decodeMember(e store.Entry) (m member, ok bool) {
	err := json.Unmarshal(e.Value, &m)
	return m, err == nil && m.ID == strings.TrimPrefix(e.Key, schedulerKeys)
}

func putMember(tx store.Tx, m member) error {
	data, err := schema.Marshal(m)
	if err != nil {
		return err
	}
	return tx.Put(schedulerKeys+m.ID, data)
}

// register makes the scheduler known, unless it is. Whoever finds a run of it must be
// able to see whether it lives.
func (s *Scheduler) register(tx store.Tx, now time.Time) error {
	if _, known, err := readMember(tx, s.self.ID); err != nil || known {
		return err
	}
	self := s.self
	self.Beat = now
	return putMember(tx, self)
}

// dead reports whether another scheduler has died.
func (s *Scheduler) dead(r store.Reader, id string) (bool, error) {
	if id == s.self.ID {
		return false, nil
	}
	m, found, err := readMember(r, id)
	if err != nil || !found {
		return err == nil, err
	}
	return s.hasDied(&m), nil
}

// gone returns the keys of the records of those that have died.
func (s *Scheduler) gone(r store.Reader) (keys []string, err error) {
	entries, err := r.List(schedulerKeys)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		m, ok := decodeMember(e)
		if !ok || m.ID != s.self.ID && s.hasDied(&m) {
			keys = append(keys, e.Key)
		}
	}
	return keys, nil
}

func (s *Scheduler) hasDied(m *member) bool {
	if here, alive := m.here(); here {
		return !alive
	}
	if s.self.Kind == kindTick {
		return m.late(s.now(), deadByClock)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	seen, ok := s.seen[m.ID]
	if !ok || !seen.beat.Equal(m.Beat) {
		s.seen[m.ID] = observation{m.Beat, time.Now()}
		return false
	}
	return time.Since(seen.since) > deadAfter
}

// observation is the last heartbeat of another scheduler, and the time since when it is
// the last, by the monotonic clock.
type observation struct {
	beat  time.Time
	since time.Time
}
