package limit

import "time"

// Budgets of commands in the background.
const (
	// Jobs is how many may run at a time, and JobTime how long each.
	Jobs    = 32
	JobTime = 24 * time.Hour
	// JobKept is how long what ended is remembered, and JobsKept how many.
	JobKept  = 24 * time.Hour
	JobsKept = 100
	// JobSegment is the size of one file of a job's output, in bytes, and
	// JobSegments how many of them are kept: the last ones.
	JobSegment  = 8 << 20
	JobSegments = 8
	// JobStart is how long a job may take to start, and JobStop to stop.
	JobStart = 20 * time.Second
	JobStop  = 10 * time.Second
	// JobPoll is how often a waiting reader looks.
	JobPoll = 50 * time.Millisecond
	// JobCommand is how much of a job's command line a list shows, in bytes.
	JobCommand = 500
)
