package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// disk is a Tree on a real directory. It is atomic, except for files named
// "inplace…" or with several names, which it overwrites in two halves.
type disk struct {
	root *os.Root
	step func(string) // called between the parts of an operation
	fail map[string]error
}

func (d *disk) Lstat(path string) (fs.FileInfo, error)    { return d.root.Lstat(path) }
func (d *disk) ReadFile(path string) ([]byte, error)      { return d.root.ReadFile(path) }
func (d *disk) Readlink(path string) (string, error)      { return d.root.Readlink(path) }
func (d *disk) Mkdir(path string, mode fs.FileMode) error { return d.root.Mkdir(path, mode) }
func (d *disk) Chmod(path string, mode fs.FileMode) error { return d.root.Chmod(path, mode) }
func (d *disk) InPlace(p string) bool {
	return strings.HasPrefix(path.Base(p), "inplace") || d.Links(p) > 1
}
func (d *disk) Symlink(target, path string) error { return d.root.Symlink(target, path) }

func (d *disk) MoveOut(from, snapshots, item string) error {
	if err := d.fail["move out "+from]; err != nil {
		return err
	}
	return os.Rename(filepath.Join(d.root.Name(), from), filepath.Join(snapshots, item))
}

func (d *disk) MoveIn(snapshots, item, to string) error {
	if _, err := d.root.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return os.Rename(filepath.Join(snapshots, item), filepath.Join(d.root.Name(), to))
}

func (d *disk) Sync([]string) error     { return d.fail["sync"] }
func (d *disk) SyncTree([]string) error { return nil }

func (d *disk) Digest(path string) (string, int64, error) {
	var text strings.Builder
	var size int64
	base := filepath.Join(d.root.Name(), path)
	err := filepath.WalkDir(base, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			size += info.Size()
			text.Write(data)
		}
		fmt.Fprintf(&text, "%q %v\n", strings.TrimPrefix(name, base), info.Mode())
		return nil
	})
	return hash([]byte(text.String())), size, err
}

// aside opens the directory of snapshots.
func aside(dir string) (Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &disk{root: root, step: func(string) {}}, nil
}

func (d *disk) Rename(from, to string) error {
	if err := d.fail["rename "+from]; err != nil {
		return err
	}
	return d.root.Rename(from, to)
}

func (d *disk) Remove(path string) error {
	if err := d.fail["remove "+path]; err != nil {
		return err
	}
	if info, err := d.root.Lstat(path); err == nil && info.IsDir() {
		return fmt.Errorf("remove of the directory %s", path)
	}
	return d.root.Remove(path)
}

func (d *disk) Rmdir(path string) error {
	info, err := d.root.Lstat(path)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("rmdir of the file %s", path)
	}
	if err != nil {
		return err
	}
	return d.root.Remove(path)
}

func (d *disk) WriteFile(name string, data []byte, mode fs.FileMode, temp string) error {
	if err := d.fail["write "+name]; err != nil {
		return err
	}
	old, err := d.root.Lstat(name)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil && !old.Mode().IsRegular():
		return fmt.Errorf("%s is %v", name, old.Mode())
	case err == nil && mode == 0:
		mode = old.Mode().Perm()
	case mode == 0:
		mode = 0o644
	}
	if err == nil && d.InPlace(name) {
		return d.overwrite(name, data, mode)
	}
	if err := d.root.WriteFile(temp, data, 0o600); err != nil {
		return err
	}
	if err := d.root.Chmod(temp, mode); err != nil {
		return err
	}
	d.step("before rename to " + name)
	return d.root.Rename(temp, name)
}

func (d *disk) overwrite(name string, data []byte, mode fs.FileMode) error {
	f, err := d.root.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, part := range [][]byte{data[:len(data)/2], data[len(data)/2:]} {
		if _, err := f.Write(part); err != nil {
			return err
		}
		d.step("part of " + name)
	}
	if err := f.Truncate(int64(len(data))); err != nil {
		return err
	}
	if mode == 0 {
		return nil
	}
	return f.Chmod(mode)
}

func (d *disk) Open(path string) (*os.File, error) { return d.root.Open(path) }

func (d *disk) Stage(name, snapshots, item string, fill func(io.Writer) error) error {
	old, err := d.root.Lstat(name)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(snapshots, item), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	d.step("half of " + item)
	return errors.Join(fill(f), f.Chmod(old.Mode()), f.Close(), d.fail["stage "+name])
}

func (d *disk) Apart(string, string) bool { return false }

func (d *disk) Keep(name, snapshots, item string, apart bool) error {
	if err := d.fail["keep "+name]; err != nil {
		return err
	}
	to := filepath.Join(snapshots, item)
	if !apart {
		return os.Link(filepath.Join(d.root.Name(), name), to)
	}
	data, err := d.root.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

func (d *disk) Install(snapshots, item, name string) error {
	if err := d.fail["install "+name]; err != nil {
		return err
	}
	return os.Rename(filepath.Join(snapshots, item), filepath.Join(d.root.Name(), name))
}

func (d *disk) Rewrite(name string, at time.Time, fill func(io.Writer) error) error {
	var b bytes.Buffer
	if err := fill(&b); err != nil {
		return err
	}
	return errors.Join(d.overwrite(name, b.Bytes(), 0), d.root.Chtimes(name, at, at), d.fail["rewrite "+name])
}

func (d *disk) Extend(name string, size, keep int64, data []byte, at time.Time) error {
	f, err := d.root.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Size() != size {
		err = fmt.Errorf("%s has %d bytes, not %d", name, info.Size(), size)
	}
	if err == nil {
		err = f.Truncate(keep)
	}
	for i := 0; err == nil && i < len(data); i += 7 {
		d.step("part of the end of " + name)
		_, err = f.WriteAt(data[i:min(i+7, len(data))], keep+int64(i))
	}
	d.step("time of " + name)
	return errors.Join(err, d.root.Chtimes(name, at, at), d.fail["extend "+name])
}

// snapshot is everything in a directory.
func snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, entry fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			restore := opened(t, p)
			data, err := os.ReadFile(p)
			restore(0)
			if err != nil {
				return err
			}
			text += " " + string(data)
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(p)
			if err != nil {
				return err
			}
			text = "-> " + target
		}
		all[filepath.ToSlash(rel)] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
