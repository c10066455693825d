// Package write is the tool that creates, overwrites and appends to files. To change
// a part of a file is the work of edit.
package write

import (
	"context"
	"runtime"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/shown"
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
	Path        string `json:"path" doc:"File, relative to the workspace root." path:"write" min:"1" alias:"file_path,filePath,filename,file"`
	Content     string `json:"content" doc:"All of the text, or what to append." alias:"text,contents,file_text"`
	Mode        string `json:"mode,omitzero" doc:"create fails if the file exists; append adds to its end." enum:"overwrite,create,append" default:"overwrite"`
	ExpectSHA   string `json:"expect_sha,omitzero" doc:"Fail unless the file still has this sha, taken from an earlier result." alias:"expectSha" unlisted:"true"`
	AllowShrink bool   `json:"allow_shrink,omitzero" doc:"Allow a long file to be replaced by less than half of its lines." unlisted:"true"`
	Exact       bool   `json:"exact,omitzero" doc:"Write content as it is, in UTF-8: keep its line endings and add no newline." unlisted:"true"`
}

// Result says what was written.
type Result struct {
	Path              string            `json:"path"`
	BytesWritten      int               `json:"bytes_written"`       // 0 if the file already had this content
	LineCount         *int              `json:"line_count,omitzero"` // of the whole file now; of a large one that was appended to it is not known
	Created           bool              `json:"created"`
	Overwritten       bool              `json:"overwritten"`
	SHABefore         string            `json:"sha_before,omitzero"`
	SHA               string            `json:"sha,omitzero"` // none above 256 MiB
	EOL               string            `json:"eol"`
	FinalNewlineAdded bool              `json:"final_newline_added"`
	Diff              string            `json:"diff"`
	UndoID            string            `json:"undo_id,omitzero"`
	Formatted         bool              `json:"formatted,omitzero"`   // by the person's formatter: the rest is as it is after it
	Diagnostics       *tool.Diagnostics `json:"diagnostics,omitzero"` // that the change added or took away
	Baseline          string            `json:"baseline,omitzero"`    // none: what there was before is not known
	Pending           string            `json:"pending,omitzero"`     // id of a check that goes on

	size    int64
	unknown bool // the caller has not read what it replaced
}

// Tool writes.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "write", Title: "Write a file",
	Risk: policy.Write, Responds: true,
	Doc: "Create a file, replace all of it, or append to it. Read one before you replace it, and pass the complete text, no placeholder such as " +
		"'// ... unchanged'. Missing directories are created. To change part of a file use edit.",
	DefaultArg: "path",
	Input:      "content",
	Examples: []tool.Example{
		{Doc: "a new file, or all of an old one", Args: `{"path":"notes/today.md","content":"# Today\n"}`},
		{Doc: "add a line", Args: `{"path":"log.txt","content":"done\n","mode":"append"}`},
	},
	Preview: func(_ context.Context, call *tool.Call, a Args) (string, error) {
		big, err := textfile.OpenLarge(call, a.Path, a.added())
		if err != nil {
			return "", err
		}
		if big != nil {
			return previewLarge(call, a, big)
		}
		old, next, err := plan(call, a)
		if err != nil {
			return "", err
		}
		return shownDiff(old, next, diff.PreviewLimit()), nil
	},
	Run:  run,
	Text: render,
})

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	big, err := textfile.OpenLarge(call, a.Path, a.added())
	if err != nil {
		return Result{}, err
	}
	if big != nil {
		return runLarge(ctx, call, a, big)
	}
	old, next, err := plan(call, a)
	if err != nil {
		return Result{}, err
	}
	formatted := false
	if f, ok := textfile.Format(ctx, call, old.Real, next.raw, next.text); ok {
		next.raw, next.text, formatted = f.Raw, f.Text, true
	}
	learned, err := learning(a, old, next)
	if err != nil {
		return Result{}, err
	}
	profile := text.Describe(next.text)
	r := Result{
		Path: a.Path, LineCount: &profile.TotalLines, Created: !old.Exists, Overwritten: old.Exists && a.Mode == overwrite,
		SHABefore: old.SHA, SHA: text.Sum(next.raw), EOL: profile.EOL, FinalNewlineAdded: next.ended, size: int64(len(next.raw)),
		unknown: next.replaces, Formatted: formatted,
	}
	if old.Exists && string(old.Raw) == string(next.raw) {
		call.Warn(fault.T("%s already has this content; nothing was written", a.Path))
	} else {
		var said tool.Feedback
		if r.UndoID, said, err = old.Replace(ctx, "write", next.raw); err != nil {
			return Result{}, err
		}
		r.Diagnostics, r.Baseline, r.Pending = said.Diagnostics, said.Baseline, said.Pending
		r.BytesWritten, r.Diff = len(next.raw), shownDiff(old, next, diff.ResultLimit())
	}
	learned(r.SHA)
	return r, nil
}

// learning returns what records that the session knows what it wrote: the whole file
// or, after appending, the end of it.
func learning(a Args, old *textfile.File, next after) (learned func(sha string), err error) {
	if a.Mode != appendMode || !old.Exists {
		return func(sha string) { old.Record(sha, next.raw) }, nil
	}
	known, err := old.Known()
	if err != nil {
		return nil, err
	}
	change := known.Changing(next.text)
	own := shown.Lines{Start: text.Describe(old.Text()).TotalLines + 1, End: text.Describe(next.text).TotalLines}
	return func(sha string) {
		if own.End >= own.Start {
			change.Record(old.Real, sha, next.raw, []shown.Lines{own})
		}
	}, nil
}

// plan composes what is to be written, and changes nothing.
func plan(call *tool.Call, a Args) (*textfile.File, after, error) {
	old, err := textfile.Load(call, a.Path)
	if err != nil {
		return nil, after{}, err
	}
	unknown, err := check(call, a, old)
	if err != nil {
		return nil, after{}, err
	}
	next, err := compose(a, old)
	if err != nil {
		return nil, after{}, err
	}
	next.replaces = unknown
	if err := stale(a, old, next.raw); err != nil {
		return nil, after{}, err
	}
	return old, next, guard(a, old, next.text)
}

func shownDiff(old *textfile.File, next after, most diff.Limit) string {
	file := diff.Created(old.Path)
	if old.Exists {
		file = diff.Modified(old.Path)
	}
	if old.Exists && old.Document == nil {
		return "" // what was there is not text
	}
	return diff.Unified(file, old.Text(), next.text, most).Text
}

// platformEOL is the line ending of new files.
func platformEOL() string {
	if runtime.GOOS == "windows" {
		return "\r\n"
	}
	return "\n"
}
