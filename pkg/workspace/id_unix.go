//go:build unix

package workspace

import (
	"fmt"
	"syscall"
)

// ID tells the root from another directory that has taken its path: its device
// and inode.
func (r *Root) ID() string {
	st, ok := r.self.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", st.Dev, st.Ino)
}
