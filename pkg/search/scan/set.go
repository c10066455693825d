package scan

// Set is a set of bytes. The zero value is empty.
type Set struct {
	nibbles [32]byte // see setAVX2
	size    int
}

// Add adds a byte to the set.
func (s *Set) Add(b byte) {
	if s.Has(b) {
		return
	}
	s.nibbles[b>>7<<4|b&15] |= 1 << (b >> 4 & 7)
	s.size++
}

// Has reports whether b is a member.
func (s *Set) Has(b byte) bool { return s.nibbles[b>>7<<4|b&15]>>(b>>4&7)&1 != 0 }

// Len returns the number of members.
func (s *Set) Len() int { return s.size }

// Cost estimates how many of 256 bytes of ordinary text are members.
func (s *Set) Cost() int {
	cost := 0
	for b := range 256 {
		if !s.Has(byte(b)) {
			continue
		}
		switch r := int(ranks[b]); {
		case r >= 248:
			cost += 12
		case r >= 224:
			cost += 4
		case r >= 160:
			cost++
		}
	}
	return cost
}

// Index returns the offset of the first member in data, or -1.
func (s *Set) Index(data []byte) int { return setIndex(data, s) }
