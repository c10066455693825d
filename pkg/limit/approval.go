package limit

import "time"

// Budgets of approvals.
const (
	// ApprovalAge is how long a person has to decide, and the decision to be used.
	ApprovalAge = 10 * time.Minute
	// ApprovalKept is how long a request is remembered after that.
	ApprovalKept = 24 * time.Hour
	// Approvals is how many requests of a workspace may wait at once.
	Approvals = 100
	// ApprovalBytes is the largest request, in bytes, with its arguments and
	// preview.
	ApprovalBytes = 8 << 20
	// ApprovalPoll is how often a process looks whether another has decided.
	ApprovalPoll = 200 * time.Millisecond
	// ApprovalAnswer is the longest line, in bytes, that a host or a person
	// answers with.
	ApprovalAnswer = 64 << 10
	// ApprovalLines is how many lines of a preview a terminal is shown.
	ApprovalLines = 400
)
