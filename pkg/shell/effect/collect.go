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
	// maxChanges limits the changes of a set that can be applied. A directory that is
	// created or deleted counts as one.
	maxChanges = 10_000
	// maxDiffBytes limits the sum of all diffs.
	maxDiffBytes = 256 << 10
)

// collector collects what a command changed.
type collector struct {
	root  *workspace.Root // the workspace
	upper *workspace.Root // what the command wrote
	set   *ChangeSet
	diffs int // bytes of diffs that may still be kept
}

// Collect returns what a command changed in the layers of the stage over the workspace.
// sb is the sandbox that it ran in.
func (s *Stage) Collect(ctx context.Context, sb sandbox.Sandbox, root *workspace.Root) (set *ChangeSet, err error) {
	found, complete, err := sb.Changes()
	if err != nil {
		return nil, err
	}
	upper, err := workspace.Open(s.Preview.Upper, workspace.Options{})
	if err != nil {
		return nil, err
	}
	defer upper.Close()
	c := collector{root: root, upper: upper, set: &ChangeSet{ID: s.ID, Changes: []Change{}}, diffs: maxDiffBytes}
	if !complete {
		c.block(tooManyChanges(sandbox.MaxChanges))
	}
	top := "" // a directory that is one change with everything in it
	for _, f := range found {
		f.Path = workspace.Escape(f.Path)
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		if top != "" && f.Path != top && workspace.Within(f.Path, top) {
			c.checkReadable(f)
			continue
		}
		change, err := c.change(f)
		if err != nil {
			return nil, err
		}
		c.set.Changes = append(c.set.Changes, change)
		if change.After.Kind == Directory && change.Op != Mode {
			top = f.Path
		}
	}
	c.checkCount()
	c.renames()
	c.permitted()
	var lost int64
	for _, ch := range c.set.Changes {
		if ch.Op != Mode && ch.Op != Rename {
			lost += ch.Before.Bytes
		}
	}
	if lost > journal.MaxBytes {
		c.block(tooMuchLost(lost, journal.MaxBytes))
	}
	return c.set, nil
}

// block notes why the change set cannot be applied. The first reason counts.
func (c *collector) block(why fault.Text) {
	if c.set.Obstacle.IsZero() {
		c.set.Obstacle = why
	}
}

// checkCount blocks a change set of more than maxChanges.
func (c *collector) checkCount() {
	if len(c.set.Changes) > maxChanges {
		c.block(tooManyChanges(maxChanges))
	}
}

// checkReadable blocks what the command made unreadable: it was made readable to be
// looked at, and would be applied like that.
func (c *collector) checkReadable(f sandbox.Change) {
	if f.Mode.IsDir() && f.Mode.Perm()&0o700 != 0o700 || f.Mode.IsRegular() && f.Mode.Perm()&0o400 == 0 {
		c.block(becomesUnreadable(f.Path))
	}
}

// change returns the change of one path.
func (c *collector) change(f sandbox.Change) (Change, error) {
	ch := Change{Path: f.Path, Op: Op(f.Op)}
	var err error
	if f.Op != sandbox.Create {
		if ch.Before, err = entryAt(c.root, f.Path); err != nil {
			return ch, err
		}
	}
	if f.Op != sandbox.Delete {
		c.checkReadable(f)
		if ch.After, err = c.after(f, ch.Before); err != nil {
			return ch, err
		}
	}
	if c.changesSpecialBits(f) {
		c.block(specialBits(f.Path))
	}
	if ch.After.Mode == 0 && (ch.After.Kind == File || ch.After.Kind == Directory) {
		c.block(becomesUnreadable(f.Path))
	}
	if ch.Before.Kind == Special || ch.After.Kind == Special {
		c.block(specialFile(f.Path))
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

// changesSpecialBits reports whether a change concerns mode bits that the journal does
// not keep.
func (c *collector) changesSpecialBits(f sandbox.Change) bool {
	const bits = fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky
	if f.Op != sandbox.Mode && f.Op != sandbox.Modify {
		return false // what is moved keeps them
	}
	info, err := c.root.Lstat(c.root.At(f.Path))
	return err != nil || info.Mode()&bits != f.Mode&bits
}

// after describes what the command wrote.
func (c *collector) after(f sandbox.Change, before Entry) (Entry, error) {
	if f.Op == sandbox.Mode {
		e := before
		e.Mode = f.Mode.Perm()
		return e, nil
	}
	e, err := entryAt(c.upper, f.Path)
	if e.Kind != Link {
		e.Mode = f.Mode.Perm() // the mode that the command set
	}
	return e, err
}

// diff adds the diff of a text file.
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

// textOf returns the text of a file; ok is false if it is no text or too large.
func textOf(root *workspace.Root, name string) (s string, ok bool, err error) {
	data, ok, err := readText(root, name)
	if err != nil || !ok {
		return "", false, err
	}
	d, err := text.Decode(data, "")
	if err != nil {
		return "", false, nil //nolint:nilerr // only text has a diff
	}
	return d.Text, true, nil
}

// renames turns a deletion and a creation of the same content into a rename.
func (c *collector) renames() {
	gone := map[string]int{} // index of a deletion by identity
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

// identity returns a string that is the same for entries with the same content, "" for
// an empty entry.
func identity(e Entry) string {
	if e.Bytes == 0 || e.Kind != File && e.Kind != Directory {
		return ""
	}
	return string(e.Kind) + e.SHA
}

// permitted blocks a change set with a path that may not be changed. The sandbox kept
// the command from changing what a person is not asked about.
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
			real, err := c.root.Resolve(c.root.At(name), use)
			if err == nil && real.String() != path.Clean(name) {
				err = fault.New(fault.Conflict, fault.T("%s leads to %s", name, real))
			}
			if err != nil {
				c.block(fault.As(err).Message)
			}
		}
	}
}
