// Package patch is the tool that applies patches to files: all of their changes, or
// none. What a patch says is the business of files/patch.
package patch

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/patch"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// Args are the arguments.
type Args struct {
	Patch  string `json:"patch" doc:"'*** Begin Patch\\n*** Update File: a.go\\n@@ func main() {\\n-old\\n+new\\n*** Add File: b.txt\\n+text\\n*** Delete File: c.txt\\n*** End Patch', a unified diff, or SEARCH/REPLACE blocks." min:"1" alias:"diff,input,patch_text,patchText"`
	Path   string `json:"path,omitzero" doc:"File to change, for a patch that names none." path:"edit" alias:"file_path,filePath" unlisted:"true"`
	DryRun bool   `json:"dry_run,omitzero" doc:"Return the diff and change nothing." alias:"dryRun" unlisted:"true"`
}

// Result says what was changed, file by file, in the order of the patch.
type Result struct {
	Files       []File            `json:"files"`
	Diff        string            `json:"diff"`
	DryRun      bool              `json:"dry_run,omitzero"`
	UndoID      string            `json:"undo_id,omitzero"`
	Formatted   bool              `json:"formatted,omitzero"`   // by the person's formatter: the rest is as it is after it
	Diagnostics *tool.Diagnostics `json:"diagnostics,omitzero"` // that the change added or took away
	Baseline    string            `json:"baseline,omitzero"`    // none: what there was before is not known
	Pending     string            `json:"pending,omitzero"`     // id of a check that goes on
}

// File is the result of a patch for one file.
type File struct {
	Path         string          `json:"path"`
	Action       patch.Action    `json:"action"` // add, modify, delete, move or mode
	From         string          `json:"from,omitzero"`
	Hunks        []patch.Applied `json:"hunks"`
	LinesAdded   int             `json:"lines_added"`
	LinesRemoved int             `json:"lines_removed"`
	SHA          string          `json:"sha,omitzero"` // of the new bytes

	hunks []diff.Hunk
}

// Tool patches.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "patch", Title: "Apply a patch",
	Risk: policy.Write, Responds: true,
	Doc: "Change, create, delete and rename several files in one step, all or none. Context and removed lines " +
		"must be as in the file; line numbers may be wrong. For one place use edit.",
	Input: "patch",
	Examples: []tool.Example{
		{Doc: "a unified diff", Args: `{"patch":"--- a/main.go\n+++ b/main.go\n@@\n func main() {\n-\told()\n+\trenamed()\n }\n"}`},
	},
	Paths: targets,
	Preview: func(ctx context.Context, call *tool.Call, a Args) (string, error) {
		a.DryRun = true
		r, err := perform(ctx, call, a, diff.PreviewLimit())
		return r.Diff, err
	},
	Run:   run,
	Trial: func(a Args) bool { return a.DryRun },
	Text:  render,
})

// parse reads the patch. In an envelope, "a/" and "b/" before a path may be those of a diff:
// they are, if there is no such file, and there is one without them.
func parse(call *tool.Call, a Args) ([]patch.File, error) {
	files, err := patch.Parse(a.Patch, a.Path)
	if err != nil {
		return nil, err
	}
	root, err := call.Env.Root()
	if err != nil {
		return nil, err
	}
	there := func(path string) bool {
		p, err := root.Clean(path)
		if err == nil {
			_, err = root.Stat(p)
		}
		return err == nil
	}
	bare := func(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, "a/"), "b/") }
	for i := range files {
		f := &files[i]
		switch was := cmp.Or(f.From, f.Path); {
		case f.Dialect != patch.Envelope, f.Action == patch.Add, there(was), !there(bare(was)):
		case f.From != "":
			f.From, f.Path = bare(f.From), bare(f.Path)
		default:
			f.Path = bare(f.Path)
		}
	}
	return files, nil
}

// targets returns the paths in the patch.
func targets(_ context.Context, call *tool.Call, a Args) ([]tool.Target, error) {
	files, err := parse(call, a)
	if err != nil {
		return nil, err
	}
	var all []tool.Target
	for _, f := range files {
		use := schema.EditPath
		switch f.Action {
		case patch.Delete:
			use = schema.RemovePath
		case patch.Move:
			use = schema.CreatePath
			all = append(all, tool.Target{Use: schema.RemovePath, Path: f.From, Moves: true})
		case patch.Add:
			use = schema.WritePath
			if f.From != "" {
				all = append(all, tool.Target{Use: schema.ReadPath, Path: f.From})
			}
		}
		all = append(all, tool.Target{Use: use, Path: f.Path, Replaces: use == schema.CreatePath})
	}
	return all, nil
}

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	return perform(ctx, call, a, diff.ResultLimit())
}

// perform applies a patch, and shows so much of the diff.
func perform(ctx context.Context, call *tool.Call, a Args, most diff.Limit) (Result, error) {
	files, err := parse(call, a)
	if err != nil {
		return Result{}, err
	}
	if a.Path != "" && !slices.ContainsFunc(files, func(f patch.File) bool { return clean(call, f.Path) == a.Path || clean(call, f.From) == a.Path }) {
		call.Warn(fault.T("the patch names its files; path %s was not used", a.Path))
	}
	d := &draft{call: call, trial: a.DryRun, files: map[string]*version{}}
	r := Result{Files: make([]File, len(files)), DryRun: a.DryRun}
	var failed []error
	var diffs []diff.Diff
	for i, f := range files {
		var shown diff.Diff
		if r.Files[i], shown, err = d.apply(f); err != nil {
			failed = append(failed, err)
		}
		diffs = append(diffs, shown)
	}
	if len(failed) > 0 {
		return Result{}, together(failed, len(files))
	}
	if !a.DryRun {
		r.Formatted = d.format(ctx, r.Files, diffs)
	}
	r.Diff = diff.Join(diffs, most).Text
	if a.DryRun {
		return r, nil
	}
	undoID, said, err := textfile.Commit(ctx, call, "patch", d.changes()...)
	if err != nil {
		return Result{}, err
	}
	r.UndoID, r.Diagnostics, r.Baseline, r.Pending = undoID, said.Diagnostics, said.Baseline, said.Pending
	d.record()
	return r, nil
}
