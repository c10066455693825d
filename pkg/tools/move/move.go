// Package move is the tool that renames files and directories. It copies
// nothing.
package move

import (
	"context"
	"path"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// Args are the arguments.
type Args struct {
	From      string `json:"from" doc:"What to move." path:"remove" min:"1" alias:"source,src,old_path"`
	To        string `json:"to" doc:"Complete new path, not the directory to move into." path:"create" min:"1" alias:"destination,dest,dst,new_path"`
	Overwrite bool   `json:"overwrite,omitzero" doc:"Replace an existing file."`
}

// Result says what was moved.
type Result struct {
	From        string            `json:"from"`
	To          string            `json:"to"`
	UndoID      string            `json:"undo_id,omitzero"`
	Diagnostics *tool.Diagnostics `json:"diagnostics,omitzero"` // that the change added or took away
	Baseline    string            `json:"baseline,omitzero"`    // none: what there was before is not known
	Pending     string            `json:"pending,omitzero"`     // id of a check that goes on
}

// Tool moves.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "move", Title: "Move or rename",
	Risk:        policy.Write,
	Responds:    true,
	Idempotent:  true,
	Doc:         "Move or rename a file or directory. Use it instead of mv in exec.",
	DefaultArg:  "from",
	FurtherArgs: []string{"to"},
	Examples:    []tool.Example{{Doc: "rename a file", Args: `{"from":"a.txt","to":"docs/b.txt"}`}},
	Paths: func(_ context.Context, _ *tool.Call, a Args) ([]tool.Target, error) {
		return []tool.Target{{Use: schema.RemovePath, Path: a.From, Moves: true}, {Use: schema.CreatePath, Path: a.To, Replaces: a.Overwrite}}, nil
	},
	Preview: preview,
	Run:     run,
	Text: func(r Result, v screen.View) string {
		return textfile.Done(v, fault.T("moved %s to %s", r.From, r.To), r.UndoID) + tool.Feedback{Diagnostics: r.Diagnostics, Pending: r.Pending}.Text(v)
	},
})

// preview says what would be moved, and what would be replaced by it.
func preview(_ context.Context, call *tool.Call, a Args) (string, error) {
	root, to, err := call.Confined(a.To)
	if err != nil {
		return "", err
	}
	text := fault.T("move %s to %s", a.From, a.To)
	if info, err := root.Lstat(to); err == nil && a.Overwrite {
		text = fault.T("%s, where %d bytes are replaced", text, info.Size())
	}
	return text.In(call.Env.Lang) + "\n", nil
}

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	root, from, err := call.Confined(a.From)
	if err != nil {
		return Result{}, err
	}
	_, to, err := call.Confined(a.To)
	if err != nil {
		return Result{}, err
	}
	source, err := root.Resolve(from, schema.RemovePath)
	if err != nil {
		return Result{}, err
	}
	target, err := root.Resolve(to, schema.CreatePath)
	if err != nil {
		return Result{}, err
	}
	if _, err := root.Lstat(from); fault.Is(err, fault.NotFound) {
		return Result{}, root.NotFound(from) // with names that are there
	}
	if info, err := root.Lstat(to); err == nil && info.IsDir() && source != target {
		return Result{}, fault.New(fault.IsDirectory, fault.T("%s is a directory", a.To)).
			WithHint(fault.T("pass the complete new path, such as %[1]s/%[2]s", a.To, path.Base(a.From)))
	}
	undoID, said, err := textfile.Commit(ctx, call, "move", journal.Change{Op: journal.Move, Path: target.String(), From: source.String(), Overwrite: a.Overwrite})
	if fault.Is(err, fault.AlreadyExists) {
		err = fault.As(err).WithHint(fault.T("choose another path, or overwrite=true to replace the file"))
	}
	if err != nil {
		return Result{}, err
	}
	textfile.RecordMove(call, source.String(), target.String())
	return Result{
		From: a.From, To: a.To, UndoID: undoID, Diagnostics: said.Diagnostics, Baseline: said.Baseline, Pending: said.Pending,
	}, nil
}
