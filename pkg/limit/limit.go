// Package limit is the one home of helve's budgets and of the words in which a
// result says that it was cut. It does not read or cut anything but text.
package limit

import "time"

// LockWait is how long a writer waits for another process to be done with the
// same file.
const LockWait = 10 * time.Second

// CountedFile is the largest file, in bytes, whose lines a listing counts, and
// CountedBytes what one listing reads for that in sum.
const (
	CountedFile  = 128 << 10
	CountedBytes = 4 << 20
)

// Budgets of paths.
const (
	// Path is the longest path, in bytes, that a caller may name; it is what
	// Linux takes.
	Path = 4095
	// Links is how many symbolic links one path may lead through.
	Links = 40
	// SimilarPaths is how many existing paths a not-found error suggests, and
	// SimilarVisits how many directory entries are looked at for them.
	SimilarPaths  = 3
	SimilarVisits = 5000
	// StaleScan is how many names of a directory a writer looks through for the
	// temporary files of writers that died, and StaleAge how old such a file must
	// be where the file system has no locks to tell.
	StaleScan = 10000
	StaleAge  = time.Hour
)
