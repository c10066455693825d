// Package task is the calls that go on after they were answered with a handle: how far
// each has come, what it waits for, and what it came to, for whoever asks later, perhaps
// another process after this one has died. It knows nothing of calls and of protocols;
// package server carries the calls out.
//
// A task is a file of the state directory, of which the process that carries the task out
// is the only writer until it dies; a lock that the process holds shows that it lives.
//
// https://modelcontextprotocol.io/seps/2663-tasks-extension
package task

import (
	"encoding/json"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// Status is the state of a task.
type Status string

// The statuses, in the words of the protocol.
const (
	Working       Status = "working"
	InputRequired Status = "input_required"
	Completed     Status = "completed" // it has a result, which may say that the call failed
	Failed        Status = "failed"    // it has an error of the protocol
	Canceled      Status = "cancelled"
)

// Final reports whether a task stays as it is.
func (s Status) Final() bool { return s == Completed || s == Failed || s == Canceled }

func known(s Status) bool { return s == Working || s == InputRequired || s.Final() }

const (
	// Keep is the time that an ended task is kept.
	Keep = 24 * time.Hour
	// maxRunning limits the tasks that one process runs at once.
	maxRunning = 64
	// maxBytes limits the disk space of the tasks of a workspace; the oldest are removed
	// first.
	maxBytes = 64 << 20
)

// Task is a task in its stored form.
type Task struct {
	ID      string        `json:"id"`
	Owner   string        `json:"owner"`   // only its calls see the task
	Process string        `json:"process"` // that carries it out
	Created time.Time     `json:"created"`
	Updated time.Time     `json:"updated"`
	TTL     time.Duration `json:"ttl"` // since Created; it goes on while the task does
	Status  Status        `json:"status"`
	Message string        `json:"message,omitzero"` // of its state, for people
	// Requests holds its requests to the client, by keys that are unique in the task.
	Requests map[string]json.RawMessage `json:"requests,omitempty"`
	Result   json.RawMessage            `json:"result,omitempty"` // of one that is completed
	Error    *Error                     `json:"error,omitempty"`  // of one that failed
	// Job is the sub-agent that does the work, and goes on without the process; "" is none.
	Job string `json:"job,omitzero"`
}

// Error is an error of JSON-RPC.
type Error struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// internalError is the code of JSON-RPC for what went wrong on the server.
const internalError = -32603

// idLength is the length of an id, which has 128 random bits.
const idLength = 26

// isID reports whether a text could be the id of a task, and so the name of a directory.
func isID(s string) bool {
	if len(s) != idLength {
		return false
	}
	for _, c := range []byte(s) {
		if (c < 'A' || c > 'Z') && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}

// unknown is the same for a task of somebody else, which nobody can learn of so.
func unknown() error {
	return fault.New(fault.NotFound, fault.T("no such task")).
		WithHint(fault.T("make the call again: tasks are kept for %d hours after their end", int(Keep.Hours())))
}

// elsewhere is for a task that another process carries out.
func elsewhere() error {
	return fault.New(fault.Unsupported, fault.T("another process of helve carries out the task")).
		WithHint(fault.T("ask the server that began it"))
}
