package approval

import "context"

// carried is the key of the id in a context.
type carried struct{}

// Carry returns a context for one call that is made with the decision about the request
// of an id, in a process that makes many.
func Carry(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, carried{}, id)
}

// Carried returns the id that a call is made with; "" for none.
func Carried(ctx context.Context) string {
	id, _ := ctx.Value(carried{}).(string)
	return id
}

// prompt is the key in a context of a call whose maker asks the person.
type prompt struct{}

// Promptly returns a context for a call whose maker puts what a person must decide to
// that person once the call has failed with it: the call itself waits for nobody.
func Promptly(ctx context.Context) context.Context {
	return context.WithValue(ctx, prompt{}, true)
}

// Prompt reports whether a call waits for nobody.
func Prompt(ctx context.Context) bool {
	return ctx.Value(prompt{}) != nil
}

// Anew marks the context of a call that comes out of another one and is decided about by
// itself: no approval that the other came with is its own.
func Anew(ctx context.Context) context.Context { return context.WithValue(ctx, anew{}, true) }

type anew struct{}

// IsAnew reports whether a call comes out of another one.
func IsAnew(ctx context.Context) bool { return ctx.Value(anew{}) != nil }
