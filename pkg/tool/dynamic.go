package tool

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// Dynamic defines a tool whose arguments are known only at run time. What judging a
// call finds out, an F, reaches Preview and Run by its type.
type Dynamic[F any] struct {
	Name     string
	Risk     policy.Risk
	Doc      string
	Examples []Example
	Timeout  time.Duration // zero is [defaultTimeout]
	// Parameters describes the arguments; it is called when they are needed.
	Parameters func() *schema.Object
	// Digest distinguishes this definition from others of its name: a decision about
	// a call of one does not hold for a call of another.
	Digest string
	// Contents says that the JSON of a result is that of [Contents]; that of the details of
	// a fault may be.
	Contents   bool
	Idempotent bool
	Reads      bool // as in [Def]
	// Web and Hosts have the meaning of those in [Def]; the hosts are those of every call.
	Web   bool
	Hosts []string
	// Remote says that a call runs no program on this machine.
	Remote bool
	// Output describes what a call returns; nil if nothing is known about that.
	Output func() (schema.Document, error)

	// Judge gets what Parameters decoded the call into. It changes nothing.
	Judge   func(ctx context.Context, call *Call, args any) (*Judgement, F, error)
	Preview func(context.Context, *Call, F) (string, error)
	Run     func(context.Context, *Call, F) (any, error)
	Text    func(any, screen.View) string
}

// Tool returns the tool of the definition.
func (d Dynamic[F]) Tool() *Tool {
	return &Tool{actions: d, Spec: Spec{
		Name: d.Name, Risk: d.Risk, Doc: d.Doc, Examples: d.Examples, Timeout: cmp.Or(d.Timeout, defaultTimeout), Digest: d.Digest,
		Idempotent: d.Idempotent, reads: d.Reads, Web: d.Web, Programs: !d.Remote, Contents: d.Contents, Output: d.described,
	}}
}

// described describes what a call returns.
func (d Dynamic[F]) described() (schema.Document, error) {
	if d.Output == nil {
		return nil, fmt.Errorf("%s returns what its program prints", d.Name)
	}
	return d.Output()
}

func (d Dynamic[F]) arguments() *schema.Object                      { return d.Parameters() }
func (d Dynamic[F]) schema() *schema.Object                         { return d.Parameters() }
func (d Dynamic[F]) paths(context.Context, *Call) ([]Target, error) { return nil, nil }
func (d Dynamic[F]) hosts(*Call) []string                           { return d.Hosts }
func (d Dynamic[F]) trial(*Call) bool                               { return false }
func (d Dynamic[F]) text(result any, view screen.View) string       { return d.Text(result, view) }

func (d Dynamic[F]) decode(t *Tool, input []byte, args any, r schema.Repair) ([]fault.Text, error) {
	return t.read(input, args, r)
}

func (d Dynamic[F]) judge(ctx context.Context, c *Call) error {
	return c.judged(d.Judge(ctx, c, c.Args))
}

func (d Dynamic[F]) preview(ctx context.Context, c *Call, _ bool) (string, error) {
	return found(ctx, c, d.Preview)
}

func (d Dynamic[F]) run(ctx context.Context, c *Call) (any, error) {
	return found(ctx, c, d.Run)
}
