package edit

import (
	"context"
	"errors"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// runLarge is run for a file that is too large for memory: only exact text is found.
func runLarge(ctx context.Context, call *tool.Call, a Args, edits []edit.Edit, big *textfile.Large) (r Result, err error) {
	defer func() { err = errors.Join(err, big.Close()) }()
	sample, err := big.Sample()
	if err != nil {
		return Result{}, err
	}
	if err := sample.Plain(); err != nil {
		return Result{}, err
	}
	if a.Syntax == "strict" {
		return Result{}, fault.New(fault.TooLarge, fault.T("%s is too large to be parsed", a.Path)).
			WithHint(fault.T("leave out syntax=strict"))
	}
	read, end := big.Reader(big.Hashes(a.ExpectSHA))
	done, err := edit.ApplyHuge(ctx, big, big.Info.Size(), edits, edit.Options{Path: a.Path, Sequential: a.Sequential}, read)
	if err != nil {
		return Result{}, err
	}
	if err := end(); err != nil {
		return Result{}, err
	}
	if err := big.Expect(a.ExpectSHA); err != nil {
		return Result{}, err
	}
	known, err := big.Known()
	if err != nil {
		return Result{}, err
	}
	if !known && a.ExpectSHA == "" {
		call.WarnDone(fault.T("%s was edited although this session has not read it", a.Path))
	}
	for _, w := range done.Warnings {
		call.Warn(w)
	}
	r = Result{
		Path: a.Path, Replacements: done.Replacements, Edits: done.Edits, Diff: done.Diff.Text, LinesAdded: done.Added, LinesRemoved: done.Removed,
		SHABefore: big.SHA,
	}
	if r.DryRun = a.DryRun; a.DryRun {
		return r, nil
	}
	change := journal.Change{Op: journal.Replace}
	for _, s := range done.Splices {
		change.Splices = append(change.Splices, journal.Splice(s))
	}
	if r.SHA, r.UndoID, err = big.Apply(ctx, "edit", change); err != nil {
		return Result{}, err
	}
	big.Record(r.SHA)
	return r, nil
}
