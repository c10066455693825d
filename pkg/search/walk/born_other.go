//go:build !linux

package walk

// Born returns when an entry was made; 0, as the system is not asked.
func (h *Handle) Born(Entry) int64 { return 0 }
