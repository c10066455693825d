// Package transcript keeps what sub-agents did: a file of JSON lines for each job, in
// the state directory of the workspace, on the host that carried it out. A line is on
// the disk when Add returns. A line that a crash has cut off is left out when it is read.
package transcript

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
)

// dir holds the transcripts, in the state directory.
const dir = "agents"

// pause is the time between two looks for further events in Follow.
const pause = 200 * time.Millisecond

// unreadable is the kind of the event that stands for a line that is none. Its Text says
// what is wrong.
const unreadable = "unreadable"

// fileOf returns the log of a job. An ID is a part of its name where it is one that jobs
// get, and else a hash of it is: no ID names another file, or one in another letter case.
func fileOf(d *state.Dir, id string) (*state.Log, error) {
	return d.Log(dir+"/"+nameOf(id), 0)
}

func nameOf(id string) string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789-"
	if id != "" && len(id) <= 100 && strings.Trim(id, letters) == "" {
		return "job-" + id
	}
	sum := sha256.Sum256([]byte(id))
	return "hash-" + hex.EncodeToString(sum[:])
}

// Writer appends to the transcript of one job.
type Writer struct{ log *state.Log }

// Create opens the transcript of a job to append to it; see [state.Dir].
func Create(d *state.Dir, id string) (*Writer, error) {
	log, err := fileOf(d, id)
	if err != nil {
		return nil, err
	}
	return &Writer{log}, nil
}

// Add appends an event.
func (w *Writer) Add(e loop.Event) error {
	line, err := schema.Marshal(e)
	if err != nil {
		return fault.New(fault.Internal, fault.T("an event that is no JSON: %v", err)).Because(err)
	}
	return w.log.Append(line, true)
}

// Close closes the file.
func (w *Writer) Close() error { return nil }

// Follow calls each with the events of a job's transcript from the first on, and with
// follow waits for further ones until ctx is done or ended returns true and all was
// read. The end of ctx is no error. A line that is no event is one of the kind
// unreadable. The fault for a job without a transcript here is not_found; with follow
// it is one only where the job has ended.
func Follow(ctx context.Context, d *state.Dir, id string, follow bool, ended func() bool, each func(loop.Event) error) error {
	log, err := fileOf(d, id)
	if err != nil {
		return err
	}
	tail := log.Tail()
	for {
		// What is written before the end is read after it.
		last := !follow || ended()
		exists, err := log.Exists()
		if err != nil {
			return err
		}
		if !exists && last {
			return missing(id)
		}
		for line, err := range tail.Records() {
			if err == nil {
				err = each(read(line))
			} else if fault.Is(err, fault.TooLarge) {
				err = each(loop.Event{Kind: unreadable, Text: err.Error()})
			}
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return nil
			}
		}
		if last {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// read decodes a line.
func read(line []byte) loop.Event {
	var e loop.Event
	switch err := json.Unmarshal(line, &e); {
	case err != nil:
		return loop.Event{Kind: unreadable, Text: err.Error()}
	case e.Kind == "":
		return loop.Event{Kind: unreadable, Text: "an event without a kind"}
	}
	return e
}

func missing(id string) error {
	return fault.New(fault.NotFound, fault.T("no transcript of job %q here", id)).
		WithHint(fault.T("it is on the host, and in the project, that the job works in: see helve spawn status %s", id)).
		Because(fs.ErrNotExist)
}

// Remove removes the transcript of a job. One that is not there is no error.
func Remove(d *state.Dir, id string) error {
	log, err := fileOf(d, id)
	if err != nil {
		return err
	}
	return log.Remove()
}
