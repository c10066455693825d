// Package mkdir is the tool that makes directories.
package mkdir

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// Args are the arguments.
type Args struct {
	Path string `json:"path" doc:"Directory to make, with all that is missing above it." path:"create" min:"1" alias:"dir,directory,dir_path"`
}

// Result says whether it was made.
type Result struct {
	Path    string `json:"path"`
	Created bool   `json:"created"` // false when it was there already
	UndoID  string `json:"undo_id,omitzero"`
}

// Tool makes a directory.
var Tool = tool.New(tool.Def[Args, Result]{
	Name:     "mkdir",
	Aliases:  []string{"make_directory", "create_directory"},
	Risk:     policy.Write,
	Doc:      "Make a directory. write makes the directories of its file by itself.",
	Bare:     "path",
	Examples: []tool.Example{{Doc: "with its parents", Args: `{"path":"docs/images"}`}},
	Run:      run,
	Text: func(r Result) string {
		if r.Created {
			return "made " + r.Path + "/\n"
		}
		return r.Path + "/ was there already\n"
	},
})

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	root, err := call.Env.Root()
	if err != nil {
		return Result{}, err
	}
	if info, err := root.Stat(a.Path); err == nil {
		if info.IsDir() {
			return Result{Path: a.Path}, nil
		}
		return Result{}, fault.New(fault.AlreadyExists, fault.T("%s is there already and is no directory", "%s 已存在且不是目录", a.Path)).
			WithHint(fault.T("choose another name", "请换一个名称"))
	}
	real, err := root.Resolve(a.Path, schema.CreatePath)
	if err != nil {
		return Result{}, err
	}
	undoID, err := textfile.Apply(ctx, call, "mkdir", journal.Change{Op: journal.Mkdir, Path: real})
	if err != nil {
		return Result{}, err
	}
	return Result{Path: a.Path, Created: undoID != "", UndoID: undoID}, nil
}
