package cmd

import (
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// dropCode unmaps the pages of this program's code. Most of them are there for
// the start alone, or only stood beside what was used; what is needed again is
// mapped again, from the cache that the system keeps of the file. Code is never
// written to, so that nothing can be lost with it.
func dropCode() {
	// See proc_pid_maps(5). The program itself stands first.
	fd, err := unix.Open("/proc/self/maps", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return // then it takes more memory
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
