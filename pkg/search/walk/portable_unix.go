//go:build unix

package walk

import "syscall"

// openFlags keeps an open from waiting for the other end of a pipe.
const openFlags = syscall.O_NONBLOCK
