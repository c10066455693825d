package scope

import "strings"

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
