package workspace

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/helve-dev/helve/pkg/schema"
)

// maxLinks limits the symbolic links that one path leads through, as on Linux.
const maxLinks = 40

// Uses of a path beyond those that the argument of a tool can have.
const (
	// MoveOut moves the entry itself, with everything in it, out of the workspace
	// to where it is kept. It may be what a repository trusts: such a move is part
	// of a change set that a person saw and allowed, or undoes one.
	MoveOut schema.PathUse = "move out"
	// MoveIn moves an entry in.
	MoveIn schema.PathUse = "move in"
	// replaceEntry puts another entry in its place.
	replaceEntry schema.PathUse = "replace"
)

// moves reports whether a use moves entries in or out.
func moves(use schema.PathUse) bool { return use == MoveOut || use == MoveIn }

// follows reports whether a use goes through a link at the end of the path.
func follows(use schema.PathUse) bool {
	return use == schema.ReadPath || use == schema.WritePath || use == schema.EditPath
}

// Resolve follows links: it returns the path that p really leads to. All spellings of one
// file have the same result, except hard links, so locks and digests may go by it. Of a
// path that does not exist, the existing part is resolved. For every use but reading,
// protected paths are refused, by the spelling and by the real path.
func (r *Root) Resolve(p Path, use schema.PathUse) (Path, error) {
	real, err := r.canonical(p.rel, follows(use))
	if err != nil {
		return Path{}, r.failure(err, p)
	}
	if use != schema.ReadPath {
		err = r.guard(p, real, use)
	}
	return pathAt(real), err
}

// canonical walks rel name by name and replaces each link by its target, as
// path_resolution(7) describes, except that absolute targets must be in the
// workspace and that names after the first missing one are kept. With leaf, a
// link at the very end is followed too. Confinement does not rely on the result: it
// is opened without following links.
func (r *Root) canonical(rel string, leaf bool) (real string, err error) {
	for range attempts {
		if real, err = r.walk(rel, leaf); !errors.Is(err, swapped) {
			break
		}
	}
	return real, err
}

func (r *Root) walk(rel string, leaf bool) (string, error) {
	top := filepath.Dir(r.dir) == r.dir // the root is "/"
	var done []string
	todo := pathNames(rel)
	missing := false
	for links := 0; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		if name == ".." {
			switch {
			case missing:
				return "", fs.ErrNotExist
			case len(done) > 0:
				done = done[:len(done)-1]
			case !top: // "/" is its own parent
				return "", outside
			}
			continue
		}
		if top && ofKernel("/"+joinNames(append(done, name))) {
			return "", kernelOwn
		}
		if missing {
			done = append(done, name)
			continue
		}
		at, err := r.lookup(done, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = true
			done = append(done, name)
			continue
		case err != nil:
			return "", err
		}
		last := len(todo) == 0
		if at.mode&fs.ModeSymlink == 0 || last && !leaf {
			if !last && !at.mode.IsDir() {
				return "", syscall.ENOTDIR
			}
			done = append(done, at.name)
			continue
		}
		if r.opts.Symlinks == Never {
			return "", linked
		}
		if links++; links > maxLinks {
			return "", syscall.ELOOP
		}
		rest := pathNames(filepath.ToSlash(at.target)) // as the system has them
		if filepath.IsAbs(at.target) || filepath.VolumeName(at.target) != "" {
			var ok bool
			if rest, ok = r.linkRest(at.target); !ok {
				return "", outside
			}
			done = nil
		}
		todo = append(escapeAll(rest), todo...)
	}
	return joinNames(done), nil
}

// found is one step of a walk: the entry with a name.
type found struct {
	name   string // as the directory spells it
	mode   fs.FileMode
	target string // of a link
}

// lookup looks a name up in the directory that dir leads to without links.
func (r *Root) lookup(dir []string, name string) (found, error) {
	d, _, err := r.handle.directory(joinNames(dir), false)
	if unsettled(err) || isNotDir(err) { // each of dir was a directory a moment ago
		return found{}, swapped
	}
	if err != nil {
		return found{}, err
	}
	defer d.close()
	info, err := d.lstat(name)
	if err != nil {
		return found{}, err
	}
	p := found{name: d.spelling(name, info), mode: info.Mode()}
	if p.mode&fs.ModeSymlink != 0 {
		p.target, err = d.readlink(name)
	}
	return p, err
}

func joinNames(names []string) string {
	if len(names) == 0 {
		return "."
	}
	return strings.Join(names, "/")
}

// ofKernel reports whether an absolute path is in the trees in which the kernel
// shows its own state as files: reading one may reveal the secrets of any process,
// and opening one may act on a device.
func ofKernel(abs string) bool {
	top, rest, _ := strings.Cut(strings.TrimPrefix(filepath.ToSlash(abs), "/"), "/")
	switch top {
	case "proc", "sys":
		return true
	case "dev":
		return rest != "shm" && !strings.HasPrefix(rest, "shm/")
	}
	return false
}
