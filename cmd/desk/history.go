package desk

import (
	"io"
	"net/http"
	"slices"

	"github.com/helve-dev/helve/cmd/overview"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools/undo"
	"github.com/helve-dev/helve/pkg/track"
	"github.com/helve-dev/helve/pkg/turn/envelope"
	"github.com/helve-dev/helve/pkg/workspace"
)

// shownDiff bounds the diff of one change in the page.
var shownDiff = diff.Limit{Bytes: 1 << 20, Lines: 10_000}

// opened returns the journal and the root of a workspace, after the recovery of what was
// interrupted.
func (p *place) opened(r *http.Request) (j *journal.Journal, root *workspace.Root, warnings []fault.Text, err error) {
	env, _, err := p.Env()
	if err != nil {
		return nil, nil, nil, err
	}
	if j, err = env.Journal(); err != nil {
		return nil, nil, nil, err
	}
	if root, err = env.Root(); err != nil {
		return nil, nil, nil, err
	}
	warnings, err = j.Recover(r.Context())
	return j, root, warnings, err
}

// history lists changes, the newest first.
func (d *Desk) history(r *http.Request) (any, []fault.Text, error) {
	p, err := d.at(r)
	if err != nil {
		return nil, nil, err
	}
	limit, err := number(r, "limit", 200, 1, 100_000)
	if err != nil {
		return nil, nil, err
	}
	j, root, warnings, err := p.opened(r)
	if err != nil {
		return nil, nil, err
	}
	listed, err := j.History("", limit+1)
	if err != nil {
		return nil, nil, err
	}
	more := len(listed) > limit
	return struct {
		Entries []overview.Entry `json:"entries"`
		More    bool             `json:"more"`
	}{overview.History(root, listed[:min(limit, len(listed))]), more}, warnings, nil
}

// change returns one change with its diff.
func (d *Desk) change(r *http.Request) (any, []fault.Text, error) {
	p, err := d.at(r)
	if err != nil {
		return nil, nil, err
	}
	j, root, warnings, err := p.opened(r)
	if err != nil {
		return nil, nil, err
	}
	listed, err := j.History("", 0)
	if err != nil {
		return nil, nil, err
	}
	id := r.PathValue("id")
	i := slices.IndexFunc(listed, func(e journal.Entry) bool { return e.ID == id })
	if i < 0 {
		return nil, nil, fault.New(fault.NotFound, fault.T("there is no change %q in the history", id))
	}
	present := func(path string) ([]byte, error) {
		f, err := root.Open(root.At(path))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return io.ReadAll(io.LimitReader(f, state.MaxBlob))
	}
	var diffs []diff.Diff
	for _, c := range listed[i].Files {
		diffs = append(diffs, track.Diff(j, c, present))
	}
	shown := diff.Join(diffs, shownDiff)
	return struct {
		overview.Entry
		Diff      string `json:"diff"`
		Truncated bool   `json:"truncated"`
	}{overview.History(root, listed[i:i+1])[0], shown.Text, shown.Truncated}, warnings, nil
}

// undo takes a change back by the tool of that name.
func (d *Desk) undo(r *http.Request) (any, []fault.Text, error) {
	p, err := d.at(r)
	if err != nil {
		return nil, nil, err
	}
	said, err := read[struct {
		Force bool `json:"force"`
	}](r)
	if err != nil {
		return nil, nil, err
	}
	args := schema.Document{{Name: "id", Value: r.PathValue("id")}}
	if said.Force {
		args = append(args, schema.Member{Name: "force", Value: true})
	}
	return d.call(p, undo.Tool.Name, args)
}

// call makes a call of a tool for the person, which goes on when the page is closed.
func (d *Desk) call(p *place, name string, args schema.Document) (any, []fault.Text, error) {
	env, catalog, err := p.Env()
	if err != nil {
		return nil, nil, err
	}
	t, err := catalog.Ours().Find(name)
	if err != nil {
		return nil, nil, err
	}
	input, err := schema.Marshal(args)
	if err != nil {
		return nil, nil, err
	}
	d.running.Add(1)
	defer d.running.Done()
	o := guard.Run(d.ending, env, t, input)
	if o.Err != nil {
		return nil, nil, o.Err
	}
	return envelope.Of(o, d.Lang).Data, o.Warnings, nil
}
