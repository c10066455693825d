package effect

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/workspace"
)

const (
	// maxTexts limits the bytes of files that are written as text; the rest is moved.
	maxTexts = 32 << 20
	// maxWritten limits the changes of a set that keeps the earlier content of each file
	// on its own. The files of a larger one are moved.
	maxWritten = 500
)

// Paths returns the paths of the change set, which must be locked before [Stage.Plan].
func (set *ChangeSet) Paths() []string {
	var all []string
	for _, ch := range set.Changes {
		all = append(all, ch.Path)
		if ch.From != "" {
			all = append(all, ch.From)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Plan returns the changes that apply a change set. The code of the fault is
// approval_stale if a path is not as it was. Files are moved into the workspace, so a
// change set can be applied only once.
func (s *Stage) Plan(set *ChangeSet, root *workspace.Root) (changes []journal.Change, err error) {
	upper, err := workspace.Open(s.Preview.Upper, workspace.Options{})
	if err != nil {
		return nil, previewGone(err)
	}
	defer upper.Close()
	p := planner{stage: s, root: root, upper: upper, texts: maxTexts, single: len(set.Changes) <= maxWritten}
	for _, ch := range set.Changes {
		if err := p.unchanged(ch); err != nil {
			return nil, err
		}
	}
	// The mode of a directory comes last, because it may make the directory unreadable.
	slices.SortStableFunc(set.Changes, func(a, b Change) int { return cmp.Compare(rank(a), rank(b)) })
	for _, ch := range set.Changes {
		if err := p.add(ch); err != nil {
			return nil, err
		}
	}
	return p.changes, nil
}

// rank orders changes: modes come last.
func rank(c Change) int {
	if c.Op == Mode {
		return 1
	}
	return 0
}

// planner turns a change set into changes of the journal.
type planner struct {
	stage   *Stage
	root    *workspace.Root
	upper   *workspace.Root
	texts   int64 // bytes that may still be written as text
	single  bool  // the earlier content of each file is kept on its own
	changes []journal.Change
}

// unchanged returns a fault if a path has changed since the command ran.
func (p *planner) unchanged(ch Change) error {
	want, at := ch.Before, ch.Path
	if ch.Op == Rename {
		if e, err := entryAt(p.root, ch.Path); err != nil || e.Kind != Nothing {
			return changedSince(ch.Path, err)
		}
		at = ch.From
	}
	if ch.Op == Mode {
		info, err := p.root.Lstat(p.root.At(at))
		if err != nil || kindOf(info.Mode()) != want.Kind || info.Mode().Perm() != want.Mode {
			return changedSince(at, err)
		}
		return nil
	}
	now, err := entryAt(p.root, at)
	if err != nil {
		return err
	}
	want.Files = 0
	if now != want {
		return changedSince(at, nil)
	}
	if ch.Op == Delete || ch.Op == Rename || ch.After.Kind == Link {
		return nil
	}
	// What is moved in must be what was shown.
	made, err := entryAt(p.upper, ch.Path)
	if err != nil || made.Kind != ch.After.Kind || made.SHA != ch.After.SHA {
		return previewGone(err)
	}
	return nil
}

// open reports whether every tool may change a path. Others are only moved.
func (p *planner) open(name string) bool {
	for _, use := range [...]schema.PathUse{schema.RemovePath, schema.CreatePath} {
		if _, err := p.root.Resolve(p.root.At(name), use); err != nil {
			return false
		}
	}
	return !underGit(name)
}

// underGit reports whether a path is in the directory of a git repository.
func underGit(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(part, ".git") {
			return true
		}
	}
	return false
}

// do adds a change of the journal.
func (p *planner) do(c journal.Change) { p.changes = append(p.changes, c) }

// add adds what applies one change.
func (p *planner) add(ch Change) error {
	switch ch.Op {
	case Rename:
		if !p.open(ch.From) || !p.open(ch.Path) {
			p.remove(Change{Path: ch.From, Op: Replace, Before: ch.Before})
			return p.create(ch)
		}
		c := journal.Change{Op: journal.Move, From: ch.From, Path: ch.Path}
		if ch.Before.Kind == File && ch.Before.Bytes <= state.MaxBlob {
			c.Expect = ch.Before.SHA
		}
		p.do(c)
		return nil
	case Mode:
		p.do(journal.Change{Op: journal.Chmod, Path: ch.Path, Mode: ch.After.Mode})
		return nil
	case Delete:
		p.remove(ch)
		return nil
	case Modify:
		if text, err := p.write(ch); err != nil || text {
			return err
		}
	}
	if ch.Before.Kind != Nothing {
		p.remove(ch)
	}
	return p.create(ch)
}

// remove removes what is at a path.
func (p *planner) remove(ch Change) {
	c := journal.Change{Op: journal.MoveOut, Path: ch.Path}
	e := ch.Before
	switch {
	case e.Kind == Directory, e.Kind == File && e.Bytes <= state.MaxBlob:
		c.Expect = e.SHA
	}
	if p.single && p.open(ch.Path) && ch.Op == Delete && (e.Kind == Link || e.Kind == File && e.Bytes <= maxText) {
		c.Op = journal.Delete
	}
	p.do(c)
}

// write replaces the content of a file, if it is small enough.
func (p *planner) write(ch Change) (done bool, err error) {
	if !p.open(ch.Path) || p.root.Tree().InPlace(ch.Path) {
		return false, nil // the file has another name, which was not shown to change
	}
	if !p.single || ch.After.Kind != File || ch.Before.Kind != File || ch.Before.Bytes > maxText || ch.After.Bytes > min(maxText, p.texts) {
		return false, nil
	}
	data, ok, err := readText(p.upper, ch.Path)
	if err != nil {
		return false, err
	}
	if !ok || sum(data) != ch.After.SHA {
		return false, previewGone(nil)
	}
	p.texts -= int64(len(data))
	c := journal.Change{Op: journal.Write, Path: ch.Path, Content: data, Expect: ch.Before.SHA}
	if ch.After.Mode != ch.Before.Mode {
		c.Mode = ch.After.Mode
	}
	p.do(c)
	return true, nil
}

// create moves in what the command wrote.
func (p *planner) create(ch Change) error {
	if ch.After.Kind == Link && p.open(ch.Path) {
		p.do(journal.Change{Op: journal.Symlink, Path: ch.Path, Target: ch.After.Target})
		return nil
	}
	source := filepath.Join(p.stage.Preview.Upper, filepath.FromSlash(workspace.Unescape(ch.Path)))
	if err := native.Strip(source); err != nil {
		return err
	}
	p.do(journal.Change{Op: journal.MoveIn, Path: ch.Path, Source: source})
	return nil
}
