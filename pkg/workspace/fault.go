package workspace

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/helve-dev/helve/pkg/fault"
)

// refusal is an error about a path that the operating system has none for. It
// becomes a fault where the caller's spelling is known.
type refusal int

const (
	outside   refusal = iota + 1 // leads out of the workspace
	linked                       // leads through a link, and links are not followed
	kernelOwn                    // in a file system of the kernel, such as /proc
	special                      // a pipe, a socket or a device
	swapped                      // changed while it was opened
)

func (f refusal) Error() string {
	return [...]string{"", "outside", "linked", "kernel", "special", "swapped"}[f]
}

// failure turns an error about the caller's path into a fault.
func (r *Root) failure(err error, name string) error {
	var f refusal
	switch {
	case errors.As(err, &f):
		return r.refused(f, name)
	case errors.Is(err, fs.ErrNotExist):
		return r.NotFound(name)
	case isSpecial(err):
		return r.refused(special, name)
	case errors.Is(err, syscall.ELOOP):
		return fault.New(fault.OutsideWorkspace,
			fault.T("%s leads through more than %d links", "%s 经过的链接超过 %d 层", name, maxLinks)).
			WithHint(fault.T("use the path of the file itself", "请使用文件本身的路径")).Because(err)
	}
	return fault.System(err, name)
}

func (r *Root) refused(f refusal, name string) error {
	switch f {
	case linked:
		return fault.New(fault.OutsideWorkspace,
			fault.T("%s leads through a symbolic link, and this workspace follows none",
				"%s 经过符号链接，而此工作区不跟随链接", name)).
			WithHint(fault.T("use the path of the file itself", "请使用文件本身的路径")).Because(f)
	case kernelOwn:
		return fault.New(fault.PermissionDenied,
			fault.T("%s belongs to the kernel and is not a file of the workspace",
				"%s 由内核生成，不是工作区中的文件", name)).
			WithHint(fault.T("choose an ordinary file", "请选择普通文件")).Because(f)
	case special:
		return fault.New(fault.NotAFile,
			fault.T("%s is a pipe, a socket or a device", "%s 是管道、套接字或设备", name)).
			WithHint(fault.T("only regular files and directories can be opened", "只能打开普通文件和目录")).Because(f)
	case swapped:
		return fault.New(fault.Conflict,
			fault.T("%s is being changed by another process", "%s 正在被其他进程更改", name)).
			WithHint(fault.T("nothing was changed; call again", "没有任何改动；请重试")).Because(f)
	}
	return fault.New(fault.OutsideWorkspace,
		fault.T("the path is outside the workspace: %s", "不允许访问工作区外的文件: %s", name)).
		WithHint(fault.T("use a path inside %s", "请使用 %s 内的路径", r.dir)).Because(f)
}

func isRoot(name string) error {
	return fault.New(fault.IsDirectory, fault.T("%s is the workspace root itself", "%s 是工作区根目录本身", name)).
		WithHint(fault.T("use a path inside it", "请指定其中的某个路径"))
}

func protectedFault(name string) error {
	return fault.New(fault.ProtectedPath,
		fault.T("%s is protected and cannot be changed", "%s 受保护，不能修改", name)).
		WithHint(fault.T("only the user may change it, with their own tools; leave it as it is",
			"只有用户本人能用自己的工具修改它；请保持原样"))
}

// unsettled reports whether err may come from a link that the confined open cannot
// follow, or from a path that changed meanwhile. Resolving the path by hand decides.
func unsettled(err error) bool {
	if err == nil {
		return false
	}
	if f, ok := errors.AsType[refusal](err); ok {
		return f == swapped
	}
	for _, known := range [...]error{fs.ErrClosed, fs.ErrNotExist, fs.ErrExist, fs.ErrPermission} {
		if errors.Is(err, known) {
			return false
		}
	}
	var known *fault.Error
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno == syscall.EXDEV || errno == syscall.ELOOP || errno == syscall.EAGAIN
	}
	return !errors.As(err, &known) // os.Root has a bare error for paths that escape
}

// attempts is how often a path that changes while it is opened is resolved again.
const attempts = 16
