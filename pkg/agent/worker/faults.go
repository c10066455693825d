package worker

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// endedEarly is for a process that has ended before it answered. words are the last ones
// that it has left.
func endedEarly(words string) error {
	if words != "" {
		return crashed(words)
	}
	return fault.New(fault.Unavailable, fault.T("the worker ended before it had started")).
		WithHint(fault.T("spawn the task again"))
}

func notInTime() error {
	return fault.New(fault.Timeout, fault.T("the worker did not start in time")).
		WithHint(fault.T("spawn the task again, when the machine has less to do"))
}

func asked() error {
	return fault.New(fault.Unavailable, fault.T("the worker was asked to end before the job had: the machine is shutting down, or somebody ended it")).
		WithHint(fault.T("spawn the task again"))
}

func orphaned() error {
	return fault.New(fault.Unavailable, fault.T("the process that looked after the worker has died")).
		WithHint(fault.T("spawn the task again"))
}

// crashed is for a worker that has left words about its end.
func crashed(words string) error {
	return fault.New(fault.Internal, fault.T("the worker crashed: %s", strings.TrimSpace(words))).
		WithHint(fault.T("this is a bug in helve; please report it with these words"))
}

func badOrder(err error) error {
	return fault.New(fault.Internal, fault.T("the process was not told what to do")).
		WithHint(fault.T("this is a bug in helve; please report it")).Because(err)
}
