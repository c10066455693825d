package agent

import "context"

// Watch returns a channel that receives after a job may have changed, until ctx ends; see
// [store.Store].
func (j *Jobs) Watch(ctx context.Context) (<-chan struct{}, error) { return j.store.Watch(ctx) }
