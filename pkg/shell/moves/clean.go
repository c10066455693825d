package moves

import "slices"

// Clean returns the words by which git says what a clean would delete, and the directory in
// which it works; ok is false for every other command.
func Clean(dir string, args []string) (at string, words []string, ok bool) {
	at, sub, rest, ok := globals(dir, args)
	if !ok || sub != "clean" {
		return "", nil, false
	}
	l := split(rest, "-e --exclude")
	l.options = slices.DeleteFunc(l.options, func(o option) bool { return slices.Contains([]string{"-q", "--quiet", "-i", "--interactive"}, o.name) })
	words = []string{"-c", "core.quotePath=false", "clean", "-n"}
	for _, o := range l.options {
		words = append(words, o.name)
		if o.value != "" {
			words = append(words, o.value)
		}
	}
	return at, slices.Concat(words, []string{"--"}, l.operands, l.paths), true
}
