package limit

// Budgets of the patch engine.
const (
	// PatchFiles is how many files one patch may name.
	PatchFiles = 100
	// PatchHunks is how many hunks one patch may have.
	PatchHunks = 10_000
	// PatchWork bounds the search for the places of hunks, in lines compared.
	PatchWork = 200_000_000
	// PatchFailures is how many failing hunks are told with candidates or
	// matches; further ones are told by name.
	PatchFailures = 5
	// PatchFuzz is how many lines of context may be left out at either end of a
	// hunk that is not found.
	PatchFuzz = 2
)
