package agent

import "context"

type followKey struct{}

// Follow returns a context in which spawned is called with the id of the job that a call
// adds and waits for, before it waits. The job goes on if the process dies; with its id a
// caller can still get the result.
func Follow(ctx context.Context, spawned func(id string)) context.Context {
	return context.WithValue(ctx, followKey{}, spawned)
}

// Followed calls the function given to [Follow], if any, with the id of a job.
func Followed(ctx context.Context, id string) {
	if spawned, ok := ctx.Value(followKey{}).(func(string)); ok {
		spawned(id)
	}
}
