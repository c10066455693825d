package schema

import "strings"

// Nearest is the one of names that a misspelling most likely meant, or "". Case
// and the ways of joining words do not count.
func Nearest(name string, names []string) string {
	best, distance := "", len(name)/3+1
	for _, candidate := range names {
		if d := edits(fold(name), fold(candidate)); d < distance {
			best, distance = candidate, d
		}
	}
	return best
}

// fold makes camelCase, kebab-case and snake_case alike.
func fold(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s))
}

// edits is the optimal string alignment distance in bytes, in which swapping two
// neighbours is one edit; names are cut at 64.
func edits(a, b string) int {
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	var before, row []int // the two rows above the one at hand
	next := make([]int, len(b)+1)
	for j := range next {
		next[j] = j
	}
	for i := range len(a) {
		before, row, next = row, next, make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			change := row[j]
			if a[i] != b[j] {
				change++
			}
			next[j+1] = min(change, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
	}
	return next[len(b)]
}
