// Package documenttest helps to test readers of documents.
package documenttest

import (
	"context"
	"strings"
	"testing"
	"unicode"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
)

// Render returns all of a document, and fails the test if it is damaged.
func Render(t testing.TB, r document.Reader, q *document.Request) string {
	t.Helper()
	w := markdown.NewWriter(markdown.Window{})
	if err := r.Render(context.Background(), q, w); err != nil {
		t.Fatal(err)
	}
	return string(w.Bytes())
}

// WordsF1 compares the words of two texts without regard to their order: 1 if they are the
// same. A word is a run of letters and digits.
func WordsF1(got, want string) float64 {
	words := func(text string) (map[string]int, int) {
		counts, all := map[string]int{}, strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		for _, w := range all {
			counts[w]++
		}
		return counts, len(all)
	}
	a, n := words(got)
	b, m := words(want)
	if n+m == 0 {
		return 1
	}
	same := 0
	for w, count := range a {
		same += min(count, b[w])
	}
	return 2 * float64(same) / float64(n+m)
}
