package process

import (
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// releaseCode unmaps the pages of this program's code. Most of them were needed
// only for the start, or were read in beside those that were. A page that is used
// again is mapped again, from the system's cache of the file. Code is never
// written to, so nothing can be lost.
func releaseCode() {
	// See proc_pid_maps(5). The program itself comes first.
	fd, err := unix.Open("/proc/self/maps", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return // the process only takes more memory
	}
	defer unix.Close(fd)
	var maps [2 << 10]byte
	n, err := unix.Read(fd, maps[:])
	if err != nil {
		return
	}
	for line := range strings.Lines(string(maps[:n])) {
		f := strings.Fields(line)
		if len(f) < 6 || f[1] != "r-xp" || f[5][0] != '/' {
			continue
		}
		from, to, _ := strings.Cut(f[0], "-")
		start, err1 := strconv.ParseUint(from, 16, 64)
		end, err2 := strconv.ParseUint(to, 16, 64)
		if err1 == nil && err2 == nil {
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, uintptr(start), uintptr(end-start), unix.MADV_DONTNEED)
		}
		return
	}
}
