//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package bolt

import "os"

// unlock does nothing: closing the file frees its lock.
func unlock(*os.File) {}
