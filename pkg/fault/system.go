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
		return New(NotFound, T("file not found: %s", "文件不存在: %s", path)).
			WithHint(T("check the spelling, or list the directory with ls", "请检查拼写，或用 ls 列出目录"))
	case errors.Is(err, fs.ErrExist), errors.Is(err, syscall.ENOTEMPTY):
		return New(AlreadyExists, T("already exists: %s", "已存在: %s", path)).
			WithHint(T("choose another path", "请换一个路径"))
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return New(IOError, T("no space left on the disk for %s", "磁盘空间不足，无法写入 %s", path)).
			WithHint(T("nothing was changed; free some space and call again", "没有任何改动；请释放空间后重试"))
	case errors.Is(err, syscall.EROFS):
		return New(PermissionDenied, T("%s is on a read-only file system", "%s 位于只读文件系统", path)).
			WithHint(T("choose another path, or ask the person to mount it writable", "请换一个路径，或请用户以可写方式挂载"))
	case errors.Is(err, fs.ErrPermission):
		return New(PermissionDenied, T("the system denies access to %s", "系统拒绝访问 %s", path)).
			WithHint(T("its mode or owner does not allow this; ask the person to change it", "文件的权限或属主不允许此操作；请让用户修改"))
	case errors.Is(err, syscall.EISDIR):
		return New(IsDirectory, T("%s is a directory", "%s 是目录", path)).
			WithHint(T("name a file inside it", "请指定其中的文件"))
	case errors.Is(err, syscall.ENOTDIR):
		return New(NotADirectory, T("%s leads through something that is not a directory", "%s 的某一级不是目录", path)).
			WithHint(T("a directory in the path is a file; check the path", "路径中的某一级是文件而非目录；请检查路径"))
	case errors.Is(err, syscall.ENAMETOOLONG):
		return New(InvalidArguments, T("the path is too long: %s", "路径过长: %s", path)).
			WithHint(T("use a shorter path", "请使用更短的路径"))
	case errors.Is(err, syscall.ELOOP):
		return New(OutsideWorkspace, T("too many links in %s", "%s 的链接层数过多", path)).
			WithHint(T("name the file itself, not a link to it", "请直接指定文件本身，而不是指向它的链接"))
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return New(Unavailable, T("too many open files", "打开的文件过多")).
			WithHint(T("try again when other programs have closed theirs", "请在其他程序关闭文件后重试"))
	}
	return New(IOError, T("%s: %s", "%s：%s", path, reason(err))).
		WithHint(T("the system refused this; check the path, or ask the person", "系统拒绝了此操作；请检查路径，或询问用户"))
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
