package agent

import (
	"encoding/json"
	"os"
	"slices"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/store"
)

// place returns the machine that a worker is on; where that is not known, its host.
func (w *Worker) place() string {
	if w.Machine != "" {
		return w.Machine
	}
	return "host " + w.Host
}

// hostname returns the name of this host.
func hostname() string {
	host, err := os.Hostname()
	if err != nil {
		return "unknown" // as all processes here find
	}
	return host
}

// slots is the jobs that run on a machine. All that claim jobs there read and write its
// key, so that there are never more than the limit.
type slots struct {
	Place string   `json:"place"`
	Jobs  []string `json:"jobs"`
}

func readSlots(r store.Reader, place string) (slots, error) {
	e, err := r.Get(store.DigestKey(machineKeys, place))
	if err != nil || e.Revision == 0 {
		return slots{Place: place}, err
	}
	if s, ok := decodeSlots(e); ok && s.Place == place {
		return s, nil
	}
	return countSlots(r, place)
}

// decodeSlots reads the value of a key of machineKeys.
func decodeSlots(e store.Entry) (s slots, ok bool) {
	err := json.Unmarshal(e.Value, &s)
	return s, err == nil && e.Key == store.DigestKey(machineKeys, s.Place)
}

// countSlots returns the jobs that run on a machine by their records: for a key that is
// damaged.
func countSlots(r store.Reader, place string) (slots, error) {
	all, err := list(r)
	s := slots{Place: place}
	for i := range all {
		if j := &all[i]; j.runs() && j.Worker.place() == place {
			s.Jobs = append(s.Jobs, j.ID)
		}
	}
	return s, err
}

func (s *slots) put(tx store.Tx) error {
	key := store.DigestKey(machineKeys, s.Place)
	if len(s.Jobs) == 0 {
		return tx.Delete(key)
	}
	data, err := schema.Marshal(s)
	if err != nil {
		return err
	}
	return tx.Put(key, data)
}

// leave takes a job out of the queue, or of the jobs that run on its machine.
func (j *Job) leave(tx store.Tx) error {
	if j.Queued {
		return tx.Delete(j.queueKey())
	}
	if j.Worker == nil {
		return nil
	}
	s, err := readSlots(tx, j.Worker.place())
	if err != nil {
		return err
	}
	s.Jobs = slices.DeleteFunc(s.Jobs, func(id string) bool { return id == j.ID })
	return s.put(tx)
}

// running returns the jobs that run, machine by machine. With a key that is damaged,
// those of its machine are found by their records.
func running(r store.Reader) ([]slots, error) {
	entries, err := r.List(machineKeys)
	if err != nil {
		return nil, err
	}
	var all []slots
	damaged := false
	for _, e := range entries {
		if s, ok := decodeSlots(e); ok {
			all = append(all, s)
		} else {
			damaged = true
		}
	}
	if !damaged {
		return all, nil
	}
	jobs, err := list(r)
	for i := range jobs {
		if j := &jobs[i]; j.runs() && !slices.ContainsFunc(all, func(s slots) bool { return slices.Contains(s.Jobs, j.ID) }) {
			all = append(all, slots{j.Worker.place(), []string{j.ID}})
		}
	}
	return all, err
}

// runs reports whether a worker has the job, and has not ended it.
func (j *Job) runs() bool { return !j.Status.Final() && j.Worker != nil }
