package workspace

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// IgnoreFile is a file of ignore rules above the workspace that applies to it.
type IgnoreFile struct {
	Prefix  string // path from the directory of the rules to the root, with "/" between names
	Content []byte
	Exclude bool // info/exclude of the repository, not a .gitignore
}

// IgnoresAbove returns the ignore files of the repository that the root is in, the
// farthest directory first, and the path from the top of the repository to the
// root. It returns none and "" if the root is in no repository or is the top of
// one. Files that cannot be read are left out, as in git.
func (r *Root) IgnoresAbove() (files []IgnoreFile, top string) {
	for i, dir := range r.repositoryAbove() {
		prefix, err := filepath.Rel(dir, r.dir)
		if err != nil {
			continue
		}
		if prefix = filepath.ToSlash(prefix); i == 0 {
			top = prefix
		}
		add := func(content []byte, exclude bool) {
			if content != nil {
				files = append(files, IgnoreFile{prefix, content, exclude})
			}
		}
		if i == 0 {
			if d, ok := gitdir.At(dir); ok {
				add(contentOf(filepath.Join(d.Common, "info", "exclude")), true)
			}
		}
		add(contentOf(filepath.Join(dir, ".gitignore")), false)
	}
	return files, top
}

// GitRules returns what the repository whose top is at a path from the root says of
// ignored files, besides its .gitignore files: the content of info/exclude, nil if there
// is none, and whether names match in either case, as core.ignorecase says. The top may be
// above the root. What a linked worktree shares with others is outside of it, and read
// there.
func (r *Root) GitRules(top string) (exclude []byte, fold bool) {
	d, ok := gitdir.At(filepath.Join(r.dir, filepath.FromSlash(top)))
	if !ok {
		return nil, false
	}
	settings := d.Settings(gitdir.Reader{})
	return contentOf(filepath.Join(d.Common, "info", "exclude")), settings.True("core", "ignorecase")
}

// repositoryAbove returns the directories above the root, from the one with a .git
// down.
func (r *Root) repositoryAbove() []string {
	if _, err := r.lstat(".git"); err == nil {
		return nil
	}
	var dirs []string
	for dir := filepath.Dir(r.dir); ; dir = filepath.Dir(dir) {
		dirs = append([]string{dir}, dirs...)
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dirs
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// IgnoreFileBytes limits the bytes that are read of an ignore file.
const IgnoreFileBytes = 1 << 20

// contentOf returns the content of a small file outside of the workspace, or nil.
// It follows no link at the end of name and never blocks.
func contentOf(name string) []byte {
	if i, err := os.Lstat(name); err != nil || !i.Mode().IsRegular() {
		return nil
	}
	h, err := openHandle(filepath.Dir(name))
	if err != nil {
		return nil
	}
	defer func() { _ = h.close() }() // nothing was written through it
	f, err := h.open(filepath.Base(name), false)
	if err != nil {
		return nil
	}
	defer f.Close()
	if i, err := f.Stat(); err != nil || i.Mode()&fs.ModeType != 0 {
		return nil
	}
	content, err := io.ReadAll(io.LimitReader(f, IgnoreFileBytes))
	if err != nil {
		return nil
	}
	return content
}
