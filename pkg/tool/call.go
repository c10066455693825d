package tool

import (
	"context"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
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
	// Host is the state of the workspace that the caller was given, where calls
	// are written down, whichever project they work in.
	Host func() (*state.Dir, error)
	// Web reaches public addresses, and no others.
	Web func() (*web.Client, error)
	// Search asks the search engines that the person has set up.
	Search   func() (*provider.Engine, error)
	Now      func() time.Time
	Session  string
	ReadOnly bool // refuse everything but reading
	// Project is the id of the project that this is the world of; "" is the
	// workspace itself.
	Project string
	// Foreign says that the call came into this project from another.
	Foreign bool
	// Enter gives the world of another project of the caller; nil for an id that
	// is none. A nil Enter knows no project.
	Enter func(id string) *Env
	// RequireRead says what happens when a file is overwritten that the session
	// has not read: off, warn or on, which refuses. "" is warn.
	RequireRead string
	Mend        bool // mend what models often get wrong in arguments, and warn of it

	// Judged is what the tool's own judgement of the call gave, nil for one that
	// gives none. The guard sets it.
	Judged *Judgement
	// Policy is what decides about paths, for tools that reach more of them than
	// their arguments name; nil allows all.
	Policy *policy.Policy
	// Machine is what commands run on; nil where none can.
	Machine func() (*Machine, error)
	Lang    fault.Lang // of what a result says in words; "" is English

	// Notices are warnings that hold for every call, such as of settings that
	// were ignored.
	Notices []fault.Text

	// Mask replaces what is secret in a text that is written down; nil is
	// [secret.Mask].
	Mask func(string) string
	// Decide is the policy: nil lets the call pass, a fault refuses it or says
	// that a person must decide. A nil Decide lets every call pass.
	Decide func(context.Context, *Call) error
	// Hides gives, for a tool, what tells the paths that the policy keeps from
	// it. A nil Hides, or nothing given, keeps none.
	Hides func(policy.Place, *Tool) func(path string) bool
	// Hidden reports whether the policy keeps a path from the call at hand, links
	// resolved, for tools that go through trees. It may be nil, and is called by
	// several goroutines at once. The guard sets it.
	Hidden func(path string) bool
	// Excludes is the content of the person's own file of ignore rules; nil is
	// none.
	Excludes func() []byte
	// Warn adds a warning to the answer of the call at hand. The guard sets it.
	Warn func(fault.Text)
}

// Place is the project that calls in this world work in, as the policy knows it.
func (e *Env) Place() policy.Place { return policy.Place{Project: e.Project, Foreign: e.Foreign} }

// Verdict is what the policy says about an operation at a path relative to the
// root, for tools that reach more paths than a call names.
func (e *Env) Verdict(rel string, op policy.Op) policy.Verdict {
	if e.Policy == nil {
		return policy.Allow
	}
	return e.Policy.Path(e.Place(), rel, op)
}

// Target is a path that a call touches, as the caller wrote it.
type Target struct {
	Use  schema.PathUse
	Path string
	Own  bool // the tool locks it by itself
	// Whole says that the history moves it as it is, out of the workspace or back:
	// what somebody allowed before, and no way to change what is in it.
	Whole bool
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

	Decision *Decision // once it was decided about

	Args  any    // pointer to the tool's arguments, once decoded
	Paths []Path // once confined
	JSON  []byte // the result, once it was found to be within its limit; nil of a [schema.Streamer]
}

// Decision is what became of a call's request to be carried out.
type Decision struct {
	Verdict  string `json:"verdict"` // allow, ask or deny
	By       string `json:"by"`      // a person, or what in the policy decided
	Rule     string `json:"rule,omitzero"`
	Approval string `json:"approval,omitzero"` // id of the request that a person was asked with
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
