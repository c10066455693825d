// Package similar finds the name that a misspelled one most likely meant, for
// the "did you mean" of messages. It compares names, not texts: how alike two
// lines of a file are is a question for the package that edits them.
package similar

import "strings"

// longest is how many bytes of a name are compared: enough for any real name,
// and it bounds the work for one that is not.
const longest = 64

// Name returns the one of names that is most similar to name, the first where
// several are, or "" where none is within a third of its length. Case and the
// characters that join words do not count: maxDepth, max-depth and max_depth
// are alike.
func Name(name string, names []string) string {
	best, least := "", len(name)/3+1
	for _, candidate := range names {
		if d := Distance(fold(name), fold(candidate)); d < least {
			best, least = candidate, d
		}
	}
	return best
}

func fold(name string) string {
	name = strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
	return name[:min(len(name), longest)]
}

// Distance returns the number of insertions, deletions, substitutions and swaps
// of neighbouring characters that turn a into b (the optimal string alignment
// distance). Its cost is the product of the lengths.
func Distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	var before, row []int // the two rows above next
	next := make([]int, len(to)+1)
	for j := range next {
		next[j] = j
	}
	for i := range from {
		before, row, next = row, next, make([]int, len(to)+1)
		next[0] = i + 1
		for j := range to {
			change := row[j]
			if from[i] != to[j] {
				change++
			}
			next[j+1] = min(change, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && from[i] == to[j-1] && from[i-1] == to[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
	}
	return next[len(to)]
}
