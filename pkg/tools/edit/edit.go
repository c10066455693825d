// Package edit is the tool that replaces text in a file. It writes no whole
// files.
package edit

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// Args are the arguments: one replacement, or several as edits.
type Args struct {
	Path                 string  `json:"path" doc:"File to edit, relative to the workspace root." path:"edit" min:"1" alias:"file_path,filePath,filename,file"`
	OldText              *string `json:"old_text,omitzero" doc:"Text to find, as it is in the file: three to five whole lines are surest. Never with line numbers." alias:"oldText,old_str,old_string,oldString,search"`
	NewText              *string `json:"new_text,omitzero" doc:"Text that stands there instead; empty deletes." alias:"newText,new_str,new_string,newString,replace"`
	ReplaceAll           bool    `json:"replace_all,omitzero" doc:"Replace every match instead of the only one." alias:"replaceAll,allow_multiple"`
	Occurrence           int     `json:"occurrence,omitzero" doc:"Of several matches, the n-th." min:"1"`
	LineHint             int     `json:"line_hint,omitzero" doc:"Of several matches, the one that covers this line." min:"1" alias:"lineHint"`
	ExpectedReplacements int     `json:"expected_replacements,omitzero" doc:"Refuse unless exactly so many places match." min:"1" alias:"expectedReplacements"`
	Accept               string  `json:"accept,omitzero" doc:"Instead of old_text: the id of a candidate that a failed edit offered."`
	Edits                []Item  `json:"edits,omitzero" doc:"Instead of old_text: several replacements, all found in the file as it is now, made all or none." max:"200"`
	Sequential           bool    `json:"sequential,omitzero" doc:"Let each of edits see what those before it did."`
	ExpectSHA            string  `json:"expect_sha,omitzero" doc:"Refuse unless the file still has this sha." alias:"expectSha"`
	Syntax               string  `json:"syntax,omitzero" doc:"When a file that parsed no longer would: warn, or refuse if strict." enum:"warn,strict" default:"warn"`
	DryRun               bool    `json:"dry_run,omitzero" doc:"Show the diff and change nothing." alias:"dryRun"`
}

// Item is one of several replacements.
type Item struct {
	OldText              *string `json:"old_text,omitzero" doc:"Text to find." alias:"oldText,old_str,old_string,oldString,search"`
	NewText              *string `json:"new_text,omitzero" doc:"Text that stands there instead." alias:"newText,new_str,new_string,newString,replace"`
	ReplaceAll           bool    `json:"replace_all,omitzero" doc:"Replace every match." alias:"replaceAll,allow_multiple"`
	Occurrence           int     `json:"occurrence,omitzero" doc:"Of several matches, the n-th." min:"1"`
	LineHint             int     `json:"line_hint,omitzero" doc:"Of several matches, the one that covers this line." min:"1" alias:"lineHint"`
	ExpectedReplacements int     `json:"expected_replacements,omitzero" doc:"Refuse unless exactly so many places match." min:"1" alias:"expectedReplacements"`
	After                string  `json:"after,omitzero" doc:"Look only behind this text."`
	Within               string  `json:"within,omitzero" doc:"Look only inside this text."`
	Accept               string  `json:"accept,omitzero" doc:"Instead of old_text: the id of an offered candidate."`
}

// Result says what was replaced, with lines counted from 1.
type Result struct {
	Path             string         `json:"path"`
	Replacements     int            `json:"replacements"`
	Edits            []edit.Applied `json:"edits"`
	Diff             string         `json:"diff"`
	Snippet          *Snippet       `json:"snippet,omitzero"`
	LinesAdded       int            `json:"lines_added"`
	LinesRemoved     int            `json:"lines_removed"`
	SHABefore        string         `json:"sha_before"`
	SHA              string         `json:"sha"`
	AlsoSimilarAt    []int          `json:"also_similar_at,omitzero"`
	ChangedElsewhere bool           `json:"changed_elsewhere,omitzero"`
	Syntax           *Syntax        `json:"syntax,omitzero"`
	DryRun           bool           `json:"dry_run,omitzero"`
	UndoID           string         `json:"undo_id,omitzero"`
}

// Snippet is the first changed place as it is now, with some lines round it.
type Snippet struct {
	StartLine int    `json:"start_line"`
	Text      string `json:"text"`
}

// Tool edits.
var Tool = tool.New(tool.Def[Args, Result]{
	Name:    "edit",
	Aliases: []string{"edit_file", "str_replace", "replace", "str_replace_editor"},
	Risk:    policy.Write,
	Doc: "Replace text in a file. old_text must be found in one place only; give three to five lines of it, exactly as read shows them. " +
		"Slips in indentation, trailing space and quotes are seen through where only one place can be meant. A miss names the likeliest " +
		"places, which accept can take. Nothing but the replaced lines changes.",
	Examples: []tool.Example{
		{Doc: "one place", Args: `{"path":"main.go","old_text":"func old() {\n","new_text":"func renamed() {\n"}`},
		{Doc: "every place", Args: `{"path":"main.go","old_text":"old(","new_text":"renamed(","replace_all":true}`},
		{Doc: "two at once", Args: `{"path":"main.go","edits":[{"old_text":"a\n","new_text":"b\n"},{"old_text":"c\n","new_text":"d\n"}]}`},
	},
	Preview: func(ctx context.Context, call *tool.Call, a Args) (string, error) {
		a.DryRun = true
		r, err := run(ctx, call, a)
		return r.Diff, err
	},
	Run:  run,
	Text: render,
})

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	edits, err := a.replacements()
	if err != nil {
		return Result{}, err
	}
	f, err := textfile.Load(call, a.Path)
	if err != nil {
		return Result{}, err
	}
	if fault.Is(f.Problem, fault.BinaryFile) {
		return Result{}, fault.As(f.Problem).WithHint(fault.T("only text can be edited; write replaces the whole file with exact=true", "只能编辑文本；write 可用 exact=true 替换整个文件"))
	}
	if f.Problem != nil {
		return Result{}, f.Problem
	}
	if err := f.Expect(a.ExpectSHA); err != nil {
		return Result{}, err
	}
	known, err := f.Known()
	if err != nil {
		return Result{}, err
	}
	o := edit.Options{Path: a.Path, Sequential: a.Sequential}
	if a.ExpectSHA == "" { // the sha vouches for every line
		o.Snapshot = known.Snapshot
	}
	done, err := edit.Apply(f.Text(), edits, o)
	if err != nil {
		return Result{}, err
	}
	raw, err := f.Document.Encode(done.Text)
	if err != nil {
		return Result{}, err
	}
	r := result(f, done, raw)
	if r.Syntax, err = checkSyntax(call, a, f.Text(), done.Text); err != nil {
		return Result{}, err
	}
	if !known.Known && a.ExpectSHA == "" {
		call.Warn(fault.T("%s was edited without having been read in this session", "%s 在本会话中未读取过就被编辑", a.Path))
	}
	for _, w := range done.Warnings {
		call.Warn(w)
	}
	if r.DryRun = a.DryRun; a.DryRun {
		return r, nil
	}
	around := shown(done)
	done.Text, done.Splices = "", nil // what is large and no longer needed can go
	f.Forget()
	if r.UndoID, err = f.Replace(ctx, "edit", raw); err != nil {
		return Result{}, err
	}
	learn(call, f, known, around, raw, r)
	return r, nil
}

func result(f *textfile.File, done edit.Result, raw []byte) Result {
	d := diff.FromSplices(diff.Modified(f.Path), f.Text(), done.Splices, diff.ResultLimit())
	return Result{
		Path: f.Path, Replacements: done.Replacements, Edits: done.Edits, Diff: d.Text, Snippet: snippet(done),
		LinesAdded: d.Added, LinesRemoved: d.Removed, SHABefore: f.SHA, SHA: text.Sum(raw),
		AlsoSimilarAt: done.AlsoSimilarAt, ChangedElsewhere: done.ChangedElsewhere,
	}
}

// learn notes what the session knows of the file after the edit: all of it when
// it knew all before; otherwise what it knew and the lines that it was just
// shown, so that what others changed stays unknown to it.
func learn(call *tool.Call, f *textfile.File, known textfile.Knowledge, around string, raw []byte, r Result) {
	switch {
	case known.Current:
		textfile.Serve(call, f.Real, r.SHA, raw, nil)
	case known.Snapshot != nil:
		textfile.Remember(call, f.Real, *known.Snapshot+"\n"+around)
	}
}
