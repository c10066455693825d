package tool

import "context"

// Tracer records calls as spans of a trace.
type Tracer interface {
	// Begin is called before a call. end is called once after it, with its result as JSON and its
	// error; parent is the W3C traceparent of what the call starts.
	Begin(ctx context.Context, call *Call) (parent string, end func(result []byte, err error))
}

type callIDKey struct{}

// WithCallID returns a context for the call that a model gave an id.
func WithCallID(ctx context.Context, id string) context.Context {
	if id == "" {
		return ctx
	}
	return context.WithValue(ctx, callIDKey{}, id)
}

// CallID returns the id that a model gave the call; "" if there is none.
func CallID(ctx context.Context) string {
	id, _ := ctx.Value(callIDKey{}).(string)
	return id
}
