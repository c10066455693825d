package main

import (
	"strings"
	"unicode"
)

// tokens counts the words of a text, in lower case. In scripts without spaces each
// character is a word.
func tokens(text string) map[string]int {
	counts := map[string]int{}
	start := -1
	low := strings.ToLower(text)
	flush := func(end int) {
		if start >= 0 {
			counts[low[start:end]]++
		}
		start = -1
	}
	for i, r := range low {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai):
			flush(i)
			counts[string(r)]++
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if start < 0 {
				start = i
			}
		default:
			flush(i)
		}
	}
	flush(len(low))
	return counts
}

// share returns the share of the words of a that are in b.
func share(a, b map[string]int) float64 {
	common, n := 0, 0
	for w, c := range a {
		common += min(c, b[w])
		n += c
	}
	return float64(common) / float64(max(n, 1))
}

// f1 returns the harmonic mean of precision and recall of the words of got.
func f1(got, want map[string]int) float64 {
	common, n, m := 0, 0, 0
	for w, c := range got {
		common += min(c, want[w])
		n += c
	}
	for _, c := range want {
		m += c
	}
	switch {
	case n == 0 && m == 0:
		return 1
	case common == 0:
		return 0
	}
	return 2 * float64(common) / float64(n+m)
}
