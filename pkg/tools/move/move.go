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
	From      string `json:"from" doc:"What to move." zh:"要移动的文件或目录。" path:"remove" min:"1" alias:"source,src,old_path"`
	To        string `json:"to" doc:"Complete new path, not the directory to move into." zh:"完整的新路径，而不是要移入的目录。" path:"create" min:"1" alias:"destination,dest,dst,new_path"`
	Overwrite bool   `json:"overwrite,omitzero" doc:"Replace an existing file." zh:"替换已有的文件。"`
}

// Result says what was moved.
type Result struct {
	From   string `json:"from"`
	To     string `json:"to"`
	UndoID string `json:"undo_id,omitzero"`
}

// Tool moves.
var Tool = tool.New(tool.Def[Args, Result]{
	Name:        "move",
	Risk:        policy.Write,
	Idempotent:  true,
	Doc:         "Move or rename a file or directory. Use it instead of mv in exec.",
	DocZH:       "移动或重命名文件或目录。请用它代替 exec 中的 mv。",
	DefaultArg:  "from",
	FurtherArgs: []string{"to"},
	Examples:    []tool.Example{{Doc: "rename a file", DocZH: "重命名文件", Args: `{"from":"a.txt","to":"docs/b.txt"}`}},
	Paths: func(_ context.Context, _ *tool.Call, a Args) ([]tool.Target, error) {
		return []tool.Target{{Use: schema.RemovePath, Path: a.From, Moves: true}, {Use: schema.CreatePath, Path: a.To, Replaces: a.Overwrite}}, nil
	},
	Preview: preview,
	Run:     run,
	Text: func(r Result, v screen.View) string {
		return textfile.Done(v, fault.T("moved %s to %s", "已将 %s 移动到 %s", r.From, r.To), r.UndoID)
	},
})

// preview says what would be moved, and what would be replaced by it.
func preview(_ context.Context, call *tool.Call, a Args) (string, error) {
	root, err := call.Env.Root()
	if err != nil {
		return "", err
	}
	text := fault.T("move %s to %s", "将 %s 移动到 %s", a.From, a.To)
	if info, err := root.Lstat(a.To); err == nil && a.Overwrite {
		text = fault.T("%s, where %d bytes are replaced", "%s，将替换其中的 %d 字节", text, info.Size())
	}
	return text.In(call.Env.Lang) + "\n", nil
}

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	root, err := call.Env.Root()
	if err != nil {
		return Result{}, err
	}
	from, err := root.Resolve(a.From, schema.RemovePath)
	if err != nil {
		return Result{}, err
	}
	to, err := root.Resolve(a.To, schema.CreatePath)
	if err != nil {
		return Result{}, err
	}
	if _, err := root.Lstat(a.From); fault.Is(err, fault.NotFound) {
		return Result{}, root.NotFound(a.From) // with names that are there
	}
	if info, err := root.Lstat(a.To); err == nil && info.IsDir() && from != to {
		return Result{}, fault.New(fault.IsDirectory, fault.T("%s is a directory", "%s 是目录", a.To)).
			WithHint(fault.T("pass the complete new path, such as %[1]s/%[2]s", "请给出完整的新路径，例如 %[1]s/%[2]s", a.To, path.Base(a.From)))
	}
	undoID, err := textfile.Apply(ctx, call, "move", journal.Change{Op: journal.Move, Path: to, From: from, Overwrite: a.Overwrite})
	if fault.Is(err, fault.AlreadyExists) {
		err = fault.As(err).WithHint(fault.T("choose another path, or overwrite=true to replace the file", "请换一个路径，或用 overwrite=true 替换该文件"))
	}
	if err != nil {
		return Result{}, err
	}
	textfile.RecordMove(call, from, to)
	return Result{From: a.From, To: a.To, UndoID: undoID}, nil
}
