package walk

import (
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/search/ignore"
	"github.com/helve-dev/helve/pkg/workspace"
)

// repository reports whether the .git at rel makes its directory a repository, and
// returns the rules of its info/exclude and whether it ignores case. The .git of a
// worktree or a submodule is a file that names the real one, which may be outside of the
// root: then it is left to [Filter.Repository]. See gitrepository-layout(5).
func (w *Walker) repository(rel string) (is bool, exclude *ignore.Rules, fold bool) {
	info, err := w.root.Stat(rel)
	if err != nil {
		return false, nil, false
	}
	switch info.Type {
	case File:
		if !strings.HasPrefix(w.line(rel), "gitdir: ") {
			return false, nil, false
		}
	case Dir:
	default:
		return false, nil, false
	}
	if w.filter.Repository == nil {
		return true, ignore.Parse(w.content(path.Join(rel, "info/exclude"))), false
	}
	content, fold := w.filter.Repository(path.Dir(rel))
	return true, ignore.Parse(content), fold
}

func (w *Walker) line(rel string) string {
	first, _, _ := strings.Cut(string(w.content(rel)), "\n")
	return strings.TrimSuffix(first, "\r")
}

// content returns the content of a small file, or nil if there is none.
func (w *Walker) content(rel string) []byte {
	if !workspace.Within(rel, ".") {
		return nil
	}
	h, r, err := w.root.OpenFile(rel)
	if err != nil {
		return nil
	}
	defer h.Close()
	defer r.Close()
	content, err := readAll(r)
	if err != nil {
		w.Report(rel, err)
	}
	return content
}

// OpenFile opens the regular file at a path from the root, and its directory. The
// caller closes both.
func (r Root) OpenFile(rel string) (*Handle, Reader, error) {
	dir, _ := split(rel)
	h, err := r.OpenDir(dir)
	if err != nil {
		return nil, Reader{}, err
	}
	f, err := h.Open(EntryAt(rel, Unknown))
	if err != nil {
		h.Close()
		return nil, Reader{}, err
	}
	return h, f, nil
}

// EntryAt returns an entry for a path from the root.
func EntryAt(rel string, t Type) Entry {
	i := strings.LastIndexByte(rel, '/') + 1
	return Entry{prefix: rel[:i], name: rel[i:] + "\x00", Type: t}
}
