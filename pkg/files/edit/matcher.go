package edit

// matcher finds a block of lines among others by their keys, with the algorithm
// of Knuth, Morris and Pratt, so that a text that repeats itself costs no more
// than another.
type matcher struct {
	key  func(line string) string
	keys []string
	// back[i] is the length of the longest proper part of keys[:i+1] that it both
	// begins and ends with.
	back    []int
	matched int // keys that the last lines match
}

// newMatcher returns a matcher of a block of at least one line.
func newMatcher(block []string, key func(line string) string) *matcher {
	m := &matcher{key: key, keys: mapped(block, key), back: make([]int, len(block))}
	for i := 1; i < len(m.keys); i++ {
		m.back[i] = m.after(m.back[i-1], m.keys[i])
	}
	return m
}

// next takes the next line and reports whether the block ends with it.
func (m *matcher) next(line string) bool {
	m.matched = m.after(m.matched, m.key(line))
	return m.matched == len(m.keys)
}

// after returns how many keys match once key follows a match of so many.
func (m *matcher) after(matched int, key string) int {
	for matched > 0 && (matched == len(m.keys) || m.keys[matched] != key) {
		matched = m.back[matched-1]
	}
	if m.keys[matched] == key {
		matched++
	}
	return matched
}
