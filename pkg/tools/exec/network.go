package exec

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
)

// loopback opens the network of the session's jobs for a command that has no other; nil if
// no job runs in one. A preview has it not: what it did there could not be left undone. Nor has
// a command with hosts of its own, which a job could reach by its proxy.
func (r *request) loopback(call *tool.Call) *sandbox.Loopback {
	if r.Kind != sandbox.Namespaces || !r.network.Private() || len(r.granted) > 0 || r.args.Preview || call.ChangeSet != "" {
		return nil
	}
	dir, err := call.Env.State()
	if err != nil {
		return nil
	}
	return job.NewStore(dir).Loopback(call.Env.Session)
}

// listening says what listens in the network of the session's jobs to a command that found
// nothing where it connected to. otherwise is for a session without such jobs.
func (r *request) listening(call *tool.Call, otherwise fault.Text) fault.Text {
	dir, err := call.Env.State()
	if err != nil || r.Kind != sandbox.Namespaces {
		return otherwise
	}
	if known := job.NewStore(dir).Listening(call.Env.Session); !known.IsZero() {
		return fault.T("nothing listens there; %s", known)
	}
	return otherwise
}
