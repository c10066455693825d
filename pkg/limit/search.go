package limit

import "time"

// Budgets of searches.
const (
	// SearchWorkers is how many goroutines walk a tree at most.
	SearchWorkers = 16
	// SearchProblems is how many of the paths that could not be read a result
	// names.
	SearchProblems = 5
	// SearchIgnoreFile is how much of an ignore file is read, in bytes.
	SearchIgnoreFile = 1 << 20
	// SearchPattern is the longest pattern, in bytes, and SearchRepeat the
	// highest count of a repetition in one.
	SearchPattern = 64 << 10
	SearchRepeat  = 1000
	// SearchProgram is how many instructions a compiled pattern has at most, and
	// SearchNesting how deeply its groups nest.
	SearchProgram = 200_000
	SearchNesting = 250
	// SearchStates is the memory, in bytes, of one worker's states of an
	// automaton; beyond it they are made anew.
	SearchStates = 4 << 20
	// SearchBuffer is how much of a file, in bytes, a worker reads at once.
	SearchBuffer = 256 << 10
	// SearchParallel is from how many bytes on one file is searched by several
	// workers.
	SearchParallel = 4 << 20
	// SearchLine is the longest line, in bytes, that is held as a whole; of a
	// longer one only windows are.
	SearchLine = 1 << 20
	// SearchWhole is the largest file, in bytes, that is held as a whole, which
	// patterns that span lines and encodings other than UTF-8 need.
	SearchWhole = 64 << 20
	// SearchPending is how much text, in bytes, results may hold that wait for
	// results before them; files beyond it are searched again when it is their
	// turn.
	SearchPending = 1 << 20
	// SearchMatches is the default of how many matching lines or files are
	// returned, and SearchMatchesMost what a caller may ask for.
	SearchMatches     = 100
	SearchMatchesMost = 10_000
	// SearchShown is how much of a long line is shown, in bytes.
	SearchShown = 400
	// SearchText is how much text a result holds, in bytes.
	SearchText = 256 << 10
	// SearchSubmatches is how many places in one line are pointed out.
	SearchSubmatches = 50
	// SearchContext is how many lines of context a caller may ask for.
	SearchContext = 100
	// SearchDepth is how deep a find goes by default.
	SearchDepth = 12
	// SearchGarbage is how much garbage may gather before it is collected, in per
	// cent of what is in use: little is, so that collecting is cheap.
	SearchGarbage = 70
	// SearchTime is how long a search may take before it returns what it has.
	SearchTime = 30 * time.Second
)

// GitIncludes is how deeply files of git's settings may include others when they
// are asked for the person's ignore rules; git itself stops there.
const GitIncludes = 10
