package limit

// Budgets of the edit engine.
const (
	// EditMatches is how many places one replacement may have by exact text, and
	// EditBlocks how many by lines that are only alike.
	EditMatches = 1_000_000
	EditBlocks  = 10_000
	// EditsListed is how many of the places that changed a result lists.
	EditsListed = 200
	// EditSimilar is how many similar places a result names.
	EditSimilar = 20
	// EditCandidates is how many places are offered when a text is not found,
	// EditShown how many are shown when it is found too often, and
	// EditShownLines and EditShownBytes how much of the file they show in sum.
	EditCandidates = 3
	EditShown      = 10
	EditShownLines = 60
	EditShownBytes = 8 << 10
	// EditCells bounds the search for candidates, in cells of the matrices that
	// it fills; EditSearchLines is the longest file it looks through, in lines.
	EditCells       = 4_000_000
	EditSearchLines = 2_000_000
)

// Budgets of the syntax check.
const (
	// SyntaxBytes is the longest text, in bytes, whose syntax is checked, and
	// SyntaxDepth how deeply its brackets may nest.
	SyntaxBytes = 4 << 20
	SyntaxDepth = 1000
)
