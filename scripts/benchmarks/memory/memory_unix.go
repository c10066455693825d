//go:build unix

package memory

import (
	"os"
	"runtime"
	"syscall"
)

// Peak returns the most memory that a process had, in bytes.
func Peak(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	return usage.Maxrss << 10
}
