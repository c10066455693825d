package tool

import (
	"context"
	"slices"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Call is one call on its way through the chain. The guards write on it what
// they find out; a tool reads that and the world it works in.
type Call struct {
	Tool  *Tool
	Input []byte // the arguments as they came
	Env   *Env   // the world it works in
	Home  *Env   // the world it came from; not Env when a path names another project

	Args      any    // pointer to the tool's arguments, once decoded
	Paths     []Path // once confined
	Judgement *Judgement
	Decision  *Decision
	Parent    string     // W3C traceparent of what the call starts; "" is that of this process
	Ask       fault.Text // why a person must decide, by a hook; zero is no reason
	// Hidden reports whether the policy hides a path from the tool, links resolved,
	// for tools that walk trees. It may be nil. Several goroutines call it at once.
	Hidden func(path string) bool
	// Tx is the right to change the files that the arguments name for writing. The
	// guard begins and ends it.
	Tx *journal.Tx
	// ChangeSet is the id of the changes that a preview recorded. When a person
	// approves the call, Run finds it here and makes these changes.
	ChangeSet string
	// Keep records the outcome of a call that is carried out under an approval: then
	// it is not nil, and must be called, whatever happens.
	Keep func(approval.Outcome) error
	// Kept is the outcome of the call when it was carried out before, under the same
	// approval. It is not run again.
	Kept *approval.Outcome
	JSON []byte // the result, once found to be within its limit; nil for a [schema.Streamer]

	finding  any // of the tool's own Judge
	warnings *warnings
	about    string // what its warnings are about; "" is the whole call
	parts    *Parts // that it is one of; nil is none
}

// warnings are those of one call. A call that was abandoned may still warn.
type warnings struct {
	mu   sync.Mutex
	list []warning
}

// warning is one of them. done says that it is about what the call has done, and known
// that the session has the same already.
type warning struct {
	text        fault.Text
	done, known bool
}

// NewCall returns a call of t with JSON arguments in a world.
func NewCall(env *Env, t *Tool, input []byte) *Call {
	c := &Call{Tool: t, Input: input, Env: env, Home: env, warnings: &warnings{}}
	for _, w := range env.Notices {
		c.WarnOnce(w)
	}
	return c
}

// Warn adds a warning to the result of the call.
func (c *Call) Warn(w fault.Text) { c.warn(warning{text: w}) }

// WarnOnce adds a warning that says nothing new when it is given again in the session, such
// as how a name was understood.
func (c *Call) WarnOnce(w fault.Text) { c.warn(warning{text: w, known: !c.Env.News(w)}) }

// WarnDone adds a warning about what the call has done. It is not given if the call
// fails after all, or only shows what it would do.
func (c *Call) WarnDone(w fault.Text) { c.warn(warning{text: w, done: true}) }

func (c *Call) warn(w warning) {
	if c.warnings == nil {
		return
	}
	if c.about != "" {
		w.text = fault.T("%s: %s", c.about, w.text)
	}
	c.warnings.mu.Lock()
	defer c.warnings.mu.Unlock()
	c.warnings.list = append(c.warnings.list, w)
}

// Warnings returns the warnings so far.
func (c *Call) Warnings() []fault.Text { return slices.Concat(c.collect(true)) }

// WarningsAfter returns the warnings of a call that ended with err, those apart that the
// session was given before.
func (c *Call) WarningsAfter(err error) (news, known []fault.Text) {
	return c.collect(err == nil && (c.Args == nil || !c.Tool.Trial(c)))
}

func (c *Call) collect(done bool) (news, known []fault.Text) {
	c.warnings.mu.Lock()
	defer c.warnings.mu.Unlock()
	for _, w := range c.warnings.list {
		switch {
		case w.done && !done:
		case w.known:
			known = append(known, w.text)
		default:
			news = append(news, w.text)
		}
	}
	return news, known
}

// Silent returns a copy of the call that drops warnings.
func (c *Call) Silent() *Call {
	silent := *c
	silent.warnings = nil
	return &silent
}

// Apart returns a copy of the call with warnings of its own, none so far, such as for a
// part of it that runs beside others.
func (c *Call) Apart() *Call {
	part := *c
	part.warnings = &warnings{}
	return &part
}

// About returns a copy of the call whose warnings name what they are about, such as
// one of several files.
func (c *Call) About(name string) *Call {
	part := *c
	part.about = name
	return &part
}

// Foreign reports whether the call works in another project than it came from.
func (c *Call) Foreign() bool { return c.Env != c.Home }

// Project returns the project that the call works in, as the policy knows it.
func (c *Call) Project() policy.Project {
	return policy.Project{ID: c.Env.Project, Foreign: c.Foreign()}
}

// Verdict returns the policy's verdict on a use of a path relative to the root,
// for tools that reach more paths than a call names.
func (c *Call) Verdict(rel string, use schema.PathUse) policy.Verdict {
	if c.Env.Policy == nil {
		return policy.Allow
	}
	return c.Env.Policy.Path(c.Project(), rel, use)
}

// Risk returns what the call may do at worst: as judged, or else as its tool may,
// by what it takes away, and by what it has done later.
func (c *Call) Risk() policy.Risk {
	risk := c.Tool.Risk
	if c.Judgement != nil {
		risk = c.Judgement.Risk
		for _, q := range c.Judgement.Further {
			risk = policy.Worst(risk, q.Risk)
		}
	}
	for _, p := range c.Paths {
		if p.Loss != nil {
			risk = policy.Worst(risk, c.Env.RiskOfLoss(*p.Loss))
		}
	}
	return risk
}

// Target is a path that a call touches, as the caller wrote it.
type Target struct {
	Use  schema.PathUse
	Path string
	Own  bool // the tool locks it itself, to take back what was allowed before
	// Late says that the tool locks it itself, when it has what to write: getting that may
	// take long.
	Late bool
	// Whole says that the journal moves the entry as it is, out of the workspace or
	// back. That undoes what was allowed before, and cannot change its content.
	Whole bool
	// Moves says that what is there is only moved; Replaces, of a path to create, that
	// what is there is deleted.
	Moves, Replaces bool
}

// Path is a target after it was confined.
type Path struct {
	Target
	Clean workspace.Path // as results show it
	Real  workspace.Path // the file it leads to, links resolved
	Loss  *policy.Loss   // what the call takes away there; nil is nothing
}

// Confined returns the workspace and the path in it that an argument names, as the guard
// confined it. Any other path, such as one that a glob selects, is confined now.
func (c *Call) Confined(name string) (*workspace.Root, workspace.Path, error) {
	root, err := c.Env.Root()
	if err != nil {
		return nil, workspace.Path{}, err
	}
	for _, p := range c.Paths {
		if root.Show(p.Clean.String()) == name {
			return root, p.Clean, nil
		}
	}
	path, err := root.Clean(name)
	if err != nil {
		return nil, workspace.Path{}, err
	}
	return root, root.Listed(path), nil
}

// Decision is the decision whether a call may run, and its origin.
type Decision struct {
	Verdict  string `json:"verdict"` // allow, ask or deny
	By       string `json:"by"`      // a person, or what in the policy decided
	Rule     string `json:"rule,omitzero"`
	Approval string `json:"approval,omitzero"` // id of the request that a person was asked with
}

// Handler carries out a call.
type Handler func(context.Context, *Call) (any, error)

// Middleware is one concern that every call goes through.
type Middleware struct {
	Name string
	Wrap func(next Handler) Handler
}

// Through returns the tool wrapped in the chain, outermost first. Only the guard
// may call it: nothing else may run a tool, and a test of the layers checks that.
func (t *Tool) Through(chain []Middleware) Handler {
	var h Handler = t.run
	for _, m := range slices.Backward(chain) {
		h = m.Wrap(h)
	}
	return h
}
