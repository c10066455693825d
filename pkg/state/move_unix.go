//go:build unix

package state

import (
	"errors"
	"syscall"
)

func otherFileSystem(err error) bool { return errors.Is(err, syscall.EXDEV) }
