// Package similar finds the name that a misspelled one most likely meant, for
// the "did you mean" of messages. It compares names, not texts: how alike two
// lines of a file are is a question for the package that edits them.
package similar

import "strings"

// longest limits the bytes of a name that are compared: enough for any real name, and it
// bounds the work for others.
const longest = 64

// Name returns the one of names that is most similar to name, the first where
// several are, or "" where none is within a third of its length. Case and the
// characters that join words do not count: maxDepth, max-depth and max_depth
// are alike.
func Name(name string, names []string) string {
	best, least := "", len(name)/3+1
	for _, candidate := range names {
		if d := distance(fold(name), fold(candidate)); d < least {
			best, least = candidate, d
		}
	}
	return best
}

func fold(name string) string {
	name = strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
	return name[:min(len(name), longest)]
}

// distance returns the number of insertions, deletions, substitutions and swaps
// of neighbouring characters that turn a into b (the optimal string alignment
// distance). Its cost is the product of the lengths.
func distance(a, b string) int {
	d, _ := Within(a, b, max(len(a), len(b)))
	return d
}

// Within returns the distance of a and b if it is at most that many. Its cost is
// the length times most, and names of usual length take no memory.
func Within(a, b string, most int) (distance int, ok bool) {
	var memory [2][longest]rune
	from, to := runes(memory[0][:0], a), runes(memory[1][:0], b)
	for len(from) > 0 && len(to) > 0 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	for len(from) > 0 && len(to) > 0 && from[len(from)-1] == to[len(to)-1] {
		from, to = from[:len(from)-1], to[:len(to)-1]
	}
	if len(from) > len(to) {
		from, to = to, from
	}
	if len(to)-len(from) > most {
		return 0, false
	}
	if len(from) == 0 {
		return len(to), true
	}
	// Only cells whose row and column differ by no more can hold such a distance
	// (Ukkonen's band). Those beside them count as one more.
	var cells [3][longest + 1]int
	before, row, next := cells[0][:], cells[1][:], cells[2][:]
	if len(to) >= len(row) {
		before, row, next = make([]int, len(to)+1), make([]int, len(to)+1), make([]int, len(to)+1)
	}
	for j := range len(to) + 1 {
		next[j] = j
	}
	above := 0 // the least of the row above
	for i := range from {
		before, row, next = row, next, before
		first, last := max(0, i-most), min(len(to), i+1+most)
		next[first] = most + 1
		if first == 0 {
			next[0] = i + 1
		}
		least := next[first]
		for j := first; j < last; j++ {
			change := row[j]
			if from[i] != to[j] {
				change++
			}
			next[j+1] = min(change, next[j]+1)
			if j+1 <= i+most { // the row above has this column
				next[j+1] = min(next[j+1], row[j+1]+1)
			}
			if i > 0 && j > 0 && from[i] == to[j-1] && from[i-1] == to[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
			least = min(least, next[j+1])
		}
		if least > most && above >= most { // a swap may still start from the row above
			return 0, false
		}
		above = least
	}
	return next[len(to)], next[len(to)] <= most
}

// runes appends the characters of s to into.
func runes(into []rune, s string) []rune {
	for _, r := range s {
		into = append(into, r)
	}
	return into
}
