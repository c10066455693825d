package limit

import "time"

// Budgets of reading web pages.
const (
	// PageNodes is how many nodes the tree of a page may have; what comes after is
	// not looked at.
	PageNodes = 100_000
	// PageDepth is how deeply its elements may nest.
	PageDepth = 512
	// PageMarks is how many marks such as b may be open at once. A page can ask to
	// have them opened again in each block behind one that was closed too early.
	PageMarks = 24
	// PageAttributes is how many attributes all its elements may have together.
	PageAttributes = 250_000
	// PageText is how much text of a page is looked at, in bytes.
	PageText = 3 << 20
	// PageData is how much text, in bytes, is taken from the data of a page that
	// shows none.
	PageData = 200 << 10
	// PageError is how much of what comes with a status of failure is told, in
	// characters.
	PageError = 2000
	// PageReuse is how old a stored page may be when a later part of it is asked
	// for.
	PageReuse = time.Hour
	// PageLinks is how many links or images a result lists.
	PageLinks = 500
	// PageLists is what lists of links and images may take, in bytes.
	PageLists = 128 << 10
	// PageLabel is how long a title, a name, or the text of a link may be, in
	// characters, and PageExcerpt how long an excerpt.
	PageLabel   = 300
	PageExcerpt = 600
)
