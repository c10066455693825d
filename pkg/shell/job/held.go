package job

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/state"
)

// heldBytes limits the output that a [Held] command keeps in memory.
const heldBytes = 1 << 20

// Held is a command that runs in a process which does other things, too, and becomes a job
// when its caller can wait no longer. That process is not its supervisor: it is asked to
// end the command by a file beside the record. If the process dies, the job is lost.
type Held struct {
	store *Store
	id    string

	mu      sync.Mutex
	output  recorder
	pending []byte // output that is in no file yet
	record  *Record
	unlock  func() error // set while it is a job
	network *sandbox.Loopback
	over    bool
	ended   chan struct{}
}

// Hold returns a command that is about to run.
func (s *Store) Hold() *Held {
	id := strings.ToLower(state.NewID(s.dir.Now()))
	return &Held{store: s, id: id, output: recorder{dir: s.dir, id: id}, ended: make(chan struct{})}
}

// Mark is for the environment of the command, so that what it started can be found.
func (h *Held) Mark() string { return markVariable + "=" + h.id }

// Write takes what the command printed.
func (h *Held) Write(b []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pending = append(h.pending, b...)
	if h.record != nil || len(h.pending) > heldBytes {
		h.flush()
	}
}

// Share has others find the network of the command once it is a job, unless jobs of its
// session have another. [Held.End] closes it.
func (h *Held) Share(l *sandbox.Loopback) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.network = l
}

// flush writes the pending output to its files. h.mu is held.
func (h *Held) flush() {
	h.output.write(h.pending)
	h.pending = nil
}

// Become makes the command a job, which end ends. The faults are conflict if it has ended
// or is one already, and those of the state directory.
func (h *Held) Become(ctx context.Context, r Record, end func()) (*Record, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over || h.record != nil {
		return nil, fault.New(fault.Conflict, fault.T("the command has ended, or is a job already"))
	}
	unlock, err := h.store.dir.Lock(ctx, lockOf(h.id))
	if err != nil {
		return nil, err
	}
	r.ID, r.State, r.ExitCode, r.Supervisor, r.Held = h.id, Running, -1, process.This(), true
	r.Command = limitText(r.Command, commandBytes)
	h.flush()
	r.Bytes = h.output.all
	if err := errors.Join(h.output.err, h.store.write(&r)); err != nil {
		return nil, errors.Join(err, unlock())
	}
	h.record, h.unlock = &r, unlock
	other := h.store.Loopback(r.Session)
	if other == nil || other.Is(h.network) {
		h.store.share(&r, h.network)
	}
	other.Close()
	go h.obey(end)
	copied := r
	return &copied, nil
}

// obey calls end once somebody stops the job.
func (h *Held) obey(end func()) {
	tick := time.NewTicker(pollTime)
	defer tick.Stop()
	for {
		select {
		case <-h.ended:
			return
		case <-tick.C:
		}
		if _, err := h.store.dir.ReadFile(stopOf(h.id)); !errors.Is(err, fs.ErrNotExist) {
			end()
			return
		}
	}
}

// End says that the command has ended. Of a job, how writes into the record what it came
// to; of another command nothing is left.
func (h *Held) End(how func(*Record)) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
	close(h.ended)
	h.network.Close()
	if h.record == nil {
		if h.output.f == nil {
			return nil
		}
		return errors.Join(h.output.close(), h.store.forget(h.id))
	}
	h.store.unshare(h.id)
	r := h.record
	r.State, r.EndedAt, r.Bytes = Ended, h.store.dir.Now().UTC(), h.output.all
	how(r)
	return errors.Join(h.output.close(), h.store.write(r), h.unlock())
}

// stopOf returns the file by which the process that holds a command is asked to end it.
func stopOf(id string) string { return jobsDir + "/" + id + ".stop" }
