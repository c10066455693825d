// Package process starts helve itself as a process that outlives the call which started
// it, identifies such processes, and ends them with all that they have started. What they
// do is their callers' affair.
package process

import "os"

// ID identifies a process, also after its number was given to another one.
type ID struct {
	PID   int    `json:"pid"`
	Start uint64 `json:"start,omitzero"` // when it started, in a unit of the system; 0 if unknown
}

// This identifies this process.
func This() ID { return Of(os.Getpid()) }

// Of identifies the process that has a number now.
func Of(pid int) ID { return ID{PID: pid, Start: startOf(pid)} }

// Alive reports whether the process still runs. A process of another machine, or of
// another container, cannot be asked for: see [Machine].
func (p ID) Alive() bool { return p.alive() }

// Terminate asks the process to end; on Windows, which cannot ask, it kills it. still is
// called when the process cannot be replaced by another one any more, and says whether
// it is the right one. A process that has ended is no error.
func (p ID) Terminate(still func() bool) error { return p.terminate(still) }

// Machine identifies what process numbers are of: the machine since it was started, and
// the container. It is "" where that is not known, or where it is not known when a
// process started.
func Machine() string { return machine() }
