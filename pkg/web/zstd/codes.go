package zstd

// value is what a code of a sequence stands for (section 3.1.1.3.2.1.1): a
// number to begin at, and how many bits to add to it.
func value(kind, code int) (base uint32, extra uint8) {
	switch kind {
	case matchOffset:
		return 1 << code, uint8(code)
	case literalLength:
		if code < 16 {
			return uint32(code), 0
		}
		widths := [...]uint8{1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
		return stacked(16, widths[:code-15])
	}
	if code < 32 {
		return uint32(code) + 3, 0
	}
	widths := [...]uint8{1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	return stacked(35, widths[:code-31])
}

// stacked is where the last of several ranges begins, which lie one behind the
// other and have so many bits each.
func stacked(from uint32, widths []uint8) (base uint32, extra uint8) {
	last := len(widths) - 1
	for _, w := range widths[:last] {
		from += 1 << w
	}
	return from, widths[last]
}

// usual is the distribution of codes that a block need not describe (section
// 3.1.1.3.2.2).
func usual(kind int) distribution {
	d := distribution{log: 6}
	var counts []int16
	switch kind {
	case literalLength:
		counts = []int16{
			4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1,
			2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1,
			-1, -1, -1, -1,
		}
	case matchOffset:
		d.log = 5
		counts = []int16{
			1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1,
			1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
		}
	default:
		counts = []int16{
			1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1,
			1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
			1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1,
			-1, -1, -1, -1, -1,
		}
	}
	d.n = copy(d.counts[:], counts)
	return d
}
