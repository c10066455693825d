//go:build unix

package state

import (
	"io/fs"
	"syscall"
)

func deviceOf(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev) //nolint:unconvert // its type differs by system
	}
	return 0
}
