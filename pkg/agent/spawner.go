package agent

import "context"

// Spawner is the host's part in spawning a job.
type Spawner interface {
	// Prepare completes a job by the settings, before it is added: missing values of
	// Runtime, Model, BaseURL, Limits, OnLost and Config. The fault is not_configured,
	// naming the setting, if nothing could carry the job out.
	Prepare(ctx context.Context, j *Job) error
	// Start makes sure that somebody works on the queue after a job was added. It returns
	// a fault if nobody does.
	Start(ctx context.Context, j Job) error
}
