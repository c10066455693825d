// Package edit is the tool that replaces text in a file. How a text is found is the
// business of files/edit.
package edit

import (
	"context"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/shown"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// Args are the arguments: one replacement, or several as edits.
type Args struct {
	Path                 string            `json:"path" doc:"File, relative to the workspace root." path:"edit" min:"1" alias:"file_path,filePath,filename,file"`
	OldText              *string           `json:"old_text,omitzero" doc:"Text to replace, exactly as in the file. If empty, it creates the file." alias:"old,oldText,old_str,old_string,oldString,search"`
	NewText              *string           `json:"new_text,omitzero" doc:"Text to put in its place; empty deletes old_text." alias:"new,newText,new_str,new_string,newString,replace"`
	ReplaceAll           bool              `json:"replace_all,omitzero" doc:"Replace every match." alias:"replaceAll,allow_multiple"`
	Occurrence           int               `json:"occurrence,omitzero" doc:"Replace only the n-th match, counted from 1." min:"1" unlisted:"true"`
	LineHint             int               `json:"line_hint,omitzero" doc:"Replace only the match that covers this line." min:"1" alias:"lineHint" unlisted:"true"`
	ExpectedReplacements int               `json:"expected_replacements,omitzero" doc:"Fail unless exactly this many places match." min:"1" alias:"expectedReplacements" unlisted:"true"`
	Accept               string            `json:"accept,omitzero" doc:"Instead of old_text: id of a candidate that a failed edit returned." unlisted:"true"`
	InsertLine           *int              `json:"insert_line,omitzero" doc:"Instead of old_text: put new_text after this line, as lines of its own. 0 is before the first line." unlisted:"true" min:"0"`
	Edits                []Item            `json:"edits,omitzero" doc:"Several replacements, instead of old_text and new_text. Each is matched against the file as it is now; all are made or none." max:"200"`
	Cell                 string            `json:"cell,omitzero" doc:"Of a notebook, id or number of a cell, as read shows it: search in its source only; without old_text, new_text is all of it." alias:"cell_id,cellId" unlisted:"true"`
	Mode                 string            `json:"mode,omitzero" doc:"What to do with the cell: insert puts a new one after it, or first if cell is not given." enum:"replace,insert,delete" alias:"edit_mode,editMode" unlisted:"true"`
	CellType             string            `json:"cell_type,omitzero" doc:"What the cell is to be." enum:"code,markdown,raw" alias:"cellType" unlisted:"true"`
	Cells                []Cell            `json:"cells,omitzero" doc:"Of a workbook: cells to change, instead of old_text." max:"10000" unlisted:"true"`
	Append               [][]schema.Scalar `json:"append,omitzero" doc:"Of a workbook: rows to put below the last one, as lists of values." max:"10000" unlisted:"true"`
	InsertRows           string            `json:"insert_rows,omitzero" doc:"Of a workbook: the empty rows to insert, such as 5:6, by the numbers that they get." alias:"insertRows" unlisted:"true"`
	DeleteRows           string            `json:"delete_rows,omitzero" doc:"Of a workbook: the rows to delete, such as 5:6." alias:"deleteRows" unlisted:"true"`
	Sheet                string            `json:"sheet,omitzero" doc:"Of a workbook: name or number of the sheet; otherwise old_text is looked for in all, and the rest is about the first." unlisted:"true"`
	Track                bool              `json:"track,omitzero" doc:"Of a Word document: make tracked changes, which a person accepts or rejects." alias:"track_changes,trackChanges" unlisted:"true"`
	Sequential           bool              `json:"sequential,omitzero" doc:"Match each of edits against the result of those before it." unlisted:"true"`
	ExpectSHA            string            `json:"expect_sha,omitzero" doc:"Fail unless the file still has this sha, taken from an earlier result." alias:"expectSha" unlisted:"true"`
	Syntax               string            `json:"syntax,omitzero" doc:"What to do if a file that parsed before no longer would: warn, or fail (strict)." enum:"warn,strict" default:"warn" unlisted:"true"`
	DryRun               bool              `json:"dry_run,omitzero" doc:"Return the diff and change nothing." alias:"dryRun" unlisted:"true"`
}

// Item is one of several replacements.
type Item struct {
	OldText              *string `json:"old_text,omitzero" doc:"Text to replace." alias:"old,oldText,old_str,old_string,oldString,search"`
	NewText              *string `json:"new_text,omitzero" doc:"Its replacement." alias:"new,newText,new_str,new_string,newString,replace"`
	ReplaceAll           bool    `json:"replace_all,omitzero" doc:"Replace every match." alias:"replaceAll,allow_multiple"`
	Occurrence           int     `json:"occurrence,omitzero" doc:"Replace only the n-th match, counted from 1." min:"1" unlisted:"true"`
	LineHint             int     `json:"line_hint,omitzero" doc:"Replace only the match that covers this line." min:"1" alias:"lineHint" unlisted:"true"`
	ExpectedReplacements int     `json:"expected_replacements,omitzero" doc:"Fail unless exactly this many places match." min:"1" alias:"expectedReplacements" unlisted:"true"`
	After                string  `json:"after,omitzero" doc:"Search only after this text." unlisted:"true"`
	Within               string  `json:"within,omitzero" doc:"Search only inside this text." unlisted:"true"`
	Accept               string  `json:"accept,omitzero" doc:"Instead of old_text: id of a candidate that a failed edit returned." unlisted:"true"`
}

// Cell is a change of one cell of a workbook. Without value, formula and format it empties
// the cell.
type Cell struct {
	Ref     string         `json:"ref" doc:"Its address: B2, or Sales!B2." min:"1" alias:"cell,address"`
	Value   *schema.Scalar `json:"value,omitzero" doc:"A number, a text, true or false; null empties it. A cell that holds dates takes 2026-03-01."`
	Formula string         `json:"formula,omitzero" doc:"Instead of value: a formula, such as =SUM(B2:B9)."`
	Format  string         `json:"format,omitzero" doc:"A number format, such as 0.00 or yyyy-mm-dd." alias:"number_format,numberFormat"`
}

// Result says what was replaced, with lines counted from 1.
type Result struct {
	Path             string            `json:"path"`
	Replacements     int               `json:"replacements"`
	Edits            []edit.Applied    `json:"edits"`
	Diff             string            `json:"diff"`
	Snippet          *Snippet          `json:"snippet,omitzero"`
	LinesAdded       int               `json:"lines_added"`
	LinesRemoved     int               `json:"lines_removed"`
	SHABefore        string            `json:"sha_before,omitzero"` // none above 256 MiB, as SHA
	SHA              string            `json:"sha,omitzero"`
	AlsoSimilarAt    []int             `json:"also_similar_at,omitzero"`
	ChangedElsewhere bool              `json:"changed_elsewhere,omitzero"`
	Syntax           *Syntax           `json:"syntax,omitzero"`
	DryRun           bool              `json:"dry_run,omitzero"`
	Changed          []string          `json:"changed,omitzero"`     // cells of a workbook
	Recalculate      bool              `json:"recalculate,omitzero"` // programs calculate the workbook when they open it
	UndoID           string            `json:"undo_id,omitzero"`
	Formatted        bool              `json:"formatted,omitzero"`   // by the person's formatter: the rest is as it is after it
	Diagnostics      *tool.Diagnostics `json:"diagnostics,omitzero"` // that the change added or took away
	Baseline         string            `json:"baseline,omitzero"`    // none: what there was before is not known
	Pending          string            `json:"pending,omitzero"`     // id of a check that goes on

	created    bool
	paragraphs bool // of a Word document
	hunks      []diff.Hunk
}

// Snippet is the first change as it is now, with some lines around it.
type Snippet struct {
	StartLine int    `json:"start_line"`
	Text      string `json:"text"`
}

// Tool edits.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "edit", Title: "Edit a file",
	Risk: policy.Write, Responds: true,
	Doc: "Replace text in a file. Read the file first, and copy three to five whole lines from it as old_text, without line numbers: they " +
		"must match in one place only. For several changes in one file use edits, in several files patch. If nothing matches, mend the " +
		"call by the candidates in the error. Word and Excel files too, as read shows them, or cells: [{ref, value | formula}].",
	DefaultArg:  "path",
	FurtherArgs: []string{"old_text", "new_text"},
	Examples: []tool.Example{
		{Doc: "one place", Args: `{"path":"main.go","old_text":"func old() {\n","new_text":"func renamed() {\n"}`},
		{Doc: "every place", Args: `{"path":"main.go","old_text":"old(","new_text":"renamed(","replace_all":true}`},
		{Doc: "two at once", Args: `{"path":"main.go","edits":[{"old_text":"a\n","new_text":"b\n"},{"old_text":"c\n","new_text":"d\n"}]}`},
	},
	Paths: func(_ context.Context, _ *tool.Call, a Args) ([]tool.Target, error) {
		if !a.creates() {
			return nil, nil
		}
		return []tool.Target{{Use: schema.WritePath, Path: a.Path}}, nil
	},
	Preview: func(ctx context.Context, call *tool.Call, a Args) (string, error) {
		a.DryRun = true
		r, err := perform(ctx, call, a, diff.PreviewLimit())
		return r.Diff, err
	},
	Trial: func(a Args) bool { return a.DryRun },
	Run:   run,
	Text:  render,
})

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	return perform(ctx, call, a, diff.ResultLimit())
}

// perform edits a file, and shows so much of the diff.
func perform(ctx context.Context, call *tool.Call, a Args, most diff.Limit) (Result, error) {
	edits, err := a.replacements()
	if err != nil {
		return Result{}, a.unlessMissing(call, err)
	}
	big, err := textfile.OpenLarge(call, a.Path, 0)
	if err != nil {
		return Result{}, err
	}
	if big != nil {
		return runLarge(ctx, call, a, edits, big)
	}
	f, err := textfile.Load(call, a.Path)
	if err != nil {
		return Result{}, err
	}
	if f.Changeable() {
		return a.document(ctx, call, f, edits, most)
	}
	if err := f.Converted(); err != nil {
		return Result{}, err
	}
	if err := a.noWorkbook(); err != nil {
		return Result{}, err
	}
	if fault.Is(f.Problem, fault.BinaryFile) {
		return Result{}, fault.As(f.Problem).WithHint(fault.T("only text can be edited; write with exact=true replaces the whole file"))
	}
	if f.Problem != nil && !(a.creates() && fault.Is(f.Problem, fault.NotFound)) {
		return Result{}, f.Problem
	}
	if err := f.Expect(a.ExpectSHA); err != nil {
		return Result{}, err
	}
	c, err := a.change(f, edits)
	if err != nil {
		return Result{}, err
	}
	formatted := false
	if !a.DryRun {
		formatted = c.format(ctx, call)
	}
	known, done, raw := c.known, c.done, c.raw
	r := result(c.file, done, raw, most)
	if r.Syntax, err = checkSyntax(call, a, f.Text(), c.after); err != nil {
		return Result{}, err
	}
	if !known.Known && a.ExpectSHA == "" && len(f.Raw) > 0 {
		call.WarnDone(fault.T("%s was edited although this session has not read it", a.Path))
	}
	for _, w := range done.Warnings {
		call.Warn(w)
	}
	if r.DryRun = a.DryRun; a.DryRun {
		return r, nil
	}
	record := known.Changing(done.Text)
	done.Text, done.Splices = "", nil // large, and no longer needed
	f.Forget()
	var said tool.Feedback
	if r.UndoID, said, err = f.Replace(ctx, "edit", raw); err != nil {
		return Result{}, err
	}
	r.Formatted, r.Diagnostics, r.Baseline, r.Pending = formatted, said.Diagnostics, said.Baseline, said.Pending
	record.Record(f.Real, r.SHA, raw, written(r))
	return r, nil
}

func result(f *textfile.File, done edit.Result, raw []byte, most diff.Limit) Result {
	file := diff.Modified(f.Path)
	if !f.Exists {
		file = diff.Created(f.Path)
	}
	d := diff.FromSplices(file, f.Text(), done.Splices, most)
	return Result{
		Path: f.Path, Replacements: done.Replacements, Edits: done.Edits, Diff: d.Text, Snippet: snippet(done),
		LinesAdded: d.Added, LinesRemoved: d.Removed, SHABefore: f.SHA, SHA: text.Sum(raw),
		AlsoSimilarAt: done.AlsoSimilarAt, ChangedElsewhere: done.ChangedElsewhere,
		created: !f.Exists, hunks: d.Hunks,
	}
}

// elsewhere adds to the fault of a text that is not found which other file has it, if the
// session has seen that.
func elsewhere(f *textfile.File, edits []edit.Edit, err error) error {
	if len(edits) != 1 || !fault.Is(err, fault.TextNotFound) || !edit.Telling(edits[0].Old) {
		return err
	}
	e := fault.As(err)
	if other := f.Elsewhere(edits[0].Old); other != "" {
		return e.WithHint(fault.T("that is in %s; %s", other, e.Hint))
	}
	return err
}

// written returns the lines that the caller wrote. Of what the result shows beside them a
// text has less than JSON.
func written(r Result) []shown.Lines {
	var all []shown.Lines
	for _, e := range r.Edits {
		all = append(all, shown.Lines(e.New).Known())
	}
	return all
}

// excerpts returns the parts of the file that the details of a failed edit show.
func excerpts(err error) []textfile.Excerpt {
	var failed []edit.Failure
	switch d := fault.As(err).Details.(type) {
	case edit.Failure:
		failed = append(failed, d)
	case edit.Failures:
		failed = d.Edits
	}
	var all []textfile.Excerpt
	for _, d := range failed {
		for _, c := range edit.Likely(d.Candidates) {
			all = append(all, textfile.Excerpt{Line: c.Start, Text: c.Text})
		}
		for _, m := range edit.Told(d.Matches) {
			all = append(all, textfile.Excerpt{Line: m.TextStart, Text: m.Text})
		}
		if d.Current != nil {
			all = append(all, textfile.Excerpt{Line: d.Current.TextStart, Text: d.Current.Text})
		}
	}
	return all
}
