package agent

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/state"
)

// Marks are files of the state directory, one for each job that was spawned or is worked
// on here and has not ended. They say nothing that the store does not say. They are there
// so that every command can find out, without opening the store, whether a job has lost
// its worker.
type Marks struct{ dir *state.Dir }

// NewMarks returns the marks in a state directory.
func NewMarks(d *state.Dir) Marks { return Marks{d} }

const (
	marksDir = "agents/open"
	// markPatience is the time that a job may lack a worker before [Marks.Orphans] returns
	// it.
	markPatience = 10 * time.Second
)

// mark is the content of a file.
type mark struct {
	Process process.ID `json:"process,omitzero"` // that works on it; zero for none yet
	At      time.Time  `json:"at"`
}

func markOf(id string) string { return marksDir + "/" + id + ".json" }

// Put marks a job, with the process that works on it; zero for one in the queue.
func (m Marks) Put(id string, p process.ID) error {
	data, err := schema.Marshal(mark{p, m.dir.Now().UTC()})
	if err != nil {
		return err
	}
	return m.dir.Put(markOf(id), data)
}

// Remove removes the mark of a job that has ended.
func (m Marks) Remove(id string) error { return m.dir.Remove(markOf(id)) }

// Orphans returns the jobs whose process has died. If no job has a process, it also
// returns those that have waited for one for a while; each of these is returned once in
// that while, to the first caller.
func (m Marks) Orphans() ([]string, error) {
	names, err := m.dir.List(marksDir)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	var dead, waiting []string
	working := false
	for _, name := range names {
		id, ok := strings.CutSuffix(name, ".json")
		if !ok {
			continue
		}
		one, ok := m.read(id)
		switch {
		case !ok:
		case one.Process.PID == 0:
			if m.dir.Now().Sub(one.At) > markPatience {
				waiting = append(waiting, id)
			}
		case one.Process.Alive():
			working = true
		default:
			dead = append(dead, id)
		}
	}
	if working {
		return dead, nil
	}
	var errs []error
	for _, id := range waiting {
		errs = append(errs, m.Put(id, process.ID{}))
	}
	return append(dead, waiting...), errors.Join(errs...)
}

// read reads a mark. ok is false for one that has just been removed. A damaged one counts
// as that of a process that has died: the store says what is true.
func (m Marks) read(id string) (one mark, ok bool) {
	data, err := m.dir.ReadFile(markOf(id))
	if err != nil {
		return mark{}, false
	}
	if json.Unmarshal(data, &one) != nil {
		return mark{Process: process.ID{PID: -1}}, true
	}
	return one, true
}
