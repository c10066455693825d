//go:build unix

package workspace

import (
	"fmt"
	"syscall"
)

// ID returns the device and inode of the root. They differ from those of another
// directory that later has its path.
func (r *Root) ID() string {
	st, ok := r.self.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", st.Dev, st.Ino)
}
