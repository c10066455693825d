package config

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
)

// Set writes one setting to a configuration file, and makes the file if there is
// none. The text is taken as it is for a string, and otherwise as JSON. Comments and
// layout stay. A reader finds the old file or the new one, and concurrent writers
// lose nothing. The error is invalid_arguments for a wrong key or value, and
// not_configured for a file that is wrong already, which is left as it is.
func Set(path, key, text string) error {
	leaf, bad := leafOf(key)
	if !bad.IsZero() {
		return fault.New(fault.InvalidArguments, bad)
	}
	value, bad := valueOf(leaf, text)
	if !bad.IsZero() {
		return fault.New(fault.InvalidArguments, fault.T("%s: %s", key, bad))
	}
	return change(path, func(before []byte) ([]byte, error) {
		after, err := jsonc.Set(before, strings.Split(key, "."), value)
		if err != nil {
			return nil, err
		}
		if _, problems := parse(File{Source: User, Path: path}, after); len(problems) > 0 {
			return nil, fault.New(fault.InvalidArguments, fault.T("%s: %s", key, problems[0].Message))
		}
		return after, nil
	})
}

// AddRule adds a rule to a configuration file, as [Set] writes a setting. A rule that
// is there already is not added again.
func AddRule(path string, rule policy.Rule) error {
	if problems := rule.Check(SwitchNames()); len(problems) > 0 {
		return fault.New(fault.InvalidArguments, problems[0].Message)
	}
	text, err := schema.Marshal(rule)
	if err != nil {
		return err
	}
	value, syntax := jsonc.Parse(text)
	if len(syntax) > 0 {
		return fault.New(fault.Internal, syntax[0].Message)
	}
	return change(path, func(before []byte) ([]byte, error) {
		if tree, _ := jsonc.Parse(before); tree != nil {
			if rules := tree.Get("rules"); rules != nil && slices.ContainsFunc(rules.Items, func(n *jsonc.Node) bool { return bytes.Equal(n.JSON(), value.JSON()) }) {
				return before, nil
			}
		}
		return jsonc.Append(before, "rules", value)
	})
}

// change replaces the text of a configuration file, under a lock.
func change(path string, apply func(before []byte) ([]byte, error)) (err error) {
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
	after, err := apply(before)
	if err != nil {
		return err
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
