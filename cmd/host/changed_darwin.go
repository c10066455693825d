package host

import (
	"io/fs"
	"syscall"
	"time"
)

// changed returns when a file's content or description last changed, which no
// program can set.
func changed(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctimespec.Unix())
	}
	return info.ModTime()
}
