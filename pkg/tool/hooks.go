package tool

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
)

// Hooks run the person's programs around calls. They can only narrow what the policy says.
type Hooks interface {
	// Before runs before a call whose arguments are decoded and confined is decided about. An
	// error refuses the call. changed are other arguments, as JSON; nil leaves those of the call. ask, if not
	// zero, is the reason for asking a person about it.
	Before(ctx context.Context, call *Call) (changed []byte, ask fault.Text, err error)
	// After runs after a call that came to result, as JSON, or to an error, and returns what the
	// programs say to the model.
	After(ctx context.Context, call *Call, result []byte, err error) []fault.Text
}
