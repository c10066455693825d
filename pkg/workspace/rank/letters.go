package rank

import "math/bits"

// letters is the set of the bytes of a text in lower case: a bit for each letter and
// digit, and some shared by the others. A text holds another one only if its letters
// hold those of the other.
type letters uint64

func letterOf(c byte) letters {
	switch {
	case lowerCase(c):
		return 1 << (c - 'a')
	case '0' <= c && c <= '9':
		return 1 << (26 + c - '0')
	}
	return 1 << (36 + c%28)
}

func lettersOf(lower []byte) (all letters) {
	for _, c := range lower {
		all |= letterOf(c)
	}
	return all
}

// hold reports whether all of others are among l.
func (l letters) hold(others letters) bool { return others&^l == 0 }

// missing counts the letters of others that l does not hold. Each slip takes or adds at
// most one.
func (l letters) missing(others letters) int { return bits.OnesCount64(uint64(others &^ l)) }
