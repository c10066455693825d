package workspace

import "golang.org/x/sys/unix"

// pathOnly stands for the flag by which Linux opens a directory only to go
// through it; here it has to be readable.
const pathOnly = unix.O_RDONLY

const (
	anywhere = iota
	inside
	insideWithoutLinks
)

// kernelOpen has no counterpart here.
func kernelOpen(int, string, int, uint64) (int, error) { return -1, unix.ENOSYS }

// kernelFS is for file systems that do not exist here.
func kernelFS(int) bool { return false }
