// Package mkdir is the tool that creates directories.
package mkdir

import (
	"context"

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
	Path string `json:"path" doc:"Directory, relative to the workspace root." path:"create" min:"1" alias:"dir,directory,dir_path"`
}

// Result says whether the directory was created.
type Result struct {
	Path    string `json:"path"`
	Created bool   `json:"created"` // false when it already existed
	UndoID  string `json:"undo_id,omitzero"`
}

// Tool creates a directory.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "mkdir", Title: "Create a directory",
	Risk:       policy.Write,
	Idempotent: true,
	Doc:        "Create a directory and its missing parents. write and move create directories themselves.",
	DefaultArg: "path",
	Examples:   []tool.Example{{Doc: "with its parents", Args: `{"path":"docs/images"}`}},
	Run:        run,
	Text: func(r Result, v screen.View) string {
		if r.Created {
			return v.Say(fault.T("created %s/", r.Path)) + "\n"
		}
		return v.Say(fault.T("%s/ already exists", r.Path)) + "\n"
	},
})

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	root, path, err := call.Confined(a.Path)
	if err != nil {
		return Result{}, err
	}
	if info, err := root.Stat(path); err == nil {
		if info.IsDir() {
			return Result{Path: a.Path}, nil
		}
		return Result{}, fault.New(fault.AlreadyExists, fault.T("%s exists and is not a directory", a.Path)).
			WithHint(fault.T("choose another name"))
	}
	real, err := root.Resolve(path, schema.CreatePath)
	if err != nil {
		return Result{}, err
	}
	undoID, err := textfile.Apply(ctx, call, "mkdir", journal.Change{Op: journal.Mkdir, Path: real.String()})
	if err != nil {
		return Result{}, err
	}
	return Result{Path: a.Path, Created: undoID != "", UndoID: undoID}, nil
}
