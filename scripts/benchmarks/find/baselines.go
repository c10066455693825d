package main

import (
	"cmp"
	"slices"
	"strings"
)

// substring finds paths that contain the query in any case, nearest first.
func substring(paths []string, query string) (found []string) {
	query = strings.ToLower(query)
	for _, p := range paths {
		if len(found) < first && strings.Contains(strings.ToLower(p), query) {
			found = append(found, p)
		}
	}
	return found
}

// subsequence finds paths that contain the characters of the query in order, and ranks
// them as fzf does: runs and the starts of words count for more, gaps for less. As in
// fzf, each word of the query must be found.
func subsequence(paths []string, query string) (found []string) {
	type scored struct {
		path  string
		score int
	}
	var all []scored
	for _, p := range paths {
		sum, ok := 0, true
		for word := range strings.FieldsSeq(query) {
			score, fits := align(p, strings.ToLower(word))
			sum, ok = sum+score, ok && fits
		}
		if ok {
			all = append(all, scored{p, sum})
		}
	}
	slices.SortStableFunc(all, func(x, y scored) int {
		return cmp.Or(y.score-x.score, len(x.path)-len(y.path))
	})
	for _, s := range all[:min(first, len(all))] {
		found = append(found, s.path)
	}
	return found
}

// align returns the best score of a word in a path, with the weights of fzf's second
// algorithm.
func align(path, word string) (best int, ok bool) {
	const match, gapStart, gapExtension, boundary, camel, consecutive, none = 16, -3, -1, 8, 7, 4, -1 << 20
	lower := strings.ToLower(path)
	if len(lower) != len(path) {
		return 0, false
	}
	before := make([]int, len(path)+1) // the best score of the word so far that ends before each byte
	runs := make([]int, len(path)+1)
	for i := range len(word) {
		row, lengths := make([]int, len(path)+1), make([]int, len(path)+1)
		row[0] = none
		inGap := false
		for j := range len(path) {
			gap := gapExtension
			if !inGap {
				gap = gapStart
			}
			row[j+1] = row[j] + gap
			inGap = true
			if lower[j] != word[i] || before[j] <= none/2 || i > 0 && j == 0 {
				continue
			}
			bonus := 0
			switch {
			case j == 0 || strings.IndexByte("/_-. ", path[j-1]) >= 0:
				bonus = boundary
			case path[j] >= 'A' && path[j] <= 'Z' && (path[j-1] < 'A' || path[j-1] > 'Z'):
				bonus = camel
			}
			if runs[j] > 0 {
				bonus = max(bonus, consecutive)
			}
			if i == 0 {
				bonus *= 2
			}
			start := before[j]
			if i == 0 {
				start = 0
			}
			if score := start + match + bonus; score > row[j+1] {
				row[j+1], lengths[j+1], inGap = score, runs[j]+1, false
			}
		}
		before, runs = row, lengths
	}
	best = slices.Max(before)
	return best, best > 0
}
