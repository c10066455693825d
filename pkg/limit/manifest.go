package limit

import "time"

// Budgets of custom tools.
const (
	// CustomTimeout is how long a custom tool may run that says nothing else, and
	// CustomTimeoutMost how long it may ask for.
	CustomTimeout     = time.Minute
	CustomTimeoutMost = time.Hour
	// CustomOutput is how much of its output is kept, in bytes, and
	// CustomOutputMost how much it may ask for.
	CustomOutput     = 256 << 10
	CustomOutputMost = 16 << 20
	// CustomArgv is how many words its command may have, before and after its
	// arguments are put in.
	CustomArgv = 1000
	// Manifests is how many of them are read.
	Manifests = 500
)
