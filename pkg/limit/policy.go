package limit

// Budgets of configuration and rules.
const (
	// ConfigBytes is the largest configuration file or manifest, in bytes, and
	// ConfigDepth how deeply it may nest.
	ConfigBytes = 1 << 20
	ConfigDepth = 32
	// ConfigProblems is how many problems of one file are told.
	ConfigProblems = 100
	// Rules is how many rules hold at once.
	Rules = 2000
	// GlobBytes is the longest path glob, GlobParts how many names it may have and
	// GlobAlternatives into how many its braces may unfold.
	GlobBytes        = 1024
	GlobParts        = 64
	GlobAlternatives = 64
	// TrustedFiles is how many files of a workspace are trusted at once.
	TrustedFiles = 200
)
