// Package write is the tool that makes, overwrites and appends to files. It
// edits nothing in place.
package write

import (
	"context"
	"runtime"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// The modes of writing.
const (
	overwrite  = "overwrite"
	create     = "create"
	appendMode = "append"
)

// Args are the arguments.
type Args struct {
	Path        string `json:"path" doc:"File to write, relative to the workspace root. Missing directories are made." path:"write" min:"1" alias:"file_path,filePath,filename,file"`
	Content     string `json:"content" doc:"The whole new text, or what to append. Line endings and encoding of an existing file are kept, and a last line gets its newline, unless exact." alias:"text,contents,file_text"`
	Mode        string `json:"mode,omitzero" doc:"overwrite replaces or makes the file, create refuses one that is there, append adds to its end." enum:"overwrite,create,append" default:"overwrite"`
	ExpectSHA   string `json:"expect_sha,omitzero" doc:"Refuse unless the file still has this sha, as an earlier result told it." alias:"expectSha"`
	AllowShrink bool   `json:"allow_shrink,omitzero" doc:"Allow a long file to be replaced by less than half of it."`
	Exact       bool   `json:"exact,omitzero" doc:"Write the content's own bytes as UTF-8, with its line endings and no newline added."`
}

// Result says what was written.
type Result struct {
	Path              string `json:"path"`
	BytesWritten      int    `json:"bytes_written"` // 0 when the file already held just this
	LineCount         int    `json:"line_count"`    // of the whole file now
	Created           bool   `json:"created"`
	Overwritten       bool   `json:"overwritten"`
	SHABefore         string `json:"sha_before,omitzero"`
	SHA               string `json:"sha"`
	EOL               string `json:"eol"`
	FinalNewlineAdded bool   `json:"final_newline_added"`
	Diff              string `json:"diff"`
	UndoID            string `json:"undo_id,omitzero"`

	size int
}

// Tool writes.
var Tool = tool.New(tool.Def[Args, Result]{
	Name:    "write",
	Aliases: []string{"write_file", "file-write", "create_file"},
	Risk:    policy.Write,
	Doc: "Write a whole file, or append to one. It is replaced at once or not at all. Read a file before you overwrite it; " +
		"to change a part of it, edit it instead.",
	Examples: []tool.Example{
		{Doc: "a new file, or the whole of an old one", Args: `{"path":"notes/today.md","content":"# Today\n"}`},
		{Doc: "add a line", Args: `{"path":"log.txt","content":"done\n","mode":"append"}`},
	},
	Preview: func(_ context.Context, call *tool.Call, a Args) (string, error) {
		old, next, err := plan(call, a)
		if err != nil {
			return "", err
		}
		return shownDiff(old, next), nil
	},
	Run:  run,
	Text: render,
})

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	old, next, err := plan(call, a)
	if err != nil {
		return Result{}, err
	}
	knows := a.Mode != appendMode || !old.Exists // what it wrote
	if !knows {
		known, err := old.Known()
		if err != nil {
			return Result{}, err
		}
		knows = known.Current // and so what it added to
	}
	profile := text.Describe(next.text)
	r := Result{
		Path: a.Path, LineCount: profile.TotalLines, Created: !old.Exists, Overwritten: old.Exists && a.Mode == overwrite,
		SHABefore: old.SHA, SHA: text.Sum(next.raw), EOL: profile.EOL, FinalNewlineAdded: next.ended, size: len(next.raw),
	}
	if old.Exists && string(old.Raw) == string(next.raw) {
		call.Warn(fault.T("%s already held exactly this; nothing was written", "%s 的内容已完全相同；未写入", a.Path))
	} else {
		if r.UndoID, err = old.Replace(ctx, "write", next.raw); err != nil {
			return Result{}, err
		}
		r.BytesWritten, r.Diff = len(next.raw), shownDiff(old, next)
	}
	if knows {
		textfile.Serve(call, old.Real, r.SHA, next.raw, nil)
	}
	return r, nil
}

// plan makes what is to be written, and changes nothing.
func plan(call *tool.Call, a Args) (*textfile.File, after, error) {
	old, err := textfile.Load(call, a.Path)
	if err != nil {
		return nil, after{}, err
	}
	if err := check(call, a, old); err != nil {
		return nil, after{}, err
	}
	next, err := compose(a, old)
	if err != nil {
		return nil, after{}, err
	}
	return old, next, guard(a, old, next.text)
}

func shownDiff(old *textfile.File, next after) string {
	file := diff.Created(old.Path)
	if old.Exists {
		file = diff.Modified(old.Path)
	}
	if old.Exists && old.Document == nil {
		return "" // what was there is no text
	}
	return diff.Unified(file, old.Text(), next.text, diff.ResultLimit()).Text
}

// platformEOL ends the lines of new files.
func platformEOL() string {
	if runtime.GOOS == "windows" {
		return "\r\n"
	}
	return "\n"
}
