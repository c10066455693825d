// Package delete is the tool that deletes one file. It deletes no directory.
package delete

import (
	"context"
	"io/fs"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Args are the arguments.
type Args struct {
	Path string `json:"path" doc:"File or symbolic link, relative to the workspace root." path:"remove" min:"1" alias:"file_path,filePath,filename,file"`
}

// Result says what was deleted.
type Result struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	UndoID string `json:"undo_id,omitzero"`
}

// Tool deletes a file. How much that takes away is the guard's to say.
var Tool = tool.NewJudged(tool.Def[Args, Result]{
	Name: "delete", Title: "Delete a file",
	Risk:       policy.Destructive,
	Idempotent: true,
	Doc:        "Delete a file, which undo can restore. Of a symbolic link only the link is deleted. For a directory use exec.",
	DefaultArg: "path",
	Examples:   []tool.Example{{Doc: "a file", Args: `{"path":"old.txt"}`}},
	Text: func(r Result, v screen.View) string {
		return textfile.Done(v, fault.T("deleted %s (%d bytes)", r.Path, r.Bytes), r.UndoID)
	},
}, tool.Judged[Args, Args, Result]{
	Judge: func(_ context.Context, _ *tool.Call, a Args) (*tool.Judgement, Args, error) {
		return &tool.Judgement{Risk: policy.Write}, a, nil
	},
	Preview: preview,
	Run:     run,
})

// preview shows the text that would be deleted.
func preview(_ context.Context, call *tool.Call, a Args) (string, error) {
	root, path, err := call.Confined(a.Path)
	if err != nil {
		return "", err
	}
	info, err := look(root, path)
	if err != nil {
		return "", err
	}
	if info.Mode().IsRegular() {
		if f, err := textfile.Load(call, a.Path); err == nil && f.Document != nil {
			return diff.Unified(diff.Deleted(a.Path), f.Text(), "", diff.PreviewLimit()).Text, nil
		}
	}
	return fault.T("delete %s (%d bytes)", a.Path, info.Size()).In(call.Env.Lang) + "\n", nil
}

// look returns what is at the path; a directory is a fault.
func look(root *workspace.Root, path workspace.Path) (fs.FileInfo, error) {
	info, err := root.Lstat(path)
	if fault.Is(err, fault.NotFound) {
		err = root.NotFound(path) // with names that are there
	}
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fault.New(fault.IsDirectory, fault.T("%s is a directory", root.Show(path.String()))).
			WithHint(fault.T("delete the files in it one by one, or use a command"))
	}
	return info, nil
}

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	root, path, err := call.Confined(a.Path)
	if err != nil {
		return Result{}, err
	}
	real, err := root.Resolve(path, schema.RemovePath)
	if err != nil {
		return Result{}, err
	}
	info, err := look(root, path)
	if err != nil {
		return Result{}, err
	}
	undoID, err := textfile.Apply(ctx, call, "delete", journal.Change{Op: journal.Delete, Path: real.String()})
	if err != nil {
		return Result{}, err
	}
	return Result{Path: a.Path, Bytes: info.Size(), UndoID: undoID}, nil
}
