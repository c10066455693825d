package schedule

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/store"
)

// The keys of the store.
const (
	jobKeys       = "cron/jobs/"       // + ID: a [Job]
	runKeys       = "cron/runs/"       // + job/slot: a [Run]
	addedKeys     = "cron/added/"      // + hash of what was added: the job's ID
	removedKeys   = "cron/removed/"    // + time@ID: a job that is gone, whose runs are kept for a while
	schedulerKeys = "cron/schedulers/" // + ID: a [member]
	leaderKey     = "cron/leader"      // the ID of the scheduler that starts the runs
)

// version is the version of the records of jobs. A record of a later one is left alone.
const version = 1

// jobRecord is a job as the store keeps it.
type jobRecord struct {
	Version int `json:"version"`
	Job
}

func putJob(tx store.Tx, j *Job) error {
	data, err := schema.Marshal(jobRecord{version, *j})
	if err != nil {
		return err
	}
	if err := store.CheckData(data); err != nil {
		return err
	}
	return tx.Put(jobKeys+j.ID, data)
}

// readJob reads a job. found is false if there is none.
func readJob(r store.Reader, id string) (j Job, found bool, err error) {
	if !isName(id) {
		return Job{}, false, nil
	}
	e, err := r.Get(jobKeys + id)
	if err != nil || e.Revision == 0 {
		return Job{}, false, err
	}
	return decodeJob(id, e.Value), true, nil
}

// isName reports whether an ID can be the part of a key.
func isName(id string) bool { return store.CheckName(id) == nil }

// decodeJob reads the record of a job. If it cannot, the job has a Problem.
func decodeJob(id string, data []byte) Job {
	var head struct {
		Version   int       `json:"version"`
		Name      string    `json:"name"`
		CreatedAt time.Time `json:"created_at"`
	}
	if err := json.Unmarshal(data, &head); err == nil && head.Version > version {
		return Job{ID: id, Name: head.Name, CreatedAt: head.CreatedAt, Problem: fault.New(fault.Unsupported,
			fault.T("job %s was written by a newer helve", id)).
			WithHint(fault.T("use the helve that added it"))}
	}
	var record jobRecord
	err := store.Decode(data, &record)
	switch {
	case err != nil:
	case record.Version != version:
		err = errors.New("its version is missing")
	case record.ID != id:
		err = errors.New("it has the id of another job")
	default:
		j := record.withDefaults()
		err = j.check()
		if err == nil {
			return j
		}
	}
	return Job{ID: id, Name: head.Name, CreatedAt: head.CreatedAt, Problem: fault.New(fault.BadDocument,
		fault.T("the record of job %s is damaged: %v", id, err)).
		WithHint(fault.T("remove the job and add it again")).Because(err)}
}

// slotLayout is a time as a part of a key: these sort as the times do.
const slotLayout = "2006-01-02T15:04:05.000Z"

func runKey(job string, slot time.Time) string {
	return runKeys + job + "/" + slot.UTC().Format(slotLayout)
}

func putRun(tx store.Tx, r *Run) error {
	data, err := schema.Marshal(r)
	if err != nil {
		return err
	}
	return tx.Put(runKey(r.Job, r.ScheduledAt), data)
}

// readRun reads the run of a slot. found is false if there is none that can be read.
func readRun(r store.Reader, job string, slot time.Time) (run Run, found bool, err error) {
	e, err := r.Get(runKey(job, slot))
	if err != nil || e.Revision == 0 {
		return Run{}, false, err
	}
	run, found = decodeRun(e)
	return run, found, nil
}

// decodeRun reads the record of a run. ok is false if it is damaged; then the run has
// failed, and says so.
func decodeRun(e store.Entry) (run Run, ok bool) {
	job, slot, _ := strings.Cut(strings.TrimPrefix(e.Key, runKeys), "/")
	at, timed := time.Parse(slotLayout, slot)
	if err := json.Unmarshal(e.Value, &run); err == nil && timed == nil && run.Job == job && run.ScheduledAt.Equal(at) {
		return run, true
	}
	return Run{Job: job, ScheduledAt: at, Status: Failed, Error: "the record of this run is damaged"}, false
}
