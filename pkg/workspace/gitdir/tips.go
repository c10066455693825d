package gitdir

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	maxRefs = 64 << 20 // bytes of a file of packed refs, or of a log
	maxTips = 200_000
)

// Tips returns the ids of the objects that have a name in the repository: branches, tags
// and the like, HEAD and its kind, those of every worktree, and the stashes. ok is false
// where that is not known: there are too many, or they are kept in a form that is not read
// here.
func (d Dir) Tips() (tips []string, ok bool) {
	if _, err := os.Lstat(filepath.Join(d.Common, "reftable")); err == nil {
		return nil, false
	}
	t := tipReader{ids: map[string]bool{}}
	t.names(d.Common)
	t.lines(filepath.Join(d.Common, "packed-refs"), maxRefs)
	t.log(filepath.Join(d.Common, "logs", "refs", "stash"))
	budget := maxInner
	for _, path := range subdirectories(filepath.Join(d.Common, "worktrees"), &budget) {
		t.names(path)
	}
	return slices.Sorted(maps.Keys(t.ids)), !t.failed && budget > 0
}

// Past returns the ids that the logs of HEAD and of branches name: of commits that may have
// no other name any more.
func (d Dir) Past() []string {
	t := tipReader{ids: map[string]bool{}}
	t.log(filepath.Join(d.Path, "logs", "HEAD"))
	_ = filepath.WalkDir(filepath.Join(d.Common, "logs"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			t.log(path)
		}
		return nil
	})
	return slices.Sorted(maps.Keys(t.ids))
}

// tipReader collects ids of objects.
type tipReader struct {
	ids    map[string]bool
	failed bool
}

func (t *tipReader) add(id string) {
	if isID(id) && len(t.ids) < maxTips {
		t.ids[id] = true
	} else if isID(id) {
		t.failed = t.failed || !t.ids[id]
	}
}

// names reads the refs and the heads in one of git's directories.
func (t *tipReader) names(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if name := e.Name(); e.Type().IsRegular() && strings.HasSuffix(name, "HEAD") {
			t.lines(filepath.Join(dir, name), maxFile)
		}
	}
	err = filepath.WalkDir(filepath.Join(dir, "refs"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			t.lines(path, maxFile)
		}
		return err
	})
	t.failed = t.failed || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// lines adds the id that each line of a file begins with; that of what a tag leads to is
// behind a caret.
func (t *tipReader) lines(file string, most int) {
	text, err := readUpTo(file, most)
	if err != nil {
		t.failed = t.failed || !errors.Is(err, fs.ErrNotExist)
		return
	}
	for line := range strings.Lines(string(text)) {
		id, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "^"), " ")
		id, _, _ = strings.Cut(id, "\t")
		t.add(id)
	}
}

// log adds the ids in a log: of each line the second, which is that afterwards, and the
// first.
func (t *tipReader) log(file string) {
	text, err := readUpTo(file, maxRefs)
	if err != nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		before, rest, _ := strings.Cut(line, " ")
		after, _, _ := strings.Cut(rest, " ")
		t.add(before)
		t.add(after)
	}
}

// isID reports whether a text is the name of an object, and not that of none.
func isID(s string) bool {
	if len(s) != 40 && len(s) != 64 || strings.Trim(s, "0") == "" {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}
