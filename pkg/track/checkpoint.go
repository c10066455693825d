package track

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Checkpoint is the workspace as it was at a time, to be restored. What is in git's
// objects is not copied, so that a repository that loses them cannot be restored.
type Checkpoint struct {
	Name       string
	Time       time.Time
	Files      int // files and links, without those of git itself
	NotCovered int // those that cannot be restored, without what is in ignored directories
}

// checkpointSuffix ends the name of the file of a checkpoint, in [keptDir].
const checkpointSuffix = ".checkpoint"

// Checkpoint remembers the workspace under a name, until it is dropped. Without a name it
// is the time. The error is already_exists for a name that is taken.
func (w Workspace) Checkpoint(ctx context.Context, name string) (c Checkpoint, err error) {
	now := w.State.Now().UTC()
	if name == "" {
		name = now.Format("2006-01-02T15-04-05.000")
	}
	if err := checkName(name); err != nil {
		return c, err
	}
	file := keptDir + "/" + name + checkpointSuffix
	if _, err := w.State.ReadFile(file); !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return c, err
		}
		return c, fault.New(fault.AlreadyExists, fault.T("there is a checkpoint %s already", name)).
			WithHint(fault.T("choose another name, or drop it: helve checkpoint --drop %s", name))
	}
	r := &Run{w: w, git: w.repository()}
	defer func() { err = errors.Join(err, r.Drop()) }()
	if r.before, err = w.scan(ctx, r.git, nil, nil); err != nil {
		return c, err
	}
	copies, err := r.missing()
	if err != nil {
		return c, err
	}
	// The sweep must not remove the copies before the file names them.
	release, err := w.State.ShareBlobs(ctx)
	if err != nil {
		return c, err
	}
	c = Checkpoint{Name: name, Time: now}
	if err = r.copy(ctx, copies); err == nil {
		c.count(r.before.entries)
		err = w.State.WriteFile(file, append(fmtHead(now), encode(r.before.entries, true)...))
	}
	return c, errors.Join(err, release())
}

func (c *Checkpoint) count(entries []*entry) {
	for _, e := range entries {
		if inGit := slices.Contains(strings.Split(filepath.ToSlash(e.path), "/"), ".git"); !e.isDir() && !inGit {
			c.Files++
		}
		if e.isFile() && e.blob == "" && !e.clean {
			c.NotCovered++
		}
	}
}

// checkName accepts what is a plain file name on every system.
func checkName(name string) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
	if name != "" && len(name) <= 64 && name[0] != '.' && name[0] != '-' && strings.Trim(name, letters) == "" {
		return nil
	}
	return fault.New(fault.InvalidArguments, fault.T("%q is no name of a checkpoint", name)).
		WithHint(fault.T("use letters, digits, dots, dashes and underscores, at most 64"))
}

// fmtHead is the first line of a file of a checkpoint.
func fmtHead(t time.Time) []byte { return append(strconv.AppendInt(nil, t.UnixNano(), 10), '\n') }

// open reads a checkpoint.
func (w Workspace) open(name string) (c Checkpoint, entries []*entry, err error) {
	if err := checkName(name); err != nil {
		return c, nil, err
	}
	data, err := w.State.ReadFile(keptDir + "/" + name + checkpointSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil, noCheckpoint(name)
	}
	if err != nil {
		return c, nil, err
	}
	line, rest, _ := bytes.Cut(data, []byte("\n"))
	at, err := strconv.ParseInt(string(line), 10, 64)
	entries, ok := decode(rest)
	if err != nil || !ok {
		return c, nil, fault.New(fault.IOError, fault.T("the checkpoint %s is damaged", name)).
			WithHint(fault.T("drop it: helve checkpoint --drop %s", name))
	}
	c = Checkpoint{Name: name, Time: time.Unix(0, at).UTC()}
	c.count(entries)
	return c, entries, nil
}

func noCheckpoint(name string) error {
	return fault.New(fault.NotFound, fault.T("there is no checkpoint %q", name)).
		WithHint(fault.T("list them: helve checkpoint --list"))
}

// Checkpoints lists the checkpoints, the newest first. A damaged one has no time.
func (w Workspace) Checkpoints() ([]Checkpoint, error) {
	names, err := w.State.List(keptDir)
	if err != nil {
		return nil, err
	}
	all := []Checkpoint{}
	for _, file := range names {
		name, ok := strings.CutSuffix(file, checkpointSuffix)
		if !ok {
			continue
		}
		c, _, err := w.open(name)
		if err != nil {
			c = Checkpoint{Name: name}
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b Checkpoint) int { return b.Time.Compare(a.Time) })
	return all, nil
}

// DropCheckpoint forgets a checkpoint. Its copies go with the next sweep of the blobs.
func (w Workspace) DropCheckpoint(name string) error {
	if _, _, err := w.open(name); err != nil && !fault.Is(err, fault.IOError) {
		return err
	}
	return w.State.Remove(keptDir + "/" + name + checkpointSuffix)
}

// Restore makes the workspace what it was at a checkpoint. That is a change that can be
// undone. With dry it only reports what would be changed.
func (w Workspace) Restore(ctx context.Context, name, session string, dry bool) (report Report, err error) {
	c, entries, err := w.open(name)
	if err != nil {
		return Report{}, err
	}
	r := &Run{w: w, git: w.repository(), started: c.Time, before: &tree{entries: entries, at: c.Time}}
	defer func() { err = errors.Join(err, r.Drop()) }()
	after, err := w.scan(ctx, r.git, nil, nil)
	if err != nil {
		return Report{}, err
	}
	d := differ{run: r, before: r.before, after: after, alone: true}
	d.compare()
	// What is ignored now is not part of it.
	d.gaps = slices.DeleteFunc(d.gaps, func(g Gap) bool {
		return slices.ContainsFunc(after.blind, func(b blind) bool { return workspace.Escape(b.path) == g.Path })
	})
	if len(d.changes) == 0 {
		return d.report(), nil
	}
	release, err := w.State.ShareBlobs(ctx)
	if err != nil {
		return Report{}, err
	}
	all, err := d.differences()
	var applied journal.Applied
	if err == nil && !dry && len(all) > 0 {
		applied, err = w.Journal.TakeBack(ctx, "restore", session, all)
	}
	if err = errors.Join(err, release()); err != nil {
		return Report{}, err
	}
	report = d.report()
	for i := range report.Changes {
		report.Changes[i].invert()
	}
	report.UndoID, report.Warnings = applied.ID, applied.Warnings
	return report, nil
}

// invert makes the change the one that takes it back.
func (c *Change) invert() {
	switch c.Action {
	case Create:
		c.Action = Delete
	case Delete:
		c.Action = Create
	case Rename:
		c.Path, c.From = c.From, c.Path
	case Modify, Mode, Replace:
	}
}

// objectMark begins the name of an object where encode has that of a blob.
const objectMark = "git:"

// source returns where the content of a file is, as encode writes it.
func (e *entry) source() string {
	if e.clean {
		return objectMark + e.object.String()
	}
	return e.blob
}

// setSource reads what source returned.
func (e *entry) setSource(word string) bool {
	name, ok := strings.CutPrefix(word, objectMark)
	if !ok {
		e.blob = word
		if word == "" && e.isFile() {
			e.gap = overBudget
		}
		return true
	}
	n, err := hex.Decode(e.object[:], []byte(name))
	e.clean = err == nil && n == len(e.object)
	return e.clean
}
