package state

import (
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/helve-dev/helve/pkg/fault"
)

// ReadPrivate returns the bytes of a file that is a secret of the user's, at most so many.
// A file that other users can read or replace is refused: permission_denied.
func ReadPrivate(path string, most int64) ([]byte, error) {
	// Opening a FIFO for reading would block.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fault.System(err, path)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fault.System(err, path)
	}
	if err := checkSecret(path, info); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, fault.New(fault.TooLarge, fault.T("%s has more than %d bytes", path, most)).
			WithHint(fault.T("name the right file"))
	}
	return data, fault.System(err, path)
}

// checkSecret refuses a file that is not only the user's.
func checkSecret(path string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return fault.New(fault.IsDirectory, fault.T("%s is a directory", path)).
			WithHint(fault.T("name a file in it"))
	case !info.Mode().IsRegular():
		return fault.New(fault.NotAFile, fault.T("%s is not a file", path)).
			WithHint(fault.T("name a regular file"))
	case !ours(info):
		return fault.New(fault.PermissionDenied, fault.T("%s belongs to somebody else", path)).
			WithHint(fault.T("make a file of your own"))
	case readable(info):
		return fault.New(fault.PermissionDenied, fault.T("other users can read %s", path)).
			WithHint(fault.T("type: chmod 600 %s", path))
	}
	return nil
}
