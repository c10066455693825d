package agent

import "context"

type followKey struct{}

// Follow returns a context in which spawned is told the id of the job that a call adds
// and waits for, before it waits. The job goes on if the process dies, and whoever knows
// its id can still learn what it came to.
func Follow(ctx context.Context, spawned func(id string)) context.Context {
	return context.WithValue(ctx, followKey{}, spawned)
}

// Followed tells whoever follows a call that it waits for a job.
func Followed(ctx context.Context, id string) {
	if spawned, ok := ctx.Value(followKey{}).(func(string)); ok {
		spawned(id)
	}
}
