package tool

import (
	"context"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/web"
	"github.com/helve-dev/helve/pkg/web/provider"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Env is all of the world that a tool may touch. What costs something to build
// is a func, called at first use; a test is another Env.
type Env struct {
	Root  func() (*workspace.Root, error)
	State func() (*state.Dir, error)
	// Journal is the history of the workspace. Every change of its files goes
	// through it, so that it is whole after a crash and can be undone.
	Journal func() (*journal.Journal, error)
	// Tx is the right to change the files that the call's arguments name for
	// writing. The guard begins and ends it.
	Tx *journal.Tx
	// Web reaches public addresses, and no others.
	Web func() (*web.Client, error)
	// Search asks the search engines that the person has set up.
	Search   func() (*provider.Engine, error)
	Now      func() time.Time
	Session  string
	ReadOnly bool // refuse everything but reading
	// RequireRead says what happens when a file is overwritten that the session
	// has not read: off, warn or on, which refuses. "" is warn.
	RequireRead string
	Mend        bool // mend what models often get wrong in arguments, and warn of it

	// Notices are warnings that hold for every call, such as of settings that
	// were ignored.
	Notices []fault.Text

	// Decide is the policy: nil lets the call pass, a fault refuses it or says
	// that a person must decide. A nil Decide lets every call pass.
	Decide func(context.Context, *Call) error
	// Warn adds a warning to the answer of the call at hand. The guard sets it.
	Warn func(fault.Text)
}

// Target is a path that a call touches, as the caller wrote it.
type Target struct {
	Use  schema.PathUse
	Path string
	Own  bool // the tool locks it by itself
}

// Path is a target after it was confined.
type Path struct {
	Target
	Real string // the file it leads to, links resolved, relative to the root
}

// Call is one call on its way through the chain.
type Call struct {
	Tool  *Tool
	Input []byte // the arguments as they came
	Env   *Env

	Args  any    // pointer to the tool's arguments, once decoded
	Paths []Path // once confined
	JSON  []byte // the result, once it was found to be within its limit
}

// Handler carries a call out.
type Handler func(context.Context, *Call) (any, error)

// Middleware is one concern that every call goes through.
type Middleware struct {
	Name string
	Wrap func(next Handler) Handler
}

// Through puts the chain, outermost first, round the tool. It is for the guard
// alone: nothing else may run a tool, and a test of the layers sees to that.
func (t *Tool) Through(chain []Middleware) Handler {
	h := t.run
	for _, m := range slices.Backward(chain) {
		h = m.Wrap(h)
	}
	return h
}
