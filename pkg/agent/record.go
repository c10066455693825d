package agent

import (
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/store"
)

// The keys of the store. What is long has a key of its own, so that the jobs can be
// listed, and written at each step, at little cost.
const (
	jobKeys     = "agent/jobs/"     // + ID: a [record]
	taskKeys    = "agent/tasks/"    // + ID: a task that is longer than maxHead
	resultKeys  = "agent/results/"  // + ID: a result
	queueKeys   = "agent/queue/"    // + time@ID: empty; a job that no worker has
	machineKeys = "agent/machines/" // + hash: a [slots]
	sameKeys    = "agent/same/"     // + hash of what was spawned: the ID of the newest job of it
)

const (
	// version is the version of the records of jobs. A record of a later one is left
	// alone.
	version = 1
	maxHead = 256 // bytes of a task in the record of its job
)

// record is a job as the store keeps it.
type record struct {
	Version int `json:"version"`
	Job
	TaskBytes   int `json:"task_bytes,omitzero"`   // of the task, of which Job has the beginning
	ResultBytes int `json:"result_bytes,omitzero"` // of the result, which Job does not have
}

// recordOf returns the record of a whole job.
func recordOf(j *Job) record {
	r := record{Version: version, Job: *j, ResultBytes: len(j.Result)}
	r.Result = ""
	if len(j.Task) > maxHead {
		r.Task, r.TaskBytes = begin(j.Task, maxHead), len(j.Task)
	}
	return r
}

// put writes the record of a job. Its task and its result have been written by whoever
// set them.
func put(tx store.Tx, j *Job) error {
	data, err := schema.Marshal(recordOf(j))
	if err != nil {
		return err
	}
	return tx.Put(jobKeys+j.ID, data)
}

// read reads a whole job. found is false if there is none. The faults of a record that
// cannot be read are bad_document, and unsupported for that of a newer helve.
func read(r store.Reader, id string) (j Job, found bool, err error) {
	if !isName(id) {
		return Job{}, false, nil
	}
	e, err := r.Get(jobKeys + id)
	if err != nil || e.Revision == 0 {
		return Job{}, false, err
	}
	kept, err := decode(id, e.Value)
	if err != nil {
		return Job{}, true, err
	}
	for _, part := range []struct {
		key  string
		size int
		text *string
	}{{taskKeys, kept.TaskBytes, &kept.Task}, {resultKeys, kept.ResultBytes, &kept.Result}} {
		if part.size == 0 {
			continue
		}
		e, err := r.Get(part.key + id)
		if err != nil {
			return Job{}, true, err
		}
		if len(e.Value) != part.size || !utf8.Valid(e.Value) {
			return Job{}, true, damaged(id, errors.New(part.key+id+" is not as it was written"))
		}
		*part.text = string(e.Value)
	}
	return kept.Job, true, nil
}

// isName reports whether an ID can be the part of a key.
func isName(id string) bool { return store.CheckName(id) == nil }

// need is read of a job that must be there.
func need(r store.Reader, id string) (Job, error) {
	j, found, err := read(r, id)
	if err == nil && !found {
		err = unknown(id)
	}
	return j, err
}

// decode reads the record of a job.
func decode(id string, data []byte) (record, error) {
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err == nil && head.Version > version {
		return record{}, fault.New(fault.Unsupported, fault.T("job %s was written by a newer helve", id)).
			WithHint(fault.T("use the helve that spawned it"))
	}
	var r record
	err := store.Decode(data, &r)
	if err == nil {
		err = r.check(id)
	}
	if err != nil {
		return record{}, damaged(id, err)
	}
	return r, nil
}

// check reports what cannot be in a record.
func (r *record) check(id string) error {
	queued := r.Worker == nil && r.Status == Working
	switch {
	case r.Version != version:
		return errors.New("its version is missing")
	case r.ID != id:
		return errors.New("it has the id of another job")
	case !r.Status.known():
		return errors.New("its status is unknown")
	case r.CreatedAt.IsZero() || r.Task == "" || r.Origin.Session == "":
		return errors.New("a part of it is missing")
	case r.TaskBytes < 0 || r.ResultBytes < 0 || r.ResultBytes > MaxResult || r.Result != "":
		return errors.New("it has a wrong length")
	case !r.Status.Final() && r.Queued != queued, r.Status.Final() && r.Queued:
		return errors.New("it says both that a worker has it and that none has")
	}
	return nil
}

// broken returns what a list shows of a job whose record cannot be read.
func broken(id string, data []byte, why error) Job {
	var head struct {
		Label     string    `json:"label"`
		CreatedAt time.Time `json:"created_at"`
	}
	if json.Unmarshal(data, &head) != nil {
		head.Label, head.CreatedAt = "", time.Time{}
	}
	return Job{ID: id, Label: head.Label, CreatedAt: head.CreatedAt, Status: Failed, Reason: BySystem, Fault: faultOf(why)}
}

func damaged(id string, err error) error {
	return fault.New(fault.BadDocument, fault.T("the record of job %s is damaged: %v", id, err)).
		WithHint(fault.T("spawn the task again; helve store check says what else is damaged")).Because(err)
}

// queueLayout is a time as a part of a key: these sort as the times do.
const queueLayout = "2006-01-02T15:04:05.000000Z"

// queueKey returns the key of a job in the queue. The oldest comes first.
func (j *Job) queueKey() string {
	return queueKeys + j.CreatedAt.UTC().Format(queueLayout) + "@" + j.ID
}

// queuedID returns the ID in a key of the queue.
func queuedID(key string) string {
	_, id, _ := strings.Cut(strings.TrimPrefix(key, queueKeys), "@")
	return id
}

// sameKey returns the key by which a job is found that does the same in the same place.
// Of the schedule's job, each run is one: what is tried again finds what it has begun.
func (j *Job) sameKey() string {
	return store.DigestKey(sameKeys, j.Origin.Session, j.Origin.Run, j.Root, j.Project, j.Runtime, j.Task)
}

// begin returns the beginning of a text, of most bytes at most.
func begin(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
