package walk

import "golang.org/x/sys/unix"

// Born returns when an entry was made, in nanoseconds since 1970; 0 where the file system
// does not tell.
func (h *Handle) Born(e Entry) int64 {
	var st unix.Statx_t
	if h.std != nil || unix.Statx(h.fd, e.Name(), unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BTIME, &st) != nil || st.Mask&unix.STATX_BTIME == 0 {
		return 0
	}
	return nanoseconds(st.Btime)
}
