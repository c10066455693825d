//go:build unix

package walk

import "math"

// setLinks notes how many names a regular file has.
func (s *Status) setLinks(n uint64) {
	if s.Mode.IsRegular() {
		s.Links = uint32(min(n, math.MaxUint32))
	}
}
