package tool

import (
	"context"
	"reflect"
	"time"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Env is the world that tools work in. It is composed once and does not change
// during a call; what changes lies in [Call]. What costs something to build is a
// func, called at first use. A test is another Env.
type Env struct {
	Root  func() (*workspace.Root, error)
	State func() (*state.Dir, error)
	// Journal is the history of the workspace. Every change of its files goes
	// through it, so that it is complete after a crash and can be undone.
	Journal func() (*journal.Journal, error)
	// Audit is the state directory that calls are recorded in: that of the
	// workspace the caller was given, whichever project a call works in.
	Audit func() (*state.Dir, error)
	// AuditBytes is the size at which the log of calls starts afresh; 0 is the usual one.
	AuditBytes int64
	// Unfinished does what helve did not come to when it was stopped while a command ran,
	// and says what it did; permits reports whether a path of the workspace may be one that
	// others obey. Nil does nothing.
	Unfinished func(ctx context.Context, permits func(rel string) bool) []fault.Text
	// Machine describes the system for commands; nil where none can run.
	Machine func() (*Machine, error)
	// Excludes returns the person's own ignore rules; nil is none.
	Excludes func() []byte
	// OutputRules reads the person's own rules about the output of programs; nil is none.
	OutputRules func() []config.RuleFile
	Now         func() time.Time
	Session     string
	// Channel and Chat are the conversation that calls come from, beside the session;
	// see [Origin].
	Channel, Chat string
	// Turn is the turn of the agent that calls belong to, as the host numbers them; "" is
	// unknown.
	Turn string
	// Timezone is the person's time zone, by its name; "" is that of the system, which TZ,
	// the variable of that name, may say.
	Timezone string
	TZ       string
	// Run is the id of the run of a job that the calls belong to; "" is none.
	Run string
	// Agent is the id of the job of the sub-agent that makes the calls; "" is none.
	Agent string
	// Nested says that helve started this process, as its environment has it.
	Nested bool
	// Artifacts is the directory for files that calls leave for the caller, as in
	// package workspace; "" is the usual one.
	Artifacts string
	// SearchSkip are names of directories that file-search does not enter, besides the
	// usual ones.
	SearchSkip []string
	Lang       fault.Lang // of what results say in words; "" is English

	// Project is the id of the project that this is the world of; "" is the
	// workspace itself.
	Project string
	// Enter returns the world of another project; nil for an unknown id. A nil
	// Enter knows no project.
	Enter func(id string) *Env

	// Patience limits the time that a call waits for a person, besides the time that its
	// tool may take.
	Patience time.Duration

	// AnswerBy is the time by which a call should answer, as its caller gives up soon after:
	// a command that still runs then goes on as a job, and what waits returns what there is.
	// The zero time is no such time.
	AnswerBy time.Time
	// Later has work go on that outlives its call, until it ends or its context does. It is
	// not nil where AnswerBy is set.
	Later func(work func(context.Context))

	ReadOnly bool // refuse everything but reading
	// RequireRead says what happens when a call overwrites a file that the session
	// has not read: off, warn or on, which refuses. "" is warn.
	RequireRead string
	// WithoutDotdot refuses paths with ".." in them, wherever they lead.
	WithoutDotdot bool

	// Policy decides about paths, for tools that reach more of them than their
	// arguments name; nil allows all.
	Policy *policy.Policy
	// Decide decides about a call: an error refuses it or says that a person must
	// decide. A nil Decide allows every call.
	Decide func(context.Context, *Call) error
	// Hides returns which paths the policy hides from a tool. A nil Hides, or a nil
	// result, hides none.
	Hides func(policy.Project, *Tool) func(path string) bool
	// Mask replaces secrets in a text that is recorded; nil is Mask of package secret.
	Mask func(string) string
	// Notices are warnings about every call, such as of settings that were
	// ignored.
	Notices []fault.Text

	// Progress, if not nil, is called with the progress of a call; a total of 0 is unknown.
	// Several goroutines may call it at once, and as fast as the work is done: it must return
	// soon. Tools call [Call.Progress].
	Progress func(done, total float64, message string)

	// Input is the input from whoever can be asked while a call is made; nil where nobody
	// can.
	Input *Input

	// Responder formats and checks what calls change; nil where no setting asks for it.
	Responder Responder
	// Hooks run the person's programs around calls; nil where there are none. Settled reports whether a
	// person has allowed the call as it is, which its hooks have seen then.
	Hooks   Hooks
	Settled func(context.Context, *Call) bool
	// Tracer records calls as spans; nil where nobody collects them.
	Tracer Tracer

	// Pictures limits the images that the caller's model takes beside the text of a result;
	// the zero value is none. See [Pictured].
	Pictures PictureFit

	services map[reflect.Type]any // a func() (T, error) each
}

// RiskOfLoss returns the risk of a loss under the policy; without one, under a policy
// without settings.
func (e *Env) RiskOfLoss(l policy.Loss) policy.Risk {
	if e.Policy == nil {
		return (&policy.Policy{}).RiskOfLoss(l)
	}
	return e.Policy.RiskOfLoss(l)
}

// Finish calls Unfinished under the policy for a project, the one of e.
func (e *Env) Finish(ctx context.Context, project policy.Project) []fault.Text {
	if e.Unfinished == nil {
		return nil
	}
	return e.Unfinished(ctx, func(rel string) bool {
		return e.Policy != nil && e.Policy.Permits(project, rel)
	})
}

// Provide adds a service to e that only some tools use, such as a web client.
// They ask for it by its type; see [Service].
func Provide[T any](e *Env, open func() (T, error)) {
	if e.services == nil {
		e.services = map[reflect.Type]any{}
	}
	e.services[reflect.TypeFor[T]()] = open
}

// Service opens the service of type T that was provided to e. The fault for one
// that was not is unsupported.
func Service[T any](e *Env) (T, error) {
	open, ok := e.services[reflect.TypeFor[T]()].(func() (T, error))
	if !ok {
		var none T
		return none, fault.New(fault.Unsupported, fault.T("this run provides no %v", reflect.TypeFor[T]())).
			WithHint(fault.T("use another tool"))
	}
	return open()
}

// News reports whether a text is new to the session.
func (e *Env) News(said fault.Text) bool { return e.First("said: " + said.In(fault.English)) }

// Within returns the time that a call may wait: limit, or until AnswerBy if that is sooner.
func (e *Env) Within(limit time.Duration) time.Duration {
	if e.AnswerBy.IsZero() {
		return limit
	}
	return max(0, min(limit, time.Until(e.AnswerBy)))
}

// First reports whether nobody has asked about a subject in the session before; see
// [state.Session.First].
func (e *Env) First(subject string) bool {
	if e.State == nil {
		return true
	}
	dir, err := e.State()
	if err != nil {
		return true
	}
	s, err := dir.Session(e.Session)
	return err != nil || s.First(subject)
}
