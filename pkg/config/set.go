package config

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
)

// Set writes one setting to a configuration file, and makes the file if there is
// none. The text is taken as it is for a string, and otherwise as JSON. Comments and
// layout stay. A reader finds the old file or the new one, and concurrent writers
// lose nothing. The error is invalid_arguments for a wrong key or value, and
// not_configured for a file that is wrong already, which is left as it is.
func Set(path, key, text string) (err error) {
	leaf, bad := leafOf(key)
	if !bad.IsZero() {
		return fault.New(fault.InvalidArguments, bad)
	}
	value, bad := valueOf(leaf, text)
	if !bad.IsZero() {
		return fault.New(fault.InvalidArguments, fault.T("%s: %s", "%s：%s", key, bad))
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // a link, such as into a repository of dotfiles, stays a link
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fault.System(err, filepath.Dir(path))
	}
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return fault.System(err, lock.Path())
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	before, err := Read(File{Source: User, Path: path})
	if err != nil {
		return err
	}
	if _, problems := parse(File{Source: User, Path: path}, before); len(problems) > 0 {
		return problems.Err()
	}
	if empty(before) {
		before = nil
	}
	after, err := jsonc.Set(before, strings.Split(key, "."), value)
	if err != nil {
		return err
	}
	if _, problems := parse(File{Source: User, Path: path}, after); len(problems) > 0 {
		return fault.New(fault.InvalidArguments, fault.T("%s: %s", "%s：%s", key, problems[0].Message))
	}
	return Replace(path, after)
}

// Replace writes a file and keeps its mode. A reader finds the old bytes or the new
// ones, also after a crash: they are written to another file, which is then renamed.
func Replace(path string, data []byte) error {
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	tmp := path + "." + rand.Text() + ".tmp"
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fault.System(err, path)
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		return errors.Join(fault.System(err, path), os.Remove(tmp))
	}
	return nil
}
