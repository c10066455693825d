// Package worker is the processes that carry jobs of sub-agents out.
//
//	spawn                 keeper: helve __agents            worker: helve __agent
//	-----                 ----------------------            ---------------------
//	Jobs.Add
//	Launch, detach -----> Keep
//	                        take the oldest job of the queue
//	                        start a worker ---------------> Carry: work on the job
//	                        answer: it has started            say how it ended
//	return                  wait for its end                  Jobs.Finish
//	                        kill whatever it left
//	                        write the end if it did not
//	                        take the next one, or end
//
// A keeper has one job at a time: as many keepers as running jobs. On Linux it is the
// subreaper of everything that its worker starts, so no process outlives the job. If the
// keeper is killed, its worker writes the end of the job and exits. If both are killed at
// once, the next helve command that looks ends the job and its remaining processes.
//
// No job stays in the queue while there is room for it. After adding a job, the caller
// starts a keeper. If that finds no room, other keepers have jobs, and each of them looks
// at the queue again after its job, thus after the new job was added.
package worker

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/state"
)

// The first arguments of helve when it is to be a keeper, and a worker.
const (
	KeeperArgument = "__agents"
	Argument       = "__agent"
)

// variable names the variable that holds the id of the job, in a worker and all that it
// starts.
const variable = approval.AgentVariable

// Work holds the dependencies of a keeper and its workers; the host provides them.
type Work struct {
	Jobs   *agent.Jobs
	Limit  int      // jobs that may run at a time on this machine
	Labels []string // of the worker
	Takes  func(*agent.Job) bool
	// Carry works on a job, in the worker process, and returns how it ended. It ends soon
	// after ctx does.
	Carry func(ctx context.Context, j *agent.Job, self agent.Worker) agent.Outcome
}

// Self returns a worker that this process is. Its ID is a new one.
func Self(labels []string) agent.Worker {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown" // it is only shown
	}
	return agent.Worker{ID: state.NewID(time.Now()), Host: host, Machine: process.Machine(), Process: process.This(), Labels: labels}
}

// order is the input of a keeper, read from stdin.
type order struct {
	Spec []byte `json:"spec"` // for the host
	// What [Service] adds: the keeper has one job, of these labels, while fewer than
	// Limit run.
	Once   bool     `json:"once,omitzero"`
	Limit  int      `json:"limit,omitzero"`
	Labels []string `json:"labels,omitempty"`
}

// begun is a keeper's answer: the running job, or "" for none, and the keeper itself.
type begun struct {
	Job    string     `json:"job,omitzero"`
	Keeper process.ID `json:"keeper"`
}

// launching limits the time until a keeper has a running job: a hundred keepers may start
// at the same time.
const launching = 2 * time.Minute

// Launch starts a keeper that is detached from this process. It returns once the keeper
// has a job that runs, or says that there is none for it. program is helve's executable.
// A keeper that has not answered when ctx ends goes on. The fault of a job that could not
// be started is also its end.
func Launch(ctx context.Context, program string, environ []string, spec []byte) error {
	_, err := launch(ctx, program, environ, order{Spec: spec})
	return err
}

func launch(ctx context.Context, program string, environ []string, o order) (begun, error) {
	text, err := schema.Marshal(o)
	if err != nil {
		return begun{}, err
	}
	environ = slices.DeleteFunc(slices.Clone(environ), func(s string) bool { return strings.HasPrefix(s, variable+"=") }) // it is no sub-agent
	var b begun
	err = process.Start(ctx, process.Command{Program: program, Argument: KeeperArgument, Env: environ, Spec: append(text, '\n'), Within: launching, Leave: true}, &b)
	switch {
	case errors.Is(err, process.ErrSilent):
		return b, endedEarly("")
	case errors.Is(err, process.ErrLate):
		return b, fault.New(fault.Timeout, fault.T("no worker has started in time")).
			WithHint(fault.T("the job stays in the queue: helve spawn status says how far it is"))
	}
	return b, err
}

// Sweep kills what is left of the processes of jobs that have ended. It finds them where
// processes can be looked at, by the environment that they were started with.
func Sweep(ids []string) {
	marks := make([]string, len(ids))
	for i, id := range ids {
		marks[i] = mark(id)
	}
	if len(marks) > 0 {
		process.EndMarked(marks...)
	}
}

// over returns which of the jobs have ended. The others are in the queue, and another
// worker may have them already: it is for its keeper to kill what the one before has left.
func over(jobs []agent.Job) (ids []string) {
	for i := range jobs {
		if jobs[i].Status.Final() {
			ids = append(ids, jobs[i].ID)
		}
	}
	return ids
}

// mark returns the variable that the processes of a job have.
func mark(id string) string { return variable + "=" + id }

// pace holds the intervals of a worker; tests use shorter ones.
type pace struct {
	Start time.Duration // that a worker may take to start
	Beat  time.Duration // between two signs of life
	Look  time.Duration // between two looks whether somebody wants a job canceled
	Grace time.Duration // in which work must end that is to end; a worker that does not is killed after twice that
	Retry time.Duration // the first pause before something is written again that could not be
	Give  time.Duration // after which nothing more is tried
}

// usual is the pace of helve.
func usual() pace {
	return pace{Start: 45 * time.Second, Beat: agent.Beat, Look: 500 * time.Millisecond, Grace: 3 * time.Second, Retry: 100 * time.Millisecond, Give: time.Hour}
}

// Keep is a keeper's main. It returns the exit status.
func Keep(in io.Reader, out io.WriteCloser, open func(spec []byte) (*Work, error)) int {
	return keep(in, out, open, usual())
}

// Main is a worker's main. It returns the exit status.
func Main(in io.Reader, out io.WriteCloser, open func(spec []byte) (*Work, error)) int {
	return work(in, out, open, usual())
}
