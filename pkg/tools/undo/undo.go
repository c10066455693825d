// Package undo is the tool that takes changes back. It changes nothing that the
// journal did not record.
package undo

import (
	"context"
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// Args are the arguments.
type Args struct {
	Path  string `json:"path,omitzero" doc:"Only changes of this file, or of anything below this directory." path:"read" alias:"file_path,filePath,filename,file"`
	ID    string `json:"id,omitzero" doc:"Only this change: an undo_id, or a redo_id to take an undo back." alias:"undo_id,redo_id"`
	Steps int    `json:"steps,omitzero" doc:"How many changes to take back, the newest first." default:"1" min:"1" max:"1000"`
	Force bool   `json:"force,omitzero" doc:"Also when the files have changed since; what they hold now is kept."`
}

// Result says what was taken back.
type Result struct {
	Undone    []Undone `json:"undone"`
	Diff      string   `json:"diff"`
	RedoID    string   `json:"redo_id"` // undoing it is redo
	Remaining int      `json:"remaining"`
}

// Undone is one file of one change that was taken back.
type Undone struct {
	ID            string     `json:"id"`
	Tool          string     `json:"tool"`
	Path          string     `json:"path"`
	From          string     `json:"from,omitzero"`
	Action        journal.Op `json:"action"`
	RestoredBytes int64      `json:"restored_bytes"`
	PreviousBytes int64      `json:"previous_bytes"`
}

// Tool undoes.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "undo",
	Risk: policy.Write,
	Doc: "Take back the last change that a tool made to files, in this or any earlier process; again and again to go further back. " +
		"Refuses where files have changed since. The redo_id it answers takes the undo back.",
	Examples: []tool.Example{
		{Doc: "the last change", Args: `{}`},
		{Doc: "the last three of one file", Args: `{"path":"main.go","steps":3}`},
	},
	Paths: targets,
	Run:   run,
	Text:  render,
})

// targets are the files of the changes that would be taken back. Undo locks them
// by itself, once it has settled which these are.
func targets(_ context.Context, call *tool.Call, a Args) ([]tool.Target, error) {
	j, err := call.Env.Journal()
	if err != nil {
		return nil, err
	}
	path, err := chosen(call, a)
	if err != nil {
		return nil, err
	}
	entries, err := j.History(path, 0)
	if err != nil {
		return nil, err
	}
	root, err := call.Env.Root()
	if err != nil {
		return nil, err
	}
	var all []tool.Target
	steps := a.Steps
	for _, e := range entries {
		switch {
		case a.ID != "" && e.ID != a.ID, a.ID == "" && (len(e.Undoes) > 0 || e.UndoneBy != ""):
			continue
		case steps == 0:
			return all, nil
		}
		steps--
		for _, f := range e.Files {
			all = append(all, tool.Target{Use: schema.EditPath, Path: root.Spell(f.Path), Own: true, Whole: f.Whole})
			if f.From != "" {
				all = append(all, tool.Target{Use: schema.EditPath, Path: root.Spell(f.From), Own: true})
			}
		}
	}
	return all, nil
}

// chosen is the path that the call is limited to, links resolved; "" is none.
func chosen(call *tool.Call, a Args) (string, error) {
	if a.Path == "" || a.Path == "." {
		return "", nil
	}
	root, err := call.Env.Root()
	if err != nil {
		return "", err
	}
	return root.Resolve(a.Path, schema.ReadPath)
}

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	j, err := call.Env.Journal()
	if err != nil {
		return Result{}, err
	}
	sel := journal.Selector{ID: a.ID, Steps: a.Steps}
	if sel.Path, err = chosen(call, a); err != nil {
		return Result{}, err
	}
	root, err := call.Env.Root()
	if err != nil {
		return Result{}, err
	}
	done, err := j.Undo(ctx, call.Env.Session, sel, a.Force)
	if err != nil {
		return Result{}, err
	}
	for _, w := range done.Warnings {
		call.Warn(w)
	}
	r := Result{RedoID: done.ID, Remaining: done.Remaining, Undone: []Undone{}}
	var diffs []diff.Diff
	for _, u := range done.Undone {
		for _, c := range u.Files {
			one := Undone{ID: u.ID, Tool: u.Tool, Path: root.Show(c.Path), Action: c.Op, RestoredBytes: size(c.After), PreviousBytes: size(c.Before)}
			if c.From != "" {
				one.From = root.Show(c.From)
			}
			r.Undone = append(r.Undone, one)
			diffs = append(diffs, difference(j, c))
			refresh(call, j, c)
		}
	}
	r.Diff = diff.Join(diffs, diff.ResultLimit()).Text
	return r, nil
}

// refresh tells the ledger what a file is again: the diff shows it.
func refresh(call *tool.Call, j *journal.Journal, c journal.Changed) {
	if c.After == nil || c.After.Kind != journal.File || !c.After.Saved {
		return
	}
	raw, err := j.Saved(c.After.SHA)
	if err != nil {
		return // then nothing is known of it, and a change will say so
	}
	from := c.Path
	if c.From != "" {
		from = c.From
	}
	textfile.Refresh(call, from, c.Path, text.Sum(raw), raw)
}

func size(s *journal.State) int64 {
	if s == nil {
		return 0
	}
	return s.Size
}

// difference is what taking one change back did to the file's text, as far as
// both sides are kept and are text.
func difference(j *journal.Journal, c journal.Changed) diff.Diff {
	before, ok1 := kept(j, c.Before)
	after, ok2 := kept(j, c.After)
	if !ok1 || !ok2 {
		return diff.Diff{}
	}
	f := diff.Modified(c.Path)
	switch {
	case c.From != "" && c.From != c.Path:
		f = diff.Renamed(c.From, c.Path)
	case c.Before == nil:
		f = diff.Created(c.Path)
	case c.After == nil:
		f = diff.Deleted(c.Path)
	}
	return diff.Unified(f, before, after, diff.Limit{})
}

func kept(j *journal.Journal, s *journal.State) (string, bool) {
	if s == nil {
		return "", true
	}
	if s.Kind != journal.File || !s.Saved {
		return "", false
	}
	raw, err := j.Saved(s.SHA)
	if err != nil {
		return "", false
	}
	d, err := text.Decode(raw, "")
	if err != nil {
		return "", false
	}
	return d.Text, true
}

func render(r Result) string {
	var b strings.Builder
	for _, u := range r.Undone {
		fmt.Fprintf(&b, "took back %s of %s (by %s)\n", u.Action, u.Path, u.Tool)
	}
	fmt.Fprintf(&b, "%d changes remain; redo id %s\n", r.Remaining, r.RedoID)
	return b.String() + r.Diff
}
