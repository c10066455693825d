//go:build !unix

package memory

import "os"

// Peak returns 0: the system does not say how much memory a process had.
func Peak(*os.ProcessState) int64 { return 0 }
