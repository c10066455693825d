package fault

import (
	"errors"
	"io/fs"
	"syscall"
)

// System translates an error of the operating system about a path into an *Error.
// The message shows path as the caller wrote it, and never Go's own "open x:"
// prefix. An err that is or wraps an *Error is returned as that; System(nil, …) is
// nil.
func System(err error, path string) error {
	if err == nil {
		return nil
	}
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	e := system(err, path)
	e.cause = err
	return e
}

func system(err error, path string) *Error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return New(NotFound, T("file not found: %s", path)).
			WithHint(T("check the spelling, or list the directory with ls"))
	case errors.Is(err, fs.ErrExist), errors.Is(err, syscall.ENOTEMPTY):
		return New(AlreadyExists, T("already exists: %s", path)).
			WithHint(T("choose another path"))
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return New(IOError, T("no space left on the disk for %s", path)).
			WithHint(T("nothing was changed; free some space and call again"))
	case errors.Is(err, syscall.EROFS):
		return New(PermissionDenied, T("%s is on a read-only file system", path)).
			WithHint(T("choose another path, or ask the person to mount it writable"))
	case errors.Is(err, fs.ErrPermission):
		return New(PermissionDenied, T("the system denies access to %s", path)).
			WithHint(T("its mode or owner does not allow this; ask the person to change it"))
	case errors.Is(err, syscall.EISDIR):
		return New(IsDirectory, T("%s is a directory", path)).
			WithHint(T("name a file inside it"))
	case errors.Is(err, syscall.ENOTDIR):
		return New(NotADirectory, T("%s leads through something that is not a directory", path)).
			WithHint(T("a directory in the path is a file; check the path"))
	case errors.Is(err, syscall.ENAMETOOLONG):
		return New(InvalidArguments, T("the path is too long: %s", path)).
			WithHint(T("use a shorter path"))
	case errors.Is(err, syscall.ELOOP):
		return New(OutsideWorkspace, T("too many links in %s", path)).
			WithHint(T("name the file itself, not a link to it"))
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return New(Unavailable, T("too many open files")).
			WithHint(T("try again when other programs have closed theirs"))
	}
	return New(IOError, T("%s: %s", path, reason(err))).
		WithHint(T("the system refused this; check the path, or ask the person"))
}

// reason returns the text of the innermost error, without the operation and the
// path that Go puts before it.
func reason(err error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}
