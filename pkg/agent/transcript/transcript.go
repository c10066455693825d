// Package transcript keeps what sub-agents did: a file of JSON lines for each job, in
// the state directory of the workspace, on the host that carried it out. A line is on the disk when
// Add returns. A line that a crash has cut off is left out when it is read.
package transcript

import (
	"context"

	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// Writer appends to the transcript of one job.
type Writer struct{}

// Create opens the transcript of a job to append to it; see [state.Dir].
func Create(dir *state.Dir, id string) (*Writer, error) { return nil, notYet() }

// Add appends an event.
func (w *Writer) Add(e loop.Event) error { return notYet() }

// Close closes the file.
func (w *Writer) Close() error { return notYet() }

// Follow calls each with the events of a job's transcript from the first on, and with
// follow waits for further ones until ctx is done or ended returns true and all was read. The fault for a
// job without a transcript here is not_found.
func Follow(ctx context.Context, dir *state.Dir, id string, follow bool, ended func() bool, each func(loop.Event) error) error {
	return notYet()
}

// Remove removes the transcript of a job. One that is not there is no error.
func Remove(dir *state.Dir, id string) error { return notYet() }

func notYet() error { return fault.New(fault.Unsupported, fault.T("not yet", "尚未实现")) }
