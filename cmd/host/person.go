package host

import (
	"context"
	"os"
	"os/user"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/tool"
)

// asker returns the function that asks the program that runs helve, on the
// descriptor that it named, or else the person at the terminal, if there is one and
// input is not forbidden. It is nil when nobody can be asked.
func (h *Host) asker() func(context.Context, *approval.Request) (approval.Answer, error) {
	if h.ApprovalFD > 0 {
		return h.caller.Listen(h.ApprovalFD).Ask
	}
	if h.NoInput || h.Terminal == nil || underHelve() {
		return nil
	}
	var one sync.Mutex // calls run in parallel, and an answer is to the question on the screen
	return func(ctx context.Context, r *approval.Request) (approval.Answer, error) {
		one.Lock()
		defer one.Unlock()
		if err := ctx.Err(); err != nil { // it has waited too long for its turn
			return approval.Answer{}, err
		}
		terminal, err := h.Terminal()
		if err != nil {
			return approval.Answer{}, nil // nobody to ask after all: the call waits for a decision
		}
		defer terminal.Close()
		return approval.AskTerminal(terminal, r, h.Lang, !noColour())
	}
}

// underHelve reports whether helve started this process, which must then not
// decide for the person.
func underHelve() bool { return approval.StartedByHelve(os.Getenv("HELVE") != "") }

// Personal refuses what only a person may do, such as "approve calls", to a
// process that helve started.
func Personal(what fault.Text) error {
	if !underHelve() {
		return nil
	}
	return fault.New(fault.Denied, fault.T("a process that helve started may not %s", what)).
		WithHint(fault.T("ask the person to do it in a terminal of their own"))
}

// Person returns the name of the person at the keyboard, for records.
func Person() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}

// Approvals opens the workspace's requests for approval.
func (h *Host) Approvals() (*approval.Store, error) { return approvals(h.Workspace()) }

func approvals(env *tool.Env) (*approval.Store, error) {
	d, err := env.State()
	if err != nil {
		return nil, err
	}
	return approval.NewStore(d), nil
}

// MayWrite refuses to write files for a person in a read-only run and, as [Personal]
// does, for an agent.
func (h *Host) MayWrite(what fault.Text) error {
	if h.ReadOnly {
		return fault.New(fault.Denied, fault.T("this is a read-only run")).
			WithHint(fault.T("leave out --readonly"))
	}
	return Personal(what)
}
