package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// perRelease limits the files used of one release, so that no large release outweighs the
// others.
const perRelease = 60

// releases are the files that differ between the last releases of modules.
func releases(ctx context.Context, modules []string) ([]change, error) {
	const most = 6
	var all []change
	for _, m := range modules {
		out, err := exec.CommandContext(ctx, "go", "list", "-m", "-versions", m).Output()
		if err != nil {
			return nil, fmt.Errorf("versions of %s: %w", m, err)
		}
		versions := strings.Fields(string(out))[1:]
		versions = versions[max(0, len(versions)-most):]
		before := ""
		for _, v := range versions {
			dir, err := download(ctx, m+"@"+v)
			if err != nil {
				return nil, err
			}
			if before != "" {
				found, err := compare(m+"@"+v, before, dir)
				if err != nil {
					return nil, err
				}
				all = append(all, found...)
			}
			before = dir
		}
	}
	return all, nil
}

// download is the directory of a module in the module cache.
func download(ctx context.Context, module string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "mod", "download", "-json", module).Output()
	if err != nil {
		return "", fmt.Errorf("download %s: %w", module, err)
	}
	var info struct{ Dir string }
	err = json.Unmarshal(out, &info)
	return info.Dir, err
}

// compare returns the texts that are in both directories and differ.
func compare(name, before, after string) ([]change, error) {
	var found []change
	err := filepath.WalkDir(after, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(after, path)
		if err != nil {
			return err
		}
		now, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		was, err := os.ReadFile(filepath.Join(before, rel))
		if err == nil && !bytes.Equal(was, now) && isText(was) && isText(now) {
			found = append(found, change{name + " " + rel, d.Name(), string(was), string(now)})
		}
		return nil
	})
	step := max(1, len(found)/perRelease)
	var kept []change
	for i := 0; i < len(found); i += step {
		kept = append(kept, found[i])
	}
	return kept, err
}

// isText also excludes data too large for source code.
func isText(b []byte) bool {
	return len(b) > 0 && len(b) < 1<<20 && bytes.IndexByte(b, 0) < 0 && utf8.Valid(b)
}

// commits are the files that the last commits of a repository changed.
func commits(ctx context.Context, repository string, most int) ([]change, error) {
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = repository
		out, err := cmd.Output()
		return string(out), err
	}
	log, err := git("log", "--no-merges", "--no-renames", "--diff-filter=M", "--name-only", "--format=commit %H", "-z")
	if err != nil {
		return nil, fmt.Errorf("git log: %w", err)
	}
	var all []change
	commit := ""
	for _, name := range strings.FieldsFunc(log, func(r rune) bool { return r == 0 || r == '\n' }) {
		if hash, ok := strings.CutPrefix(name, "commit "); ok {
			commit = hash
			continue
		}
		was, err1 := git("show", commit+"~:"+name)
		now, err2 := git("show", commit+":"+name)
		if err1 == nil && err2 == nil && was != now && isText([]byte(was)) && isText([]byte(now)) {
			all = append(all, change{commit[:12] + " " + name, filepath.Base(name), was, now})
		}
		if len(all) == most {
			break
		}
	}
	return all, nil
}
