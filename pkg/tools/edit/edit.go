// Package edit is the tool that replaces text in a file. How a text is found is the
// business of files/edit.
package edit

import (
	"context"
	"strings"

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
	Path                 string  `json:"path" doc:"File to edit, relative to the workspace root." zh:"要编辑的文件，相对于工作区根目录。" path:"edit" min:"1" alias:"file_path,filePath,filename,file"`
	OldText              *string `json:"old_text,omitzero" doc:"Text to replace, exactly as in the file and without line numbers. Three to five whole lines work best. If empty, it makes a file or fills an empty one." zh:"要替换的文本，与文件完全一致，不含行号。三到五个整行最可靠。为空则新建文件或填充空文件。" alias:"old,oldText,old_str,old_string,oldString,search"`
	NewText              *string `json:"new_text,omitzero" doc:"Text to put in its place. An empty string deletes old_text." zh:"替换后的文本。空字符串表示删除 old_text。" alias:"new,newText,new_str,new_string,newString,replace"`
	ReplaceAll           bool    `json:"replace_all,omitzero" doc:"Replace every match. Otherwise old_text must match exactly once." zh:"替换所有匹配。否则 old_text 必须恰好匹配一处。" alias:"replaceAll,allow_multiple"`
	Occurrence           int     `json:"occurrence,omitzero" doc:"Replace only the n-th match, counted from 1." zh:"只替换第 n 处匹配，从 1 开始计数。" min:"1"`
	LineHint             int     `json:"line_hint,omitzero" doc:"Replace only the match that covers this line." zh:"只替换覆盖该行的匹配。" min:"1" alias:"lineHint"`
	ExpectedReplacements int     `json:"expected_replacements,omitzero" doc:"Fail unless exactly this many places match." zh:"若匹配的处数与此不同则失败。" min:"1" alias:"expectedReplacements"`
	Accept               string  `json:"accept,omitzero" doc:"Instead of old_text: id of a candidate that a failed edit returned." zh:"代替 old_text：失败的编辑所返回的候选 id。"`
	Edits                []Item  `json:"edits,omitzero" doc:"Instead of old_text and new_text: several replacements. All are matched against the file as it is now; all are made or none." zh:"代替 old_text 和 new_text：多处替换。均按文件当前内容匹配，要么全部完成，要么全不改动。" max:"200"`
	Sequential           bool    `json:"sequential,omitzero" doc:"Match each of edits against the result of those before it." zh:"每处 edits 按其前面各处的结果匹配。"`
	ExpectSHA            string  `json:"expect_sha,omitzero" doc:"Fail unless the file still has this sha, taken from an earlier result." zh:"若文件的 sha 与此（来自之前的结果）不同则失败。" alias:"expectSha"`
	Syntax               string  `json:"syntax,omitzero" doc:"What to do if a file that parsed before no longer would: warn, or fail (strict)." zh:"原本可解析的文件编辑后不再可解析时：warn 警告，strict 失败。" enum:"warn,strict" default:"warn"`
	DryRun               bool    `json:"dry_run,omitzero" doc:"Return the diff and change nothing." zh:"只返回 diff，不做改动。" alias:"dryRun"`
}

// Item is one of several replacements.
type Item struct {
	OldText              *string `json:"old_text,omitzero" doc:"Text to replace, exactly as in the file." zh:"要替换的文本，与文件完全一致。" alias:"old,oldText,old_str,old_string,oldString,search"`
	NewText              *string `json:"new_text,omitzero" doc:"Text to put in its place." zh:"替换后的文本。" alias:"new,newText,new_str,new_string,newString,replace"`
	ReplaceAll           bool    `json:"replace_all,omitzero" doc:"Replace every match." zh:"替换所有匹配。" alias:"replaceAll,allow_multiple"`
	Occurrence           int     `json:"occurrence,omitzero" doc:"Replace only the n-th match, counted from 1." zh:"只替换第 n 处匹配，从 1 开始计数。" min:"1"`
	LineHint             int     `json:"line_hint,omitzero" doc:"Replace only the match that covers this line." zh:"只替换覆盖该行的匹配。" min:"1" alias:"lineHint"`
	ExpectedReplacements int     `json:"expected_replacements,omitzero" doc:"Fail unless exactly this many places match." zh:"若匹配的处数与此不同则失败。" min:"1" alias:"expectedReplacements"`
	After                string  `json:"after,omitzero" doc:"Search only after this text." zh:"只在该文本之后查找。"`
	Within               string  `json:"within,omitzero" doc:"Search only inside this text." zh:"只在该文本之内查找。"`
	Accept               string  `json:"accept,omitzero" doc:"Instead of old_text: id of a candidate that a failed edit returned." zh:"代替 old_text：失败的编辑所返回的候选 id。"`
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
	SHABefore        string         `json:"sha_before,omitzero"` // none above 256 MiB, as SHA
	SHA              string         `json:"sha,omitzero"`
	AlsoSimilarAt    []int          `json:"also_similar_at,omitzero"`
	ChangedElsewhere bool           `json:"changed_elsewhere,omitzero"`
	Syntax           *Syntax        `json:"syntax,omitzero"`
	DryRun           bool           `json:"dry_run,omitzero"`
	UndoID           string         `json:"undo_id,omitzero"`
}

// Snippet is the first change as it is now, with some lines around it.
type Snippet struct {
	StartLine int    `json:"start_line"`
	Text      string `json:"text"`
}

// Tool edits.
var Tool = tool.New(tool.Def[Args, Result]{
	Name:    "edit",
	Aliases: []string{"edit_file", "str_replace", "replace", "str_replace_editor"},
	Risk:    policy.Write,
	Doc: "Replace text in a file. old_text must match in exactly one place: copy three to five lines from read, without line numbers. If several " +
		"places match, add lines or use replace_all, occurrence or line_hint. For several changes in one file use edits. Differences in whitespace " +
		"and quotes are tolerated where only one place fits. If nothing matches, the error offers candidates to accept. To change several files use " +
		"patch; to rewrite a file use write.",
	DocZH: "替换文件中的文本。old_text 必须恰好匹配一处：从 read 的结果复制三到五行，不含行号。若有多处匹配，请增加行数，或使用 repl" +
		"ace_all、occurrence、line_hint。同一文件的多处改动用 edits。只有一处可能时，空白和引号的差异可以容忍。若没有" +
		"匹配，错误会给出可用 accept 采纳的候选。改动多个文件用 patch，重写文件用 write。",
	DefaultArg:  "path",
	FurtherArgs: []string{"old_text", "new_text"},
	Examples: []tool.Example{
		{Doc: "one place", DocZH: "一处", Args: `{"path":"main.go","old_text":"func old() {\n","new_text":"func renamed() {\n"}`},
		{Doc: "every place", DocZH: "每一处", Args: `{"path":"main.go","old_text":"old(","new_text":"renamed(","replace_all":true}`},
		{Doc: "two at once", DocZH: "一次两处", Args: `{"path":"main.go","edits":[{"old_text":"a\n","new_text":"b\n"},{"old_text":"c\n","new_text":"d\n"}]}`},
	},
	Paths: func(_ context.Context, _ *tool.Call, a Args) ([]tool.Target, error) {
		if !a.creates() {
			return nil, nil
		}
		return []tool.Target{{Use: schema.WritePath, Path: a.Path}}, nil
	},
	Preview: func(ctx context.Context, call *tool.Call, a Args) (string, error) {
		a.DryRun = true
		r, err := run(ctx, call, a)
		return r.Diff, err
	},
	Trial: func(a Args) bool { return a.DryRun },
	Run:   run,
	Text:  render,
})

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	edits, err := a.replacements()
	if err != nil {
		return Result{}, err
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
	if fault.Is(f.Problem, fault.BinaryFile) {
		return Result{}, fault.As(f.Problem).WithHint(fault.T("only text can be edited; write with exact=true replaces the whole file", "只能编辑文本；write 可用 exact=true 替换整个文件"))
	}
	if f.Problem != nil && !(a.creates() && fault.Is(f.Problem, fault.NotFound)) {
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
	if a.ExpectSHA == "" { // with a sha, the caller knows every line
		o.Shown = known.Shown()
	}
	done, err := edit.Apply(f.Text(), edits, o)
	if err != nil {
		if !a.DryRun {
			f.RecordFault(excerpts(err))
		}
		return Result{}, err
	}
	raw := []byte(done.Text) // of a new file
	if f.Document != nil {
		if raw, err = f.Document.Encode(done.Text); err != nil {
			return Result{}, err
		}
	}
	r := result(f, done, raw)
	if r.Syntax, err = checkSyntax(call, a, f.Text(), done.Text); err != nil {
		return Result{}, err
	}
	if !known.Known && a.ExpectSHA == "" && len(f.Raw) > 0 {
		call.WarnDone(fault.T("%s was edited although this session has not read it", "%s 在本会话中未读取过就被编辑", a.Path))
	}
	for _, w := range done.Warnings {
		call.Warn(w)
	}
	if r.DryRun = a.DryRun; a.DryRun {
		return r, nil
	}
	change := known.Changing(done.Text)
	done.Text, done.Splices = "", nil // large, and no longer needed
	f.Forget()
	if r.UndoID, err = f.Replace(ctx, "edit", raw); err != nil {
		return Result{}, err
	}
	change.Record(f.Real, r.SHA, raw, written(r))
	return r, nil
}

func result(f *textfile.File, done edit.Result, raw []byte) Result {
	file := diff.Modified(f.Path)
	if !f.Exists {
		file = diff.Created(f.Path)
	}
	d := diff.FromSplices(file, f.Text(), done.Splices, diff.ResultLimit())
	return Result{
		Path: f.Path, Replacements: done.Replacements, Edits: done.Edits, Diff: d.Text, Snippet: snippet(done),
		LinesAdded: d.Added, LinesRemoved: d.Removed, SHABefore: f.SHA, SHA: text.Sum(raw),
		AlsoSimilarAt: done.AlsoSimilarAt, ChangedElsewhere: done.ChangedElsewhere,
	}
}

// written returns the lines that the caller wrote or that the result shows.
func written(r Result) []shown.Lines {
	var all []shown.Lines
	for _, e := range r.Edits {
		all = append(all, shown.Lines(e.New).Known())
	}
	if r.Snippet != nil {
		all = append(all, shown.Lines{Start: r.Snippet.StartLine, End: r.Snippet.StartLine + max(0, strings.Count(r.Snippet.Text, "\n")-1)})
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
		for _, c := range d.Candidates {
			all = append(all, textfile.Excerpt{Line: c.Start, Text: c.Text})
		}
		for _, m := range d.Matches {
			all = append(all, textfile.Excerpt{Line: m.TextStart, Text: m.Text})
		}
		if d.Current != nil {
			all = append(all, textfile.Excerpt{Line: d.Current.TextStart, Text: d.Current.Text})
		}
	}
	return all
}
