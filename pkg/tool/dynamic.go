package tool

import (
	"context"
	"reflect"
	"time"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// Dynamic defines a tool whose arguments are known only at run time.
type Dynamic struct {
	Name       string
	Risk       policy.Risk
	Doc        string
	Examples   []Example
	Timeout    time.Duration // zero is [defaultTimeout]
	Parameters *schema.Object
	// Digest distinguishes this definition from others of its name: a decision about
	// a call of one does not hold for a call of another.
	Digest string

	// Preview and Run get what Parameters decoded the call into.
	Preview func(ctx context.Context, call *Call, args any) (string, error)
	Run     func(ctx context.Context, call *Call, args any) (any, error)
	Text    func(any, screen.View) string
}

// Tool returns the tool of the definition.
func (d Dynamic) Tool() *Tool {
	parameters := func() *schema.Object { return d.Parameters }
	return &Tool{
		Name: d.Name, Risk: d.Risk, Doc: d.Doc, Examples: d.Examples, Timeout: timeoutOf(d.Timeout), Digest: d.Digest,
		result:  reflect.TypeFor[any](),
		full:    parameters,
		schema:  parameters,
		newArgs: d.Parameters.NewArgs,
		decode:  decoder(parameters),
		run:     func(ctx context.Context, c *Call) (any, error) { return d.Run(ctx, c, c.Args) },
		preview: func(ctx context.Context, c *Call) (string, error) { return d.Preview(ctx, c, c.Args) },
		text:    d.Text,
	}
}
