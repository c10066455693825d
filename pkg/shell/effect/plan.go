package effect

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/workspace"
)

const (
	// maxTexts is how many bytes of files are written as text; the rest is moved.
	maxTexts = 32 << 20
	// maxWritten is how many changes a set may have to keep the earlier bytes of
	// each file on their own; the files of a larger one are moved.
	maxWritten = 500
)

// Paths are those that the set changes, to be locked before [Stage.Plan].
func (set *Set) Paths() []string {
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

// Plan gives the changes that make a set real, provided that every path is still
// as it was: otherwise the fault is approval_stale. What comes into the workspace
// is moved there, so a set is good for one try.
func (s *Stage) Plan(set *Set, root *workspace.Root) (changes []journal.Change, err error) {
	upper, err := workspace.Open(s.Preview.Upper, workspace.Options{})
	if err != nil {
		return nil, gone(err)
	}
	defer upper.Close()
	p := planner{stage: s, root: root, upper: upper, texts: maxTexts, single: len(set.Changes) <= maxWritten}
	for _, ch := range set.Changes {
		if err := p.unchanged(ch); err != nil {
			return nil, err
		}
	}
	// A directory's own mode comes last: it may shut it.
	slices.SortStableFunc(set.Changes, func(a, b Change) int { return cmp.Compare(rank(a), rank(b)) })
	for _, ch := range set.Changes {
		if err := p.add(ch); err != nil {
			return nil, err
		}
	}
	return p.changes, nil
}

func rank(c Change) int {
	if c.Op == Mode {
		return 1
	}
	return 0
}

type planner struct {
	stage   *Stage
	root    *workspace.Root
	upper   *workspace.Root
	texts   int64 // bytes that may still be written as texts
	single  bool  // each file's earlier bytes may be kept by themselves
	changes []journal.Change
}

// unchanged makes sure that nothing has moved on since the command ran.
func (p *planner) unchanged(ch Change) error {
	want, at := ch.Before, ch.Path
	if ch.Op == Rename {
		if e, err := entryAt(p.root, ch.Path); err != nil || e.Kind != Nothing {
			return drifted(ch.Path, err)
		}
		at = ch.From
	}
	if ch.Op == Mode {
		info, err := p.root.Lstat(at)
		if err != nil || kindOf(info.Mode()) != want.Kind || info.Mode().Perm() != want.Mode {
			return drifted(at, err)
		}
		return nil
	}
	now, err := entryAt(p.root, at)
	if err != nil {
		return err
	}
	want.Files = 0
	if now != want {
		return drifted(at, nil)
	}
	if ch.Op == Delete || ch.Op == Rename || ch.After.Kind == Link {
		return nil
	}
	// What is about to come in must be what was shown.
	made, err := entryAt(p.upper, ch.Path)
	if err != nil || made.Kind != ch.After.Kind || made.SHA != ch.After.SHA {
		return gone(err)
	}
	return nil
}

func drifted(name string, err error) error {
	return fault.New(fault.ApprovalStale, fault.T("%s has changed since the command was previewed", "%s 在命令预览之后已被更改", name)).
		WithHint(fault.T("make the call again to ask anew", "请重新发起调用以再次请求")).
		WithDetails(map[string]string{"path": name}).Because(err)
}

// open reports whether a path is one that any tool may change. Others are only
// moved as they are.
func (p *planner) open(name string) bool {
	for _, use := range [...]schema.PathUse{schema.RemovePath, schema.CreatePath} {
		if _, err := p.root.Resolve(name, use); err != nil {
			return false
		}
	}
	return !underGit(name)
}

// underGit reports whether a path is in the directory of a repository, where
// whole directories neither come nor go by other means.
func underGit(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(part, ".git") {
			return true
		}
	}
	return false
}

func (p *planner) do(c journal.Change) { p.changes = append(p.changes, c) }

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

// remove takes away what stands at a path.
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

// write replaces the bytes of a file, if they are few enough.
func (p *planner) write(ch Change) (done bool, err error) {
	if !p.open(ch.Path) || p.root.Tree().InPlace(ch.Path) {
		return false, nil // another name of the file was not shown to change
	}
	if !p.single || ch.After.Kind != File || ch.Before.Kind != File || ch.Before.Bytes > maxText || ch.After.Bytes > min(maxText, p.texts) {
		return false, nil
	}
	data, ok, err := readText(p.upper, ch.Path)
	if err != nil {
		return false, err
	}
	if !ok || sum(data) != ch.After.SHA {
		return false, gone(nil)
	}
	p.texts -= int64(len(data))
	c := journal.Change{Op: journal.Write, Path: ch.Path, Content: data, Expect: ch.Before.SHA}
	if ch.After.Mode != ch.Before.Mode {
		c.Mode = ch.After.Mode
	}
	p.do(c)
	return true, nil
}

// create brings in what the command made.
func (p *planner) create(ch Change) error {
	if ch.After.Kind == Link && p.open(ch.Path) {
		p.do(journal.Change{Op: journal.Symlink, Path: ch.Path, Target: ch.After.Target})
		return nil
	}
	source := filepath.Join(p.stage.Preview.Upper, filepath.FromSlash(ch.Path))
	if err := p.stage.Preview.Strip(source); err != nil {
		return err
	}
	p.do(journal.Change{Op: journal.MoveIn, Path: ch.Path, Source: source})
	return nil
}
