package agent

import "context"

// Spawner is the host's part in spawning a job.
type Spawner interface {
	// Prepare completes a job by the settings, before it is added: what it does not say
	// of Runtime, Model, BaseURL, Limits, OnLost and Config. The fault is not_configured, naming
	// the setting, if nothing could carry the job out.
	Prepare(ctx context.Context, j *Job) error
	// Start makes sure that somebody works on the queue, now that the job is in it. The
	// fault says that nobody does.
	Start(ctx context.Context, j Job) error
}
