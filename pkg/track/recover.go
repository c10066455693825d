package track

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/gitindex"
	"github.com/helve-dev/helve/pkg/files/gitobject"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/workspace"
)

// abandonedAge is when what a stopped helve left is given up.
const abandonedAge = 30 * 24 * time.Hour

// Journal returns the journal of a workspace that also records what a command changed
// whose helve was stopped. excludes is called only then; see [Workspace].
func Journal(root *workspace.Root, dir *state.Dir, excludes func() []byte, opt journal.Options) *journal.Journal {
	w := Workspace{Root: root, State: dir}
	opt.Restoring, opt.Meaning, opt.Snapshots = opener{root.Restorer()}, meaning, snapshots
	opt.Unfinished = func(ctx context.Context) ([]fault.Text, error) {
		if names, err := w.pendings(); err != nil || len(names) == 0 {
			return nil, err
		}
		w := w
		w.Excludes = excludes()
		return w.adoptAll(ctx)
	}
	w.Journal = journal.New(dir, root.Tree(), opt)
	return w.Journal
}

// snapshots opens the directory for entries that are moved out of the workspace.
func snapshots(dir string) (journal.Tree, error) {
	r, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		return nil, err
	}
	return r.Tree(), nil
}

// adoptAll records what commands changed whose process was killed meanwhile.
func (w Workspace) adoptAll(ctx context.Context) (warnings []fault.Text, err error) {
	names, err := w.pendings()
	if err != nil {
		return nil, err
	}
	alive := 0
	for _, name := range names {
		id, before, ok := namesOf(name)
		if !ok {
			continue
		}
		release, ok, err := w.State.Claim(claimKey + id)
		if err != nil {
			return warnings, err
		}
		if !ok {
			alive++
			continue
		}
		found, err := w.adopt(ctx, id, name, before)
		warnings = append(warnings, found...)
		if err = errors.Join(err, release()); err != nil {
			return warnings, err
		}
	}
	if alive > 0 && len(warnings) > 0 {
		warnings = append(warnings, fault.T("another command runs at the same time; what it has changed so far is in that record"))
	}
	return warnings, nil
}

// adopt records what one command changed. This process has the claim on its run.
func (w Workspace) adopt(ctx context.Context, id, name, before string) ([]fault.Text, error) {
	r := &Run{w: w}
	p, err := r.resume(name, before)
	if r.file == "" {
		return nil, err // another process was faster
	}
	what := shortened(p.By.Command)
	alive := ending(ctx, id)
	err = errors.Join(err, w.lineage().Leave(ctx))
	var report Report
	known := false
	if err == nil {
		known, err = w.recorded(id)
	}
	if err == nil && !known {
		report, err = r.record(ctx)
	}
	r.git.close()
	switch old := w.State.Now().Sub(p.Started) > abandonedAge; {
	case known:
		return nil, r.forget()
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && !old && !lasting(err):
		return []fault.Text{fault.T("helve was stopped while %s ran, and what it changed cannot be recorded yet: %s", what, fault.As(err).Message)}, nil
	case err != nil:
		return []fault.Text{fault.T("helve was stopped while %s ran, and what it changed cannot be undone: %s", what, fault.As(err).Message)}, r.forget()
	}
	return report.late(what, alive), r.forget()
}

// ending waits a moment for processes that die with the helve that started them, and
// returns those that live on.
func ending(ctx context.Context, id string) (alive []int) {
	for wait := time.Millisecond; wait < time.Second/2; wait *= 2 {
		if alive = native.Marked(id); len(alive) == 0 || ctx.Err() != nil {
			break
		}
		time.Sleep(wait) //nolint:forbidigo // they are not children of this process
	}
	return alive
}

// resume makes a run what it was when its process was killed. Its file is "" if there is
// nothing to resume.
func (r *Run) resume(name, before string) (p pending, err error) {
	dir, err := r.w.State.Directory(keptDir)
	if err != nil {
		return p, err
	}
	data, err := r.w.State.ReadFile(keptDir + "/" + name)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	r.file = filepath.Join(dir, name)
	p, ok := decodePending(data)
	if !ok {
		return p, damaged()
	}
	if data, err = r.w.State.ReadFile(keptDir + "/" + before); err != nil {
		return p, damaged()
	}
	entries, ok := decode(data)
	if !ok {
		return p, damaged()
	}
	r.by, r.started, r.only = p.By, p.Started, p.Only
	r.by.Stopped = true
	r.before = &tree{entries: entries, blind: p.blind, at: p.At}
	return p, r.implied(p)
}

// damaged is the error of a record of what was before that cannot be read: the machine
// was stopped before it was on the disk.
func damaged() error {
	return fault.New(fault.NoHistory, fault.T("the record of what was before is damaged"))
}

// implied adds the files that were as they are in the index.
func (r *Run) implied(p pending) error {
	if p.Only != nil {
		r.git = r.w.repository() // its objects are still there
	}
	if p.Implied.Index == "" {
		return nil
	}
	data, err := r.w.State.Blob(p.Implied.Index)
	if err != nil {
		return damaged()
	}
	r.git = &repository{}
	if r.git.index, err = gitindex.Parse(data); err != nil {
		return damaged()
	}
	// Without objects, what they held is said to be lost.
	if objects, err := gitobject.Open(onRoot{r.w.Root}, objectsPath); err == nil {
		r.git.objects = objects
	}
	known := map[string]bool{}
	for _, e := range r.before.entries {
		known[e.path] = true
	}
	for _, path := range p.missing {
		known[path] = true
	}
	for i := range r.git.index.Entries {
		if e, ok := p.Implied.entry(&r.git.index.Entries[i]); ok && !known[e.path] {
			r.before.entries = append(r.before.entries, &e)
		}
	}
	slices.SortFunc(r.before.entries, func(a, b *entry) int { return strings.Compare(a.path, b.path) })
	return nil
}

// recorded reports whether the journal has what a run changed: then only its file was left.
func (w Workspace) recorded(id string) (found bool, err error) {
	err = w.Journal.Entries("", func(e journal.Entry) bool {
		found = e.Run == id
		return !found
	})
	return found, err
}

// late describes the recorded changes of a command whose helve was stopped. Its processes
// alive may still run.
func (r *Report) late(what string, alive []int) (all []fault.Text) {
	if r.UndoID != "" {
		all = append(all, fault.T("helve was stopped while %s ran; what it changed is recorded: undo takes it back, with id %s", what, r.UndoID))
	}
	if len(r.NotCovered) > 0 {
		var paths []string
		for _, g := range r.NotCovered[:min(len(r.NotCovered), mostNamed)] {
			paths = append(paths, g.Path)
		}
		all = append(all, fault.T("%s also changed what undo does not restore: %s", what, strings.Join(paths, ", ")))
	}
	if len(alive) > 0 {
		all = append(all, fault.T("%s still runs (process %d); what it changes from now on is not recorded: end it, then look at the files", what, alive[0]))
	}
	return append(all, r.Warnings...)
}

// mostNamed limits the paths that a warning names.
const mostNamed = 5

// shortened returns a command line cut for a warning.
func shortened(command string) string {
	const most = 80
	line := strings.Join(strings.Fields(strings.ToValidUTF8(command, "�")), " ")
	if line == "" {
		return "?"
	}
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:most-1]) + "…"
	}
	return line
}
