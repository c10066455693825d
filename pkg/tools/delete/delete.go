// Package delete is the tool that deletes one file. It deletes no directory.
package delete

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Args are the arguments.
type Args struct {
	Path string `json:"path" doc:"File or link to delete, relative to the workspace root; never a directory." path:"remove" min:"1" alias:"file_path,filePath,filename,file"`
}

// Result says what was deleted.
type Result struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	UndoID string `json:"undo_id,omitzero"`
}

// Tool deletes a file.
var Tool = tool.New(tool.Def[Args, Result]{
	Name:     "delete",
	Aliases:  []string{"file-delete", "delete_file", "remove_file"},
	Risk:     policy.Destructive,
	Doc:      "Delete one file. A link goes, not what it leads to. undo brings the file back.",
	Bare:     "path",
	Examples: []tool.Example{{Doc: "a file", Args: `{"path":"old.txt"}`}},
	Preview:  preview,
	Run:      run,
	Text: func(r Result) string {
		line := fmt.Sprintf("deleted %s (%d bytes)", r.Path, r.Bytes)
		if r.UndoID != "" {
			line += "; undo id " + r.UndoID
		}
		return line + "\n"
	},
})

// preview is the text that would go.
func preview(_ context.Context, call *tool.Call, a Args) (string, error) {
	root, err := call.Env.Root()
	if err != nil {
		return "", err
	}
	info, err := look(root, a.Path)
	if err != nil {
		return "", err
	}
	if info.Mode().IsRegular() {
		if f, err := textfile.Load(call, a.Path); err == nil && f.Document != nil {
			return diff.Unified(diff.Deleted(a.Path), f.Text(), "", diff.ResultLimit()).Text, nil
		}
	}
	return fmt.Sprintf("delete %s (%d bytes)\n", a.Path, info.Size()), nil
}

// look describes what is to be deleted.
func look(root *workspace.Root, path string) (fs.FileInfo, error) {
	info, err := root.Lstat(path)
	if fault.Is(err, fault.NotFound) {
		err = root.NotFound(path) // with names that are there
	}
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fault.New(fault.IsDirectory, fault.T("%s is a directory", "%s 是目录", path)).
			WithHint(fault.T("delete the files in it one by one, or use a command", "请逐个删除其中的文件，或使用命令"))
	}
	return info, nil
}

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	root, err := call.Env.Root()
	if err != nil {
		return Result{}, err
	}
	real, err := root.Resolve(a.Path, schema.RemovePath)
	if err != nil {
		return Result{}, err
	}
	info, err := look(root, a.Path)
	if err != nil {
		return Result{}, err
	}
	undoID, err := textfile.Apply(ctx, call, "delete", journal.Change{Op: journal.Delete, Path: real})
	if err != nil {
		return Result{}, err
	}
	return Result{Path: a.Path, Bytes: info.Size(), UndoID: undoID}, nil
}
