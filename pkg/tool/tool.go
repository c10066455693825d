// Package tool is what a tool is: one definition from which everything outward
// is projected. It is not how a call is guarded; see guard.
package tool

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// Example is a call that a reader of the help can copy.
type Example struct {
	Doc  string // what it does, in a few words
	Args string // the arguments as JSON
}

// Profile is a name of a tool under which some arguments are fixed.
type Profile struct {
	Name  string
	Fixed string // a JSON object
}

// Def defines a tool whose arguments are the struct A and whose result is R.
type Def[A, R any] struct {
	Name     string   // snake_case; group_verb is the command "group verb"
	Aliases  []string // names under which models know such a tool
	Risk     policy.Risk
	Doc      string // product text that a model reads: what it does, then how to use it well
	Bare     string // the argument that may be given without its name, if any
	Examples []Example
	Timeout  time.Duration // the longest a call may take; zero is [DefaultTimeout]
	// TimeoutArg names the argument by which a caller limits the work, in seconds.
	// The longest that it takes is added to Timeout.
	TimeoutArg string
	Grace      time.Duration // what a call that was told to stop may take to put things in order, if that is much

	// Profiles are further names, under which some arguments are fixed.
	Profiles []Profile
	// Paths names the paths that a call touches and no path argument holds, such
	// as those in the text of a patch, so that they are guarded like the others.
	Paths func(context.Context, *Call, A) ([]Target, error)
	// Web says that calls reach the web, and Hosts names the hosts as far as the
	// arguments tell, so that rules about them hold.
	Web   bool
	Hosts func(A) []string
	// Preview shows what a call would do, such as a diff, for a person to decide
	// by. It changes nothing. Nil shows the arguments.
	Preview func(context.Context, *Call, A) (string, error)
	Run     func(context.Context, *Call, A) (R, error)
	// Text renders a result for people and models. Nil renders it as JSON.
	Text func(R) string
	// Styled stands for Text where colour helps people; it has none unless asked
	// to paint.
	Styled func(R, screen.Paint) string
}

// DefaultTimeout is the longest a call takes whose tool says nothing else.
const DefaultTimeout = 2 * time.Minute

// Tool is a [Def] with its types erased. Make one with [New].
type Tool struct {
	Name     string
	Aliases  []string
	Risk     policy.Risk
	Doc      string
	Bare     string
	Examples []Example
	Timeout  time.Duration
	Grace    time.Duration
	Web      bool   // calls reach the web
	Uses     string // the tool that this one is bound to; "" for one of its own
	Profiles []Profile
	Digest   string // tells the definition of a [Dynamic] tool from others of its name

	timeoutArg string
	args       reflect.Type
	result     reflect.Type
	full       func() *schema.Object // all arguments, also those that are fixed
	schema     func() *schema.Object // those that a call gives
	decode     func(input []byte, args any, mend bool) ([]fault.Text, error)
	run        Handler
	judge      func(context.Context, *Call) error // nil when every call has the same risk
	paths      func(context.Context, *Call) ([]Target, error)
	hosts      func(*Call) []string
	preview    func(context.Context, *Call) (string, error)
	newArgs    func() any
	text       func(any, screen.Paint) string
}

// New erases the types of a definition. It reflects on nothing: that waits
// until the schema is wanted.
func New[A, R any](d Def[A, R]) *Tool {
	t := &Tool{
		Name: d.Name, Aliases: d.Aliases, Risk: d.Risk, Doc: d.Doc, Bare: d.Bare, Examples: d.Examples,
		Timeout: d.Timeout, timeoutArg: d.TimeoutArg, Grace: d.Grace, Profiles: d.Profiles, Web: d.Web,
		args:    reflect.TypeFor[A](),
		result:  reflect.TypeFor[R](),
		newArgs: func() any { return new(A) },
	}
	if t.Timeout == 0 {
		t.Timeout = DefaultTimeout
	}
	t.full = sync.OnceValue(func() *schema.Object { return schema.Of(t.args) })
	t.schema = t.full
	t.decode = func(input []byte, args any, mend bool) ([]fault.Text, error) {
		return decodeBy(t.full(), input, args, mend)
	}
	t.run = func(ctx context.Context, c *Call) (any, error) {
		r, err := d.Run(ctx, c, *c.Args.(*A))
		if err != nil {
			return nil, err
		}
		return r, nil
	}
	t.paths = func(ctx context.Context, c *Call) ([]Target, error) {
		if d.Paths == nil {
			return nil, nil
		}
		return d.Paths(ctx, c, *c.Args.(*A))
	}
	t.hosts = func(c *Call) []string {
		if d.Hosts == nil {
			return nil
		}
		return d.Hosts(*c.Args.(*A))
	}
	t.preview = func(ctx context.Context, c *Call) (string, error) {
		if d.Preview == nil {
			text, err := schema.Marshal(c.Args)
			return string(text), err
		}
		return d.Preview(ctx, c, *c.Args.(*A))
	}
	t.text = func(v any, paint screen.Paint) string {
		switch {
		case d.Styled != nil:
			return d.Styled(v.(R), paint)
		case d.Text != nil:
			return d.Text(v.(R))
		}
		text, err := schema.Marshal(v)
		if err != nil {
			return fmt.Sprintf("%+v", v)
		}
		return string(text)
	}
	return t
}

// Schema describes the arguments that a call gives. It panics when the
// definition is wrong.
func (t *Tool) Schema() *schema.Object { return t.schema() }

// Arguments describes all arguments, also those that are fixed and hidden.
func (t *Tool) Arguments() *schema.Object { return t.full() }

// Decode reads a call's JSON into args, which [Tool.NewArgs] made, and adds what
// is fixed. With mend, slips with one possible meaning are mended and told.
func (t *Tool) Decode(input []byte, args any, mend bool) (mended []fault.Text, err error) {
	return t.decode(input, args, mend)
}

// Deadline returns the longest that a call may take.
func (t *Tool) Deadline() time.Duration {
	if t.timeoutArg == "" {
		return t.Timeout
	}
	f, _ := t.Arguments().Field(t.timeoutArg)
	return t.Timeout + time.Duration(*f.Type.Max)*time.Second
}

// Result is the Go type of the results.
func (t *Tool) Result() reflect.Type { return t.result }

// NewArgs is a pointer to zero arguments, to decode into.
func (t *Tool) NewArgs() any { return t.newArgs() }

// Judge judges a decoded call, and writes the judgement on it; a tool whose calls
// all have the same risk writes none.
func (t *Tool) Judge(ctx context.Context, c *Call) error {
	if t.judge == nil {
		return nil
	}
	if err := t.judge(ctx, c); err != nil {
		return err
	}
	if c.Judgement == nil {
		return fault.New(fault.Internal, fault.T("%s did not judge the call", "%s 未对该调用给出判断", t.Name))
	}
	return nil
}

// Paths names the paths that a decoded call touches beside its path arguments.
func (t *Tool) Paths(ctx context.Context, c *Call) ([]Target, error) { return t.paths(ctx, c) }

// Hosts names the hosts on the web that a decoded call reaches, as far as its
// arguments tell.
func (t *Tool) Hosts(c *Call) []string { return t.hosts(c) }

// Preview shows what a decoded call would do.
func (t *Tool) Preview(ctx context.Context, c *Call) (string, error) { return t.preview(ctx, c) }

// Text renders a result of this tool for people and models, with colour if paint
// says so.
func (t *Tool) Text(result any, paint screen.Paint) string { return t.text(result, paint) }
