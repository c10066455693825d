// Package worker is the processes that carry jobs of sub-agents out.
//
//	spawn                 keeper: helve __agents            worker: helve __agent
//	-----                 ----------------------            ---------------------
//	Jobs.Add
//	Launch, detach -----> Keep
//	                        take the oldest job of the queue
//	                        start a worker ---------------> Carry: work on the job
//	                        reply: it has started             Jobs.Finish
//	return                  wait for its end
//	                        kill whatever it left
//	                        write the end if it did not
//	                        take the next one, or end
//
// A keeper has one job at a time, so there are as many keepers as jobs that run. On Linux
// it is the parent of last resort of all that its worker starts: nothing outlives the
// job. If the keeper is killed, its worker is asked to end. If both are killed at once,
// the next helve command that looks ends the job, and what is left of its processes.
package worker

import (
	"context"
	"io"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
)

// The first arguments of helve when it is to be a keeper, and a worker.
const (
	KeeperArgument = "__agents"
	Argument       = "__agent"
)

// Variable names the variable that holds the id of the job, in a worker and all that it
// starts.
const Variable = approval.AgentVariable

// Launch starts a keeper that is detached from this process. It returns once the keeper
// has a job that runs, or says that there is none for it. program is helve's executable.
func Launch(ctx context.Context, program string, environ []string, spec []byte) error {
	return fault.New(fault.Unsupported, fault.T("not yet", "尚未实现"))
}

// Work is what a keeper and its workers need of the world; the host provides it.
type Work struct {
	Jobs  *agent.Jobs
	Limit int // jobs that may run at a time on this machine
	Takes func(*agent.Job) bool
	// Carry works on a job, in the worker process, and returns how it ended.
	Carry func(ctx context.Context, j *agent.Job, self agent.Worker) agent.Outcome
}

// Keep is a keeper's main. It returns the exit status.
func Keep(in io.Reader, out io.WriteCloser, open func(spec []byte) (*Work, error)) int { return 70 }

// Main is a worker's main. It returns the exit status.
func Main(in io.Reader, out io.WriteCloser, open func(spec []byte) (*Work, error)) int { return 70 }
