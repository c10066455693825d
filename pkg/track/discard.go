package track

import (
	"bytes"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Discard lists the paths that git removes from the working tree of a repository whose
// top is the root of the workspace.
type Discard struct {
	// Paths are files, or directories for all that is in them, from the root. None is
	// everything.
	Paths []string
	// Untracked is for files that git neither tracks nor ignores, which are deleted.
	// Otherwise the content of tracked files goes as far as it is not staged, and
	// with Staged that, too.
	Untracked, Staged bool
}

// Discards reports whether git would lose content by removing paths from the working
// tree, and whether undo will surely restore it. It returns an error if that is unclear.
func (s *View) Discards(d Discard) (loses, kept bool, err error) {
	git, tree := s.git, s.tree
	if git == nil || displaced(s.w) {
		return false, false, unclear()
	}
	tracked := map[string]bool{}
	for i := range git.index.Entries {
		x := &git.index.Entries[i]
		// In a merge there are several, and git may enter submodules.
		if plain := x.Stage == 0 && x.Mode&0o170000 != 0o160000; !plain && !d.Untracked {
			return false, false, unclear()
		}
		tracked[x.Path] = true
	}
	for _, b := range tree.blind {
		// Git leaves ignored files, unless they stand in the place of a tracked file.
		if d.has(b.path) && (d.Untracked && b.why != ignoredOutput || tracked[b.path]) {
			return false, false, unclear()
		}
	}
	sure := surely{}
	loses, kept = d.Staged, true
	for _, e := range tree.entries {
		ours := tracked[e.path]
		switch {
		case inGit(e.path):
			continue
		case !d.Untracked && (e.isDir() && ours || !e.isDir() && git.index.Below(e.path)):
			return false, false, unclear() // in the way of what git restores
		case e.isDir(), !d.has(e.path),
			d.Untracked && ours, !d.Untracked && !d.Staged && !ours,
			!ours && e.ignored, ours && git.holds(s.w, e):
			continue
		}
		loses = true
		kept = kept && !inRebuilt(e.path) && sure.has(e)
	}
	return loses, kept, nil
}

// has reports whether a path is meant.
func (d Discard) has(path string) bool {
	path = workspace.Escape(path)
	for _, p := range d.Paths {
		if workspace.Within(path, p) {
			return true
		}
	}
	return len(d.Paths) == 0
}

func unclear() error {
	return fault.New(fault.Unsupported, fault.T("the repository is not one whose files can be compared"))
}

// inGit reports whether a path is, or is in, the directory of a repository.
func inGit(path string) bool { return strings.Contains("/"+path+"/", "/.git/") }

// displaced reports whether the settings may put the working tree at another place.
func displaced(w Workspace) bool {
	settings, _, _ := onRoot{w.Root}.read(".git/config")
	return bytes.Contains(bytes.ToLower(settings), []byte("worktree"))
}

// holds reports whether the index has what is in a file: git thinks so, and then leaves
// the file alone, or the bytes are those of its object.
func (r *repository) holds(w Workspace, e *entry) bool {
	x, ok := r.index.Find(e.path)
	switch {
	case !ok:
		return false
	case e.isLink() && x.Mode&0o170000 == 0o120000:
		return objectOf([]byte(e.target)) == x.OID
	case !e.isFile() || x.Mode&0o170000 != 0o100000:
		return false
	case r.unchanged(x, e):
		return true
	case e.Size > largest || (x.Mode&0o111 != 0) != (e.Mode&0o111 != 0):
		return false
	}
	data, err := w.Root.Tree().ReadFile(workspace.Escape(e.path))
	return err == nil && objectOf(data) == x.OID
}
