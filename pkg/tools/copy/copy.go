// Package copy is the tool that copies files and directories. All of a copy is one
// change, which undo takes back. It does not merge directories.
package copy

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// Args are the arguments.
type Args struct {
	From      string `json:"from" doc:"What to copy." path:"read" min:"1" alias:"source,src,old_path"`
	To        string `json:"to" doc:"Complete new path, not the directory to copy into." path:"create" min:"1" alias:"destination,dest,dst,new_path"`
	Overwrite bool   `json:"overwrite,omitzero" doc:"Replace an existing file."`
}

// Result says what was copied.
type Result struct {
	From   string `json:"from"`
	To     string `json:"to"`
	UndoID string `json:"undo_id,omitzero"`
}

// Tool copies.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "copy", Title: "Copy files",
	Risk:        policy.Write,
	Idempotent:  true,
	Doc:         "Copy a file, or a directory with everything in it. Use it instead of cp in exec.",
	DefaultArg:  "from",
	FurtherArgs: []string{"to"},
	Examples:    []tool.Example{{Doc: "a file as the beginning of another", Args: `{"from":"a.txt","to":"docs/b.txt"}`}},
	Paths:       targets,
	Preview:     preview,
	Run:         run,
	Text: func(r Result, v screen.View) string {
		return textfile.Done(v, fault.T("copied %s to %s", r.From, r.To), r.UndoID)
	},
})

// targets returns every path that is read and every path that is made, so that rules
// about what is in a directory hold for its copy.
func targets(ctx context.Context, call *tool.Call, a Args) ([]tool.Target, error) {
	root, err := call.Env.Root()
	if err != nil {
		return nil, err
	}
	entries, err := list(ctx, call, a)
	if err != nil {
		return nil, err
	}
	all := []tool.Target{{Use: schema.CreatePath, Path: a.To, Replaces: a.Overwrite}}
	for _, e := range entries[1:] { // the first are the arguments
		all = append(all, tool.Target{Use: schema.ReadPath, Path: root.Show(e.from)}, tool.Target{Use: schema.CreatePath, Path: root.Show(e.to)})
	}
	return all, nil
}

// preview says what would be copied, and what would be replaced by it.
func preview(ctx context.Context, call *tool.Call, a Args) (string, error) {
	root, to, err := call.Confined(a.To)
	if err != nil {
		return "", err
	}
	entries, err := list(ctx, call, a)
	if err != nil {
		return "", err
	}
	text := fault.T("copy %s to %s", a.From, a.To)
	if len(entries) > 1 {
		text = fault.T("%s, with the %d entries in it", text, len(entries)-1)
	}
	if info, err := root.Lstat(to); err == nil {
		text = fault.T("%s, where %d bytes are replaced", text, info.Size())
	}
	return text.In(call.Env.Lang) + "\n", nil
}

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	root, err := call.Env.Root()
	if err != nil {
		return Result{}, err
	}
	entries, err := list(ctx, call, a)
	if err != nil {
		return Result{}, err
	}
	if err := judged(call, entries); err != nil {
		return Result{}, err
	}
	changes, err := changesOf(ctx, root, entries)
	if err != nil {
		return Result{}, err
	}
	undoID, err := textfile.Apply(ctx, call, "copy", changes...)
	if err != nil {
		return Result{}, err
	}
	if entries[0].info.Mode().IsRegular() {
		textfile.RecordMove(call, entries[0].from, entries[0].to) // what is known of it is known of its copy
	}
	return Result{From: a.From, To: a.To, UndoID: undoID}, nil
}

// judged checks that every entry is one of those that the rules were asked about: more
// may have come since.
func judged(call *tool.Call, entries []entry) error {
	locked := map[string]bool{}
	for _, p := range call.Paths {
		if p.Use == schema.CreatePath {
			locked[p.Real.String()] = true
		}
	}
	for _, e := range entries {
		if !locked[e.to] {
			return meanwhile(e.from)
		}
	}
	return nil
}
