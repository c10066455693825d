package pattern_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/search/pattern"
)

// TestLargest compiles patterns at and beyond their limits.
func TestLargest(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		ok   bool
	}{
		"long":      {strings.Repeat("a", 64<<10), true},
		"too long":  {strings.Repeat("a", 64<<10+1), false},
		"large":     {strings.Repeat("a{1000}b", 60), true},
		"too large": {strings.Repeat("a{1000}b", 101), false},
	} {
		if _, err := pattern.Compile(test.text, pattern.Options{}); (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLiteralsOf checks which literals are taken from alternatives and classes.
func TestLiteralsOf(t *testing.T) {
	words := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf("w%02dx", i))
		}
		return strings.Join(all, "|")
	}
	for text, want := range map[string]int{
		words(48):       48,
		words(49):       0,
		"x[abcdefgh]y":  8,
		"x[abcdefghi]y": 1,
	} {
		p, err := pattern.Compile(text, pattern.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Literals) != want {
			t.Errorf("%.40s: %d literals, want %d: %q", text, len(p.Literals), want, p.Literals)
		}
	}
}
