package scope

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/helve-dev/helve/pkg/search"
)

// Globs returns the patterns of a text: it is one if it selects something as it stands,
// for names have spaces and commas too, and else a list of several.
func (s *Scope) Globs(ctx context.Context, text string) []string {
	globs := Globs(text)
	if whole := strings.TrimSpace(text); len(globs) > 1 && !slices.ContainsFunc(globs[1:], starred) {
		o := search.FindOptions{Scope: s.Scope, Globs: []string{s.Relative(strings.TrimPrefix(whole, "!"))}, Limit: 1, NamesOnly: true}
		if found, err := search.Find(ctx, s.Root, o); err == nil && found.Total > 0 && !found.Guessed {
			globs = []string{whole}
		}
	}
	for i := range globs {
		globs[i] = s.Relative(globs[i])
		for _, form := range [...]norm.Form{norm.NFC, norm.NFD} { // as names are written on a Mac, and elsewhere
			if other := form.String(globs[i]); other != globs[i] {
				globs = append(globs, other)
			}
		}
	}
	return globs
}

// starred reports whether a pattern can only be one of a list: few names have a space
// before a star.
func starred(glob string) bool { return glob[0] == '*' || glob[0] == '!' }

// Globs splits a list of patterns at spaces and commas, except in braces, in sets
// and after a backslash.
func Globs(list string) []string {
	var globs []string
	depth, set, start := 0, false, 0
	add := func(end int) {
		if start < end {
			globs = append(globs, list[start:end])
		}
	}
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case c == '\\':
			i++
		case c == '[':
			set = strings.Contains(list[i:], "]")
		case c == ']':
			set = false
		case set:
		case c == '{':
			depth++
		case c == '}':
			depth--
		case depth <= 0 && (c == ',' || c == ' ' || c == '\t'):
			add(i)
			start = i + 1
		}
	}
	add(len(list))
	return globs
}
