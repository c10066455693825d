package job

import "github.com/helve-dev/helve/pkg/fault"

func unknown(id string) error {
	return fault.New(fault.NotFound, fault.T("there is no background job %q", id)).
		WithHint(fault.T("action=list lists the jobs"))
}

func damaged(id string, err error) error {
	return fault.New(fault.IOError, fault.T("the record of job %s is damaged", id)).
		WithHint(fault.T("start the command again")).Because(err)
}

func stillRuns(id string) error {
	return fault.New(fault.Timeout, fault.T("job %s does not stop", id)).
		WithHint(fault.T("look again later with action=list"))
}

func noBackground() error {
	return fault.New(fault.Unsupported, fault.T("commands cannot run in the background here")).
		WithHint(fault.T("run it without background, with a timeout"))
}

func tooMany(running int) error {
	return fault.New(fault.RateLimited, fault.T("%d jobs are running already", running)).
		WithHint(fault.T("stop one that is no longer needed: the tool job with action=stop"))
}

func notInTime() error {
	return fault.New(fault.Timeout, fault.T("the job did not start in time")).
		WithHint(fault.T("try again"))
}

func endedEarly() error {
	return fault.New(fault.Unavailable, fault.T("the supervisor of the job ended early"))
}

func badSpec(err error) error {
	return fault.New(fault.Internal, fault.T("the job is not understood")).Because(err)
}
