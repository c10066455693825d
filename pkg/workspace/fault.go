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
func (r *Root) failure(err error, p Path) error {
	var f refusal
	switch {
	case errors.As(err, &f):
		return r.refused(f, p.given)
	case errors.Is(err, fs.ErrNotExist):
		return r.NotFound(p)
	case isSpecial(err):
		return r.refused(special, p.given)
	case errors.Is(err, syscall.ELOOP):
		return fault.New(fault.OutsideWorkspace,
			fault.T("%s leads through more than %d links", p.given, maxLinks)).
			WithHint(fault.T("use the path of the file itself")).Because(err)
	}
	return fault.System(err, p.given)
}

func (r *Root) refused(f refusal, name string) error {
	switch f {
	case linked:
		return fault.New(fault.OutsideWorkspace,
			fault.T("%s leads through a symbolic link, and this workspace follows none", name)).
			WithHint(fault.T("use the path of the file itself")).Because(f)
	case kernelOwn:
		return fault.New(fault.PermissionDenied,
			fault.T("%s belongs to the kernel and is not a file of the workspace", name)).
			WithHint(fault.T("choose an ordinary file")).Because(f)
	case special:
		return fault.New(fault.NotAFile,
			fault.T("%s is a pipe, a socket or a device", name)).
			WithHint(fault.T("only regular files and directories can be opened")).Because(f)
	case swapped:
		return fault.New(fault.Conflict,
			fault.T("%s is being changed by another process", name)).
			WithHint(fault.T("nothing was changed; call again")).Because(f)
	}
	return fault.New(fault.OutsideWorkspace,
		fault.T("the path is outside the workspace: %s", name)).
		WithHint(fault.T("use a path inside %s", r.dir)).Because(f)
}

func isRoot(p Path) error {
	return fault.New(fault.IsDirectory, fault.T("%s is the workspace root itself", p.given)).
		WithHint(fault.T("use a path inside it"))
}

func protectedFault(p Path) error {
	return fault.New(fault.ProtectedPath,
		fault.T("%s is protected and cannot be changed", p.given)).
		WithHint(fault.T("only the user may change it, with their own tools; leave it as it is"))
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

// attempts limits how often a path that changes while it is opened is resolved.
const attempts = 16
