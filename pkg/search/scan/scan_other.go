//go:build !amd64

package scan

func pairIndex(data []byte, n int, p *pair) int { return pairGeneric(data, n, p) }

func setIndex(data []byte, s *Set) int { return setGeneric(data, s) }

func teddyIndex(data []byte, n int, t *tables) int { return teddyGeneric(data, n, t) }
