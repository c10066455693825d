// Package rank says how well a path fits what a caller asked for, who may know only
// half of a name, or have it wrong. It reads no directories.
//
// A [Query] is compiled once. Each goroutine that lists directories has a [Ranker]
// of its own, enters directory after directory, and ranks the names in it. That costs
// no allocation, and less than listing a directory does: a set of the letters of a name
// shows at once what the name cannot match.
package rank

import "cmp"

// Tier is a quality of match, the best first. Those from Near on are guesses.
type Tier uint8

// The tiers.
const (
	Exact Tier = iota // the complete path, or the complete name
	Tail              // the end of the path, or the name without its extension
	Part              // a part of the name, or of the path
	Words             // all words, in any order
	Parts             // all parts of words in CamelCase, snake_case or kebab-case
	Near              // at most two slips, another extension, or another directory
	Some              // most of the words, or words like them
	None              // not at all
)

// Score rates the match of a path.
type Score struct {
	Tier   Tier
	Path   bool  // the directories count, not the name alone
	Points int16 // within the tier; more is better
}

// Hit returns the word for the score in results: name, path, words, parts or similar.
func (s Score) Hit() string {
	switch {
	case s.Tier >= Near:
		return "similar"
	case s.Tier == Parts:
		return "parts"
	case s.Tier == Words:
		return "words"
	case s.Path:
		return "path"
	}
	return "name"
}

// Compare is negative if s is better than other.
func (s Score) Compare(other Score) int {
	return cmp.Or(cmp.Compare(s.Tier, other.Tier), cmp.Compare(other.Points, s.Points))
}

// Enough reports whether what was found leaves no need for worse tiers, and so what a
// search shows: after an exact hit, or a few others, guesses would only be in the way.
// found counts the hits of each tier.
func Enough(found *[None]int, tier Tier) bool {
	if tier <= Part {
		return false
	}
	better := 0
	for _, n := range found[:tier] {
		better += n
	}
	switch tier {
	case Near:
		return found[Exact]+found[Tail] > 0 || better >= few
	case Some:
		return better > 0
	}
	return found[Exact] > 0 || better >= few
}

// few hits make worse ones unnecessary.
const few = 5
