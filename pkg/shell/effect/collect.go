package effect

import (
	"context"
	"io/fs"
	"path"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/workspace"
)

const (
	// maxChanges is how many changes a set may have to be applied. A directory that
	// is created or deleted is one.
	maxChanges = 10_000
	// maxDiffBytes is how much of all diffs is kept.
	maxDiffBytes = 256 << 10
)

// collector finds out what a command did.
type collector struct {
	stage *Stage
	root  *workspace.Root // as it is
	upper *workspace.Root // what the command made
	set   *Set
	diffs int // bytes of them that may still be kept
}

// Collect tells what a command did in the stage's layers over the workspace
// root. sb is the one that it ran in.
func (s *Stage) Collect(ctx context.Context, sb *sandbox.Sandbox, root *workspace.Root) (set *Set, err error) {
	found, complete, err := sb.Changes()
	if err != nil {
		return nil, err
	}
	upper, err := workspace.Open(s.Preview.Upper, workspace.Options{})
	if err != nil {
		return nil, err
	}
	defer upper.Close()
	c := collector{stage: s, root: root, upper: upper, set: &Set{ID: s.ID, Changes: []Change{}}, diffs: maxDiffBytes}
	if !complete {
		c.hinder(fault.T("it changes more than %d files", "改动的文件超过 %d 个", sandbox.MaxChanges))
	}
	whole := "" // a directory that is one change with all that is in it
	for _, f := range found {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		if whole != "" && f.Path != whole && workspace.Within(f.Path, whole) {
			c.part(f)
			continue
		}
		change, err := c.change(f)
		if err != nil {
			return nil, err
		}
		c.set.Changes = append(c.set.Changes, change)
		if change.After.Kind == Directory && change.Op != Mode {
			whole = f.Path
		}
	}
	if len(c.set.Changes) > maxChanges {
		c.hinder(fault.T("it changes more than %d files", "改动的文件超过 %d 个", maxChanges))
	}
	c.renames()
	c.permitted()
	var lost int64
	for _, ch := range c.set.Changes {
		if ch.Op != Mode && ch.Op != Rename {
			lost += ch.Before.Bytes
		}
	}
	if lost > journal.MaxBytes {
		c.hinder(fault.T("%d bytes go, and at most %d are kept", "将移除 %d 字节，最多保留 %d 字节", lost, int64(journal.MaxBytes)))
	}
	return c.set, nil
}

// hinder notes why the set cannot be made real; the first reason stands.
func (c *collector) hinder(why fault.Text) {
	if c.set.Obstacle.IsZero() {
		c.set.Obstacle = why
	}
}

// part looks at something that the command made: what it shut was opened to be
// looked at, and would come in open.
func (c *collector) part(f sandbox.Change) {
	if f.Mode.IsDir() && f.Mode.Perm()&0o700 != 0o700 || f.Mode.IsRegular() && f.Mode.Perm()&0o400 == 0 {
		c.hinder(fault.T("%s is made unreadable", "%s 将变为不可读", f.Path))
	}
}

func (c *collector) change(f sandbox.Change) (Change, error) {
	ch := Change{Path: f.Path, Op: Op(f.Op)}
	var err error
	if f.Op != sandbox.Create {
		if ch.Before, err = entryAt(c.root, f.Path); err != nil {
			return ch, err
		}
	}
	if f.Op != sandbox.Delete {
		c.part(f)
		if ch.After, err = c.after(f, ch.Before); err != nil {
			return ch, err
		}
	}
	if c.special(f) {
		c.hinder(fault.T("%s gets or loses a special mode", "%s 的特殊权限位将改变", f.Path))
	}
	if ch.After.Mode == 0 && (ch.After.Kind == File || ch.After.Kind == Directory) {
		c.hinder(fault.T("%s is made unreadable", "%s 将变为不可读", f.Path))
	}
	if ch.Before.Kind == Special || ch.After.Kind == Special {
		c.hinder(fault.T("%s is neither a file nor a directory nor a link", "%s 不是普通文件、目录或链接", f.Path))
	}
	switch {
	case ch.After.Kind == Directory && ch.Op != Mode:
		ch.Inside, ch.After.Files, err = inside(c.upper, f.Path)
	case ch.Before.Kind == Directory && ch.Op != Mode:
		ch.Inside, ch.Before.Files, err = inside(c.root, f.Path)
	}
	if err == nil {
		err = c.diff(&ch)
	}
	return ch, err
}

// special reports whether a change touches mode bits that the journal does not
// keep.
func (c *collector) special(f sandbox.Change) bool {
	const bits = fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky
	if f.Op != sandbox.Mode && f.Op != sandbox.Modify {
		return false // what comes and goes as a whole keeps them
	}
	info, err := c.root.Lstat(f.Path)
	return err != nil || info.Mode()&bits != f.Mode&bits
}

// after describes what the command made.
func (c *collector) after(f sandbox.Change, before Entry) (Entry, error) {
	if f.Op == sandbox.Mode {
		e := before
		e.Mode = f.Mode.Perm()
		return e, nil
	}
	e, err := entryAt(c.upper, f.Path)
	if e.Kind != Link {
		e.Mode = f.Mode.Perm() // as the command left it
	}
	return e, err
}

// diff shows what becomes of a text.
func (c *collector) diff(ch *Change) error {
	if c.diffs <= 0 || ch.After.Kind != File || ch.Op == Mode {
		return nil
	}
	var before, after string
	var ok bool
	var err error
	f := diff.Created(ch.Path)
	if ch.Before.Kind == File {
		f = diff.Modified(ch.Path)
		if before, ok, err = textOf(c.root, ch.Path); err != nil || !ok {
			return err
		}
	}
	if after, ok, err = textOf(c.upper, ch.Path); err != nil || !ok {
		return err
	}
	most := diff.ResultLimit()
	most.Bytes = min(most.Bytes, c.diffs)
	ch.Diff = diff.Unified(f, before, after, most).Text
	c.diffs -= len(ch.Diff)
	return nil
}

func textOf(root *workspace.Root, name string) (string, bool, error) {
	data, ok, err := readText(root, name)
	if err != nil || !ok {
		return "", false, err
	}
	d, err := text.Decode(data, "")
	if err != nil {
		return "", false, nil //nolint:nilerr // what is no text has no diff
	}
	return d.Text, true, nil
}

// renames finds what went from one path and came, the same, to another.
func (c *collector) renames() {
	gone := map[string]int{} // by what it is
	for i, ch := range c.set.Changes {
		if key := identity(ch.Before); ch.Op == Delete && key != "" {
			gone[key] = i
		}
	}
	dropped := map[int]bool{}
	for i := range c.set.Changes {
		ch := &c.set.Changes[i]
		from, ok := gone[identity(ch.After)]
		if ch.Op != Create || !ok || dropped[from] || c.set.Changes[from].Before.Mode != ch.After.Mode {
			continue
		}
		dropped[from] = true
		ch.Op, ch.From, ch.Before, ch.Diff = Rename, c.set.Changes[from].Path, c.set.Changes[from].Before, ""
	}
	kept := c.set.Changes[:0]
	for i, ch := range c.set.Changes {
		if !dropped[i] {
			kept = append(kept, ch)
		}
	}
	c.set.Changes = kept
}

// identity is the same for entries that hold the same; "" for those too small
// to tell.
func identity(e Entry) string {
	if e.Bytes == 0 || e.Kind != File && e.Kind != Directory {
		return ""
	}
	return string(e.Kind) + e.SHA
}

// permitted makes sure that every path is one that may be changed. The sandbox
// has kept those from changing that the person was not going to be asked about.
func (c *collector) permitted() {
	for _, ch := range c.set.Changes {
		uses := map[string]schema.PathUse{ch.Path: workspace.MoveOut}
		switch ch.Op {
		case Create:
			uses[ch.Path] = workspace.MoveIn
		case Rename:
			uses[ch.Path], uses[ch.From] = workspace.MoveIn, workspace.MoveOut
		case Mode:
			uses[ch.Path] = schema.WritePath
		}
		for name, use := range uses {
			real, err := c.root.Resolve(name, use)
			if err == nil && real != path.Clean(name) {
				err = fault.New(fault.Conflict, fault.T("%s leads to %s", "%s 指向 %s", name, real))
			}
			if err != nil {
				c.hinder(fault.As(err).Message)
			}
		}
	}
}
