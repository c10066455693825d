package limit

// Budgets of what a command did in a preview.
const (
	// EffectChanges is how many changes, of which a directory that comes or goes
	// is one, can be made real at once.
	EffectChanges = 10_000
	// EffectShown is how many changes, and how many entries of one directory
	// that comes or goes, are listed for a person.
	EffectShown = 100
	// EffectText is the largest file, in bytes, of which a diff is shown and that
	// is written as text; EffectTexts bounds all of them.
	EffectText  = 1 << 20
	EffectTexts = 32 << 20
	// EffectDiffs is how much of the diffs is kept, in bytes.
	EffectDiffs = 256 << 10
	// EffectWritten is how many files are written one by one, with their earlier
	// bytes kept one by one; more are moved as they are.
	EffectWritten = 500
)
