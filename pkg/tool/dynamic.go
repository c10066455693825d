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
	Name       string
	Risk       policy.Risk
	Doc        string
	Examples   []Example
	Timeout    time.Duration // zero is [defaultTimeout]
	Parameters *schema.Object
	// Digest distinguishes this definition from others of its name: a decision about
	// a call of one does not hold for a call of another.
	Digest string
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
	parameters := func() *schema.Object { return d.Parameters }
	return &Tool{
		Name: d.Name, Risk: d.Risk, Doc: d.Doc, Examples: d.Examples, Timeout: timeoutOf(d.Timeout), Digest: d.Digest, Programs: true, output: d.described,
		full:    parameters,
		schema:  parameters,
		newArgs: d.Parameters.NewArgs,
		decode:  decoder(parameters),
		text:    d.Text,
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
