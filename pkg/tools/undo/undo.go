// Package undo is the tool that undoes changes. It changes nothing that the journal
// did not record.
package undo

import (
	"context"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
	"github.com/helve-dev/helve/pkg/track"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Args are the arguments.
type Args struct {
	Path  string `json:"path,omitzero" doc:"Only changes to this file or below this directory." path:"read" alias:"file_path,filePath,filename,file"`
	ID    string `json:"id,omitzero" doc:"Only this change: an undo_id, or a redo_id to redo." alias:"undo_id,redo_id"`
	Steps int    `json:"steps,omitzero" doc:"Number of changes, newest first." default:"1" min:"1" max:"1000"`
	Force bool   `json:"force,omitzero" doc:"Undo even if the files have changed since. Their present content is kept and can be restored." unlisted:"true"`
}

// Result says what was undone.
type Result struct {
	Undone      []Undone          `json:"undone"`
	Diff        string            `json:"diff"`
	RedoID      string            `json:"redo_id"` // undoing it is redo
	Remaining   int               `json:"remaining"`
	Diagnostics *tool.Diagnostics `json:"diagnostics,omitzero"` // that the change added or took away
	Baseline    string            `json:"baseline,omitzero"`    // none: what there was before is not known
	Pending     string            `json:"pending,omitzero"`     // id of a check that goes on
}

// Undone is one file of one change that was undone.
type Undone struct {
	ID            string     `json:"id"`
	Tool          string     `json:"tool"`
	Path          string     `json:"path"`
	From          string     `json:"from,omitzero"`
	Action        journal.Op `json:"action"` // what was undone; of what was deleted, delete
	RestoredBytes int64      `json:"restored_bytes"`
	PreviousBytes int64      `json:"previous_bytes"`
	Entries       int        `json:"entries,omitzero"` // of a git directory, which is one item
}

// Tool undoes.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "undo", Title: "Undo changes",
	Risk: policy.Write, Responds: true,
	Doc: "Undo the last change that a tool or a command made to files. Call again to go further back. To redo, pass the redo_id of the " +
		"result as id.",
	Examples: []tool.Example{
		{Doc: "the last change", Args: `{}`},
		{Doc: "the last three of one file", Args: `{"path":"main.go","steps":3}`},
	},
	Paths: targets,
	Run:   run,
	Text:  render,
})

// targets returns the files of the changes that would be undone. The journal locks
// them itself, once it knows which they are.
func targets(ctx context.Context, call *tool.Call, a Args) ([]tool.Target, error) {
	j, err := call.Env.Journal()
	if err != nil {
		return nil, err
	}
	late, err := j.Recover(ctx) // what it records is then the newest
	if err != nil {
		return nil, err
	}
	for _, w := range late {
		call.Warn(w)
	}
	path, err := chosen(call, a)
	if err != nil {
		return nil, err
	}
	root, err := call.Env.Root()
	if err != nil {
		return nil, err
	}
	if a.ID != "" {
		e, _, err := j.Find(a.ID)
		return filesOf(root, e), err
	}
	var all []tool.Target
	steps := a.Steps
	err = j.Entries(path, func(e journal.Entry) bool {
		if len(e.Undoes) == 0 && e.UndoneBy == "" {
			all = append(all, filesOf(root, e)...)
			steps--
		}
		return steps > 0
	})
	return all, err
}

// filesOf returns the files that undoing a change would change.
func filesOf(root *workspace.Root, e journal.Entry) (all []tool.Target) {
	for _, f := range e.Files {
		if e.Observed && inRepository(f.Path) && (len(e.Undoes) == 0 || !trusted(f.Path)) {
			continue // this only takes back what a command did to the repository, or repeats it
		}
		all = append(all, tool.Target{Use: schema.EditPath, Path: root.Spell(f.Path), Own: true, Whole: f.Whole})
		if f.From != "" {
			all = append(all, tool.Target{Use: schema.EditPath, Path: root.Spell(f.From), Own: true})
		}
	}
	return all
}

// inRepository reports whether a path is one of git's own.
func inRepository(path string) bool {
	_, ok := repository(path)
	return ok
}

// repository returns the .git that a path is in.
func repository(path string) (top string, ok bool) {
	parts := strings.Split(path, "/")
	i := slices.Index(parts, ".git")
	return strings.Join(parts[:i+1], "/"), i >= 0
}

// trusted reports whether a path may be one that makes git run a program.
func trusted(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "/"), func(name string) bool {
		return name == "hooks" || name == "info" || name == "commondir" || strings.HasPrefix(name, "config")
	})
}

// chosen returns the path that the call is limited to, links resolved; "" is none.
func chosen(call *tool.Call, a Args) (string, error) {
	if a.Path == "" || a.Path == "." {
		return "", nil
	}
	root, path, err := call.Confined(a.Path)
	if err != nil {
		return "", err
	}
	real, err := root.Resolve(path, schema.ReadPath)
	return real.String(), err
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
	var reals []string
	for _, p := range call.Paths {
		if p.Own {
			reals = append(reals, p.Real.String())
		}
	}
	check := textfile.Watch(ctx, call, reals)
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
		repositories := map[string]int{} // the number of the item
		for _, c := range u.Files {
			if top, ok := repository(c.Path); ok && (c.From == "" || strings.HasPrefix(c.From, top+"/")) {
				i, seen := repositories[top]
				if !seen {
					i = len(r.Undone)
					repositories[top] = i
					r.Undone = append(r.Undone, Undone{ID: u.ID, Tool: u.Tool, Path: root.Show(top), Action: journal.Modify})
				}
				r.Undone[i].Entries++
				r.Undone[i].RestoredBytes += size(c.After)
				r.Undone[i].PreviousBytes += size(c.Before)
				continue
			}
			one := Undone{ID: u.ID, Tool: u.Tool, Path: root.Show(c.Path), Action: undid(c.Op), RestoredBytes: size(c.After), PreviousBytes: size(c.Before)}
			if c.From != "" {
				one.From = root.Show(c.From)
			}
			r.Undone = append(r.Undone, one)
			diffs = append(diffs, track.Diff(j, c, nil))
		}
	}
	shown := diff.Join(diffs, diff.ResultLimit())
	r.Diff = shown.Text
	var changed []journal.Changed
	for _, u := range done.Undone {
		for _, c := range u.Files {
			refresh(call, j, c, !shown.Truncated)
		}
		changed = append(changed, u.Files...)
	}
	if check != nil {
		said := check(ctx, changed)
		r.Diagnostics, r.Baseline, r.Pending = said.Diagnostics, said.Baseline, said.Pending
	}
	return r, nil
}

// undid returns what a change undid.
func undid(back journal.Op) journal.Op {
	switch back {
	case journal.Create:
		return journal.Delete
	case journal.Delete:
		return journal.Create
	case journal.Mkdir:
		return journal.Rmdir
	case journal.Rmdir:
		return journal.Mkdir
	}
	return back
}

// refresh records what the session knows of a restored file: what it knew before, and
// the changes if the diff shows them.
func refresh(call *tool.Call, j *journal.Journal, c journal.Changed, shows bool) {
	if c.From != "" {
		textfile.RecordMove(call, c.From, c.Path)
	}
	after, ok := saved(j, c.After)
	if !ok {
		textfile.RecordSums(call, c.Path, sum(c.Before), sum(c.After))
		return
	}
	before, existed := saved(j, c.Before)
	if existed || c.Before == nil {
		textfile.RecordRestored(call, c.Path, before, after, shows)
	}
}

// sum returns the sha of a file; "" if it has none.
func sum(s *journal.State) string {
	if s == nil || len(s.SHA) < 16 {
		return ""
	}
	return s.SHA[:16]
}

// saved returns the bytes of a file that are kept.
func saved(j *journal.Journal, s *journal.State) ([]byte, bool) {
	if s == nil || s.Kind != journal.File || !s.Saved {
		return nil, false
	}
	raw, err := j.Saved(s.SHA)
	return raw, err == nil
}

func size(s *journal.State) int64 {
	if s == nil {
		return 0
	}
	return s.Size
}

func render(r Result, v screen.View) string {
	var b strings.Builder
	for _, u := range r.Undone {
		b.WriteString(v.Say(fault.T("undid %s of %s (by %s)", string(u.Action), u.Path, u.Tool)) + "\n")
	}
	b.WriteString(v.Say(fault.T("%d changes remain; redo id %s", r.Remaining, r.RedoID)) + "\n")
	return b.String() + r.Diff + tool.Feedback{Diagnostics: r.Diagnostics, Pending: r.Pending}.Text(v)
}
