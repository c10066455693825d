package scan

// block is the least number of positions for the assembly.
const block = 32

//go:noescape
func pairAVX2(p1, p2 *byte, n int, b1, m1, b2, m2 uint8) int

//go:noescape
func setAVX2(p *byte, n int, tables *[32]byte) int

//go:noescape
func teddyAVX2(p *byte, n int, tables *[96]byte) int

func pairIndex(data []byte, n int, p *pair) int {
	if n < block || !hasAVX2() {
		return pairGeneric(data, n, p)
	}
	return pairAVX2(&data[p.o1], &data[p.o2], n, p.b1, p.m1, p.b2, p.m2)
}

func setIndex(data []byte, s *Set) int {
	if len(data) < block || !hasAVX2() {
		return setGeneric(data, s)
	}
	return setAVX2(&data[0], len(data), &s.nibbles)
}

func teddyIndex(data []byte, n int, t *tables) int {
	if n < block || !hasAVX2() {
		return teddyGeneric(data, n, t)
	}
	return teddyAVX2(&data[0], n, (*[96]byte)(t))
}
