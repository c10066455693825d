//go:build unix

package cmd_test

import (
	"os"
	"syscall"
)

// maxRSS is the most memory that a process had, in the unit of its system.
func maxRSS(p *os.ProcessState) int64 {
	if usage, ok := p.SysUsage().(*syscall.Rusage); ok {
		return int64(usage.Maxrss) //nolint:unconvert // 32 bits on some systems
	}
	return 0
}
