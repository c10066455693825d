package track

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/helve-dev/helve/pkg/workspace"
)

// opener is a workspace in which also what its owner has shut can be looked at and read,
// such as after chmod 000: it is open for the moment of the look.
type opener struct{ workspace.Tree }

func (o opener) Lstat(name string) (info fs.FileInfo, err error) {
	err = o.through(name, false, func() (err error) {
		info, err = o.Tree.Lstat(name)
		return err
	})
	return info, err
}

func (o opener) ReadFile(name string) (data []byte, err error) {
	err = o.through(name, true, func() (err error) {
		data, err = o.Tree.ReadFile(name)
		return err
	})
	return data, err
}

func (o opener) Readlink(name string) (target string, err error) {
	err = o.through(name, false, func() (err error) {
		target, err = o.Tree.Readlink(name)
		return err
	})
	return target, err
}

// Remove is for what a process that died left in a directory that was shut meanwhile.
func (o opener) Remove(name string) error {
	return o.through(name, false, func() error { return o.Tree.Remove(name) })
}

func (o opener) Digest(name string) (sum string, bytes int64, err error) {
	err = o.through(name, true, func() (err error) {
		sum, bytes, err = o.Tree.Digest(name)
		return err
	})
	return sum, bytes, err
}

// through calls do. If the system denies it, through opens the directories above a path,
// and what is at the path if self is set, calls do again and shuts them.
func (o opener) through(name string, self bool, do func() error) error {
	err := do()
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	var all []string
	for i, c := range name {
		if c == '/' {
			all = append(all, name[:i])
		}
	}
	if self {
		all = append(all, name)
	}
	shut, opening := o.open(all)
	if len(shut) == 0 || opening != nil {
		return errors.Join(err, o.shut(shut))
	}
	return errors.Join(do(), o.shut(shut))
}

// was is the mode that something had before it was opened.
type was struct {
	path string
	mode fs.FileMode
}

// open lets this user look into directories and read files. It returns what was shut,
// those above first, also if there is an error.
func (o opener) open(paths []string) (shut []was, err error) {
	for _, name := range paths {
		info, err := o.Tree.Lstat(name)
		if err != nil {
			return shut, err
		}
		mode, need := info.Mode().Perm(), fs.FileMode(0o400)
		if info.IsDir() {
			need = 0o700
		}
		if mode&need == need || info.Mode().Type()&^fs.ModeDir != 0 {
			continue
		}
		if err := o.Chmod(name, mode|need); err != nil {
			return shut, err
		}
		shut = append(shut, was{name, mode})
	}
	return shut, nil
}

// shut takes back open. What is no longer there needs no mode.
func (o opener) shut(all []was) (err error) {
	for _, w := range slices.Backward(all) {
		if failed := o.Chmod(w.path, w.mode); failed != nil && !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// openShut opens the directories that a scan could not look into although an earlier one
// could, or that are new. It returns what was shut; nothing means that there is no other.
func (w Workspace) openShut(before, after *tree) []was {
	var all []string
	for _, b := range after.blind {
		known := slices.ContainsFunc(before.blind, func(old blind) bool { return old.path == b.path })
		if e := after.find(b.path); b.why == unreadable && !known && e != nil && e.isDir() {
			all = append(all, workspace.Escape(b.path))
		}
	}
	shut, _ := opener{w.Root.Restorer()}.open(all) // the report says what stays shut
	return shut
}

// lookAgain looks at the workspace after a command, unless that was done, and again at
// what the command has shut, which is open until done is called.
func (r *Run) lookAgain(ctx context.Context) (done func() error, err error) {
	var shut []was
	done = func() error { return opener{r.w.Root.Restorer()}.shut(shut) }
	for {
		if r.after == nil {
			if r.after, err = r.scan(ctx, r.before); err != nil {
				return nil, errors.Join(err, done())
			}
		}
		more := r.w.openShut(r.before, r.after)
		if len(more) == 0 {
			break
		}
		shut, r.after = append(shut, more...), nil
	}
	for _, w := range shut {
		if e := r.after.find(workspace.Unescape(w.path)); e != nil {
			e.Mode = e.Mode.Type() | w.mode
		}
	}
	return done, nil
}
