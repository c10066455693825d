package tool

import (
	"context"
	"fmt"
	"time"

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
	return &Tool{
		Name: d.Name, Risk: d.Risk, Doc: d.Doc, Examples: d.Examples, Timeout: timeoutOf(d.Timeout), Digest: d.Digest,
		Idempotent: d.Idempotent, reads: d.Reads, Web: d.Web, Programs: !d.Remote, Contents: d.Contents, output: d.described,
		full:    d.Parameters,
		schema:  d.Parameters,
		newArgs: func() any { return d.Parameters().NewArgs() },
		decode:  decoder(d.Parameters),
		text:    d.Text,
		hosts:   func(*Call) []string { return d.Hosts },
		judge: func(ctx context.Context, c *Call) (err error) {
			c.Judgement, c.finding, err = d.Judge(ctx, c, c.Args)
			return err
		},
		run: func(ctx context.Context, c *Call) (any, error) {
			found, err := finding[F](c)
			if err != nil {
				return nil, err
			}
			return d.Run(ctx, c, found)
		},
		preview: func(ctx context.Context, c *Call) (string, error) {
			found, err := finding[F](c)
			if err != nil {
				return "", err
			}
			return d.Preview(ctx, c, found)
		},
	}
}

// described describes what a call returns.
func (d Dynamic[F]) described() (schema.Document, error) {
	if d.Output == nil {
		return nil, fmt.Errorf("%s returns what its program prints", d.Name)
	}
	return d.Output()
}
