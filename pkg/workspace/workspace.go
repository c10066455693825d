package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/helve-dev/helve/pkg/fault"
)

// Symlinks says what happens at a symbolic link inside the workspace.
type Symlinks int

const (
	// Follow goes through links whose target stays inside the workspace.
	Follow Symlinks = iota
	// Never refuses every path that leads through a link. A link itself may
	// still be looked at, removed and renamed.
	Never
)

// Options narrow what a workspace allows. The zero value is the default.
type Options struct {
	Symlinks Symlinks
	// Protected are further paths that may be read and not changed, each one or
	// more names joined by "/". They are protected at every depth, with everything
	// below them, whatever the case and Unicode form of the names.
	Protected []string
	// Reserved are absolute paths of files and directories that may be read and
	// not changed if they are in the workspace. They need not exist.
	Reserved []string
	// Aside returns the absolute path of a private directory, in which a file that is
	// about to replace another one may have its name for a moment. Without it, or if it
	// is on another file system, that name is in the directory of the old file.
	Aside func() (string, error)
	// Label is a name in brackets, such as "[lib]", that marks the paths of this
	// root: "[lib]/a" is the file a. Callers may leave it out. "" means none.
	Label string
}

// Root is an open workspace. It stays the same directory when that is renamed. Its
// methods may be called from several goroutines.
//
// [Root.Clean] takes a path as the caller wrote it: relative to the root with "/" between
// names, or absolute and inside. Other methods take its result, and return paths relative
// to the root; [Root.Show] adds the label. All errors are faults and name the path as the
// caller wrote it.
type Root struct {
	dir     string // real and absolute
	spelled string // absolute, as it was passed to Open
	opts    Options
	handle  *handle
	self    fs.FileInfo

	protected [][]string // Options.Protected, folded and split into names
	restores  bool       // see Restorer
	permit    *permission
}

// Permit sets which paths may be changed although a repository trusts them: those that
// the person's rules allow. It does not hold for [Options].
func (r *Root) Permit(permit func(rel string) bool) { r.permit.Store(&permit) }

func (r *Root) permits(rel string) bool {
	permit := r.permit.Load()
	return permit != nil && (*permit)(rel)
}

// permission is set anew when rules change, for all copies of a root.
type permission = atomic.Pointer[func(rel string) bool]

// Open opens the directory dir as a workspace. A dir that is missing, is not a
// directory or belongs to the kernel (/proc, /sys, /dev) is refused.
func Open(dir string, o Options) (*Root, error) {
	spelled, err := filepath.Abs(dir)
	if err != nil {
		return nil, noRoot(err, dir)
	}
	real, err := filepath.EvalSymlinks(spelled)
	if err != nil {
		return nil, noRoot(err, dir)
	}
	if ofKernel(real) {
		return nil, fault.New(fault.PermissionDenied,
			fault.T("%s belongs to the kernel and cannot be a workspace", dir)).
			WithHint(fault.T("choose a directory with ordinary files"))
	}
	h, err := openHandle(real)
	if err != nil {
		return nil, noRoot(err, dir)
	}
	r, err := newRoot(h, real, spelled, o)
	if err != nil {
		return nil, err
	}
	if o.Label != "" {
		if _, err := r.lstat(o.Label); err == nil { // its paths would look like labelled ones
			return nil, errors.Join(r.ambiguous(), r.Close())
		}
	}
	return r, nil
}

func newRoot(h *handle, real, spelled string, o Options) (*Root, error) {
	self, err := h.stat()
	if err != nil {
		return nil, errors.Join(noRoot(err, spelled), h.close())
	}
	r := &Root{dir: real, spelled: spelled, opts: o, handle: h, self: self, permit: new(permission)}
	for _, p := range o.Protected {
		names := foldPath(p)
		if len(names) == 0 || slices.Contains(names, "..") {
			return nil, errors.Join(fault.New(fault.InvalidArguments,
				fault.T("a protected path must be one or more names: %q", p)).
				WithHint(fault.T("write it relative, without '..'")), h.close())
		}
		r.protected = append(r.protected, names)
	}
	return r, nil
}

// WithoutLinks returns the root as one that refuses paths through links. Both are the
// same directory, which either closes.
func (r *Root) WithoutLinks() *Root {
	strict := *r
	strict.opts.Symlinks = Never
	return &strict
}

// RefusesLinks reports whether the root refuses paths through links.
func (r *Root) RefusesLinks() bool { return r.opts.Symlinks == Never }

// noRoot returns the error of a workspace that cannot be opened.
func noRoot(err error, dir string) error {
	hint := fault.T("choose an existing directory as the root")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound,
			fault.T("the workspace root does not exist: %s", dir)).WithHint(hint).Because(err)
	case isNotDir(err):
		return fault.New(fault.NotADirectory,
			fault.T("the workspace root is not a directory: %s", dir)).WithHint(hint).Because(err)
	}
	return fault.System(err, dir)
}

// Dir returns the real absolute path that the root had when it was opened.
func (r *Root) Dir() string { return r.dir }

// Close closes the root. Files that were opened from it stay open.
func (r *Root) Close() error { return fault.System(r.handle.close(), r.dir) }

// gone reports whether the directory that was opened is no longer at its path.
func (r *Root) gone() bool {
	now, err := os.Lstat(r.dir)
	return err != nil || !sameFile(now, r.self)
}
