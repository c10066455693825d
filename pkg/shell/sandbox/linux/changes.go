//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Changes implements [sandbox.Sandbox]. It reads the layer that the kernel's
// Documentation/filesystems/overlayfs.rst calls the upper one: a whiteout is a deletion,
// an opaque directory replaces another.
func (sb *confined) Changes() (all []sandbox.Change, complete bool, err error) {
	p := sb.Profile
	if p.Preview == nil {
		return nil, true, nil
	}
	complete = true
	fresh := "" // a directory that hides what was below its path
	err = filepath.WalkDir(p.Preview.Upper, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(p.Preview.Upper, name)
		if err != nil || rel == "." {
			return err
		}
		if len(all) >= sandbox.MaxChanges {
			complete = false
			return filepath.SkipAll
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		// The command may have made it unreadable, and it must be read here and
		// later. The change has the mode that the command set.
		if want := info.Mode().Perm() | 0o400; info.Mode().IsRegular() && want != info.Mode().Perm() {
			err = os.Chmod(name, want)
		} else if want |= 0o700; info.IsDir() && want != info.Mode().Perm() {
			err = os.Chmod(name, want)
		}
		if err != nil {
			return err
		}
		lower := filepath.Join(p.Workspace, rel)
		if fresh != "" && workspace.WithinOS(name, fresh) {
			lower = "" // the command put everything there
		}
		changes, err := difference(rel, name, lower, info)
		if lower != "" && len(changes) > 0 && changes[0].Op == sandbox.Replace {
			fresh = name
		}
		all = append(all, changes...)
		return err
	})
	if err != nil {
		return nil, false, fault.System(err, p.Preview.Upper)
	}
	slices.SortStableFunc(all, func(a, b sandbox.Change) int { return strings.Compare(a.Path, b.Path) })
	return all, complete, nil
}

// difference returns the change of one path, none if nothing differs.
func difference(rel, upper, lower string, info fs.FileInfo) ([]sandbox.Change, error) {
	c := sandbox.Change{Path: filepath.ToSlash(rel), Mode: info.Mode()}
	old, err := os.Lstat(lower)
	missing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR)
	if err != nil && !missing {
		return nil, err // a change that cannot be seen must not count as none
	}
	gone, err := isWhiteout(upper, info)
	switch {
	case err != nil:
		return nil, err
	case gone && missing:
		return nil, nil // it was created and deleted
	case gone:
		return []sandbox.Change{{Path: c.Path, Op: sandbox.Delete}}, nil
	case missing:
		c.Op = sandbox.Create
	default:
		if c.Op, err = operation(upper, lower, info, old); err != nil || c.Op == "" {
			return nil, err
		}
	}
	switch {
	case info.Mode().IsRegular() && c.Op != sandbox.Mode:
		c.Source = upper
	case info.Mode()&fs.ModeSymlink != 0:
		c.Target, err = os.Readlink(upper)
	}
	return []sandbox.Change{c}, err
}

// operation returns the change from an entry of the lower layer to one of the upper, "" if
// nothing differs.
func operation(upper, lower string, info, old fs.FileInfo) (sandbox.Op, error) {
	switch mode := info.Mode(); {
	case old.Mode().Type() != mode.Type():
		return sandbox.Replace, nil
	case mode.IsDir():
		opaque, err := isOpaque(upper)
		switch {
		case err != nil:
			return "", err
		case opaque:
			return sandbox.Replace, nil
		case old.Mode() == mode:
			return "", nil // only something in it changed
		}
		return sandbox.Mode, nil
	case mode&fs.ModeSymlink != 0:
		after, err := os.Readlink(upper)
		if before, e := os.Readlink(lower); err != nil || e == nil && before == after {
			return "", err
		}
		return sandbox.Modify, nil
	case !mode.IsRegular():
		return "", nil
	}
	same, err := sameBytes(upper, lower, info, old)
	switch {
	case err != nil || same && old.Mode() == info.Mode():
		return "", err
	case same:
		return sandbox.Mode, nil
	}
	return sandbox.Modify, nil
}

// isWhiteout reports whether an entry of the upper layer means a deletion: a character
// device 0:0, or an empty file with an attribute.
func isWhiteout(name string, info fs.FileInfo) (bool, error) {
	if info.Mode()&fs.ModeCharDevice != 0 {
		var st unix.Stat_t
		err := unix.Lstat(name, &st)
		return st.Rdev == 0, err
	}
	if !info.Mode().IsRegular() || info.Size() > 0 {
		return false, nil
	}
	_, has, err := attribute(name, "user.overlay.whiteout")
	return has, err
}

// isOpaque reports whether a directory of the upper layer hides the one below it.
func isOpaque(name string) (bool, error) {
	value, _, err := attribute(name, "user.overlay.opaque")
	return value == "y", err
}

// attribute returns the value of an extended attribute.
func attribute(name, key string) (value string, has bool, err error) {
	var buf [16]byte
	n, err := unix.Lgetxattr(name, key, buf[:])
	if errors.Is(err, unix.ENODATA) || errors.Is(err, unix.ENOTSUP) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	return string(buf[:max(n, 0)]), true, nil
}

// sameBytes reports whether a file of the upper layer has the content of the one below.
func sameBytes(upper, lower string, a, b fs.FileInfo) (bool, error) {
	if a.Size() != b.Size() {
		return false, nil
	}
	x, err := openRegular(upper)
	if err != nil {
		return false, err
	}
	defer x.Close()
	y, err := openRegular(lower)
	if err != nil {
		return false, nil // an unreadable file may differ
	}
	defer y.Close()
	p, q := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err1 := io.ReadFull(x, p)
		m, err2 := io.ReadFull(y, q)
		switch {
		case !bytes.Equal(p[:n], q[:m]):
			return false, nil
		case err1 == io.EOF || err1 == io.ErrUnexpectedEOF:
			return err2 != nil, nil
		case err1 != nil || err2 != nil:
			return false, errors.Join(err1, err2)
		}
	}
}
