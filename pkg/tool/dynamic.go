package tool

import (
	"context"
	"reflect"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// Dynamic defines a tool whose arguments are known at run time only.
type Dynamic struct {
	Name       string
	Risk       policy.Risk
	Doc        string
	Examples   []Example
	Timeout    time.Duration // zero is [DefaultTimeout]
	Parameters *schema.Object
	// Digest tells this definition from another under the same name: what was
	// decided about a call of the one holds for none of the other.
	Digest string

	// Preview and Run are given what Parameters decoded the call into.
	Preview func(ctx context.Context, call *Call, args any) (string, error)
	Run     func(ctx context.Context, call *Call, args any) (any, error)
	Text    func(result any) string
}

// Tool is the tool that is so defined.
func (d Dynamic) Tool() *Tool {
	t := &Tool{
		Name: d.Name, Risk: d.Risk, Doc: d.Doc, Examples: d.Examples, Timeout: d.Timeout, Digest: d.Digest,
		result:  reflect.TypeFor[any](),
		newArgs: d.Parameters.NewArgs,
		text:    func(result any, _ screen.Paint) string { return d.Text(result) },
	}
	if t.Timeout == 0 {
		t.Timeout = DefaultTimeout
	}
	t.full = func() *schema.Object { return d.Parameters }
	t.schema = t.full
	t.decode = func(input []byte, args any, mend bool) ([]fault.Text, error) {
		return decodeBy(d.Parameters, input, args, mend)
	}
	t.paths = func(context.Context, *Call) ([]Target, error) { return nil, nil }
	t.hosts = func(*Call) []string { return nil }
	t.run = func(ctx context.Context, c *Call) (any, error) { return d.Run(ctx, c, c.Args) }
	t.preview = func(ctx context.Context, c *Call) (string, error) { return d.Preview(ctx, c, c.Args) }
	return t
}
