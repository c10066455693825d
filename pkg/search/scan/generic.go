package scan

import "bytes"

// The functions in this file do in Go what the assembly does, for processors
// without AVX2 and for short data.

// pairGeneric finds the first of the positions 0…n-1 that p matches.
func pairGeneric(data []byte, n int, p *pair) int {
	if n <= 0 {
		return -1
	}
	first, second := data[p.o1:p.o1+n], data[p.o2:p.o2+n]
	if p.m1 != 0 {
		for i, b := range first {
			if b|p.m1 == p.b1 && second[i]|p.m2 == p.b2 {
				return i
			}
		}
		return -1
	}
	for i := 0; i < n; i++ {
		j := bytes.IndexByte(first[i:], p.b1)
		if j < 0 {
			return -1
		}
		if i += j; second[i]|p.m2 == p.b2 {
			return i
		}
	}
	return -1
}

func setGeneric(data []byte, s *Set) int {
	for i, b := range data {
		if s.Has(b) {
			return i
		}
	}
	return -1
}

func teddyGeneric(data []byte, n int, t *tables) int {
	for i := range max(n, 0) {
		if t.buckets(data[i], data[i+1], data[i+2]) != 0 {
			return i
		}
	}
	return -1
}
