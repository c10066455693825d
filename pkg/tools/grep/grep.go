// Package grep is the tool that finds lines by their content. It finds no files
// by name and changes nothing.
package grep

import (
	"context"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/search/pattern"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/documents"
	"github.com/helve-dev/helve/pkg/tools/internal/scope"
)

// Args are the arguments.
type Args struct {
	Pattern    string `json:"pattern" doc:"Regular expression (RE2: no lookaround, no backreferences)." min:"1" alias:"query,regex,regexp,search"`
	Path       string `json:"path,omitzero" doc:"File or directory to search." path:"read" default:"." alias:"dir,directory,dir_path,file_path,file"`
	Glob       string `json:"glob,omitzero" doc:"Only matching files: *.go, src/**/*.{ts,tsx}; !**/testdata/** excludes. Separate several by spaces." alias:"include,include_pattern,file_pattern,globs"`
	Exclude    string `json:"exclude,omitzero" doc:"Files and directories to leave out, such as *.min.js or vendor/**. Separate several by spaces or commas." alias:"exclude_pattern,exclude_glob,ignore" unlisted:"true"`
	Type       string `json:"type,omitzero" doc:"Only files of a type, by ripgrep's names, such as go, py, js, ts, rust or md. Separate several by commas." alias:"file_type,language" unlisted:"true"`
	Mode       string `json:"mode,omitzero" doc:"What to return: matching lines, only the paths of files, or the number of lines in each." enum:"content,files,count" default:"content" alias:"output_mode"`
	Literal    bool   `json:"literal,omitzero" doc:"pattern is plain text." alias:"fixed_strings,fixed_string,is_literal"`
	IgnoreCase bool   `json:"ignore_case,omitzero" doc:"Match upper and lower case alike." alias:"case_insensitive,-i"`
	Word       bool   `json:"word,omitzero" doc:"Match whole words only." alias:"whole_word,word_regexp" unlisted:"true"`
	Multiline  bool   `json:"multiline,omitzero" doc:"Let a match span lines, and . match line ends."`
	Before     int    `json:"before,omitzero" doc:"Lines to show before each match." default:"0" min:"0" max:"100" alias:"-B,before_context" unlisted:"true"`
	After      int    `json:"after,omitzero" doc:"Lines to show after each match." default:"0" min:"0" max:"100" alias:"-A,after_context" unlisted:"true"`
	Context    *int   `json:"context,omitzero" doc:"Lines to show around each match. By default 10 if there is only one match." min:"0" max:"100" alias:"-C,context_lines"`
	PerFile    int    `json:"per_file,omitzero" doc:"Maximum number of matching lines of one file." min:"1" max:"10000" alias:"max_matches_per_file,per_file_limit" unlisted:"true"`
	Hidden     bool   `json:"hidden,omitzero" doc:"Include names that start with a dot." default:"true" unlisted:"true"`
	NoIgnore   bool   `json:"no_ignore,omitzero" doc:"Include what .gitignore and similar files exclude." alias:"include_ignored" unlisted:"true"`
	Documents  bool   `json:"documents,omitzero" doc:"Search inside documents too, such as Excel, Word and PDF files: in what read shows of them." alias:"search_documents" unlisted:"true"`
	Limit      int    `json:"limit,omitzero" doc:"Maximum number of lines, or of files in the other modes." default:"100" min:"1" max:"10000" alias:"head_limit,max_results,max_count,total_max_matches"`
	Offset     int    `json:"offset,omitzero" doc:"Number of results to skip. Pass next_offset to get the next page." default:"0" min:"0" max:"1000000000" unlisted:"true"`
	Total      bool   `json:"total,omitzero" doc:"Search on after limit is reached, to return exact totals." unlisted:"true"`
	MaxBytes   int    `json:"max_bytes,omitzero" doc:"Maximum number of bytes of lines." default:"49152" min:"1" max:"4194304" unlisted:"true"`
	MaxTokens  int    `json:"max_tokens,omitzero" doc:"Maximum number of tokens of lines to return, estimated." unlisted:"true" min:"1" max:"10000000"`
}

// Result lists the matches, in the order of the paths.
type Result struct {
	Files []search.FileMatches `json:"files"`
	// TotalMatches counts matching lines; a match may span several. It is left out in
	// mode files, which does not count them.
	TotalMatches *int `json:"total_matches,omitempty"`
	TotalFiles   int  `json:"total_files"`
	// TotalExact is false if the search ended early: the totals then count what had
	// been seen.
	TotalExact    bool `json:"total_exact"`
	FilesSearched int  `json:"files_searched"`
	Truncated     bool `json:"truncated"`
	NextOffset    int  `json:"next_offset,omitzero"`
	// Relaxed names the argument without which nothing matches: "ignore_case".
	Relaxed string         `json:"relaxed,omitzero"`
	Skipped search.Skipped `json:"skipped"`

	mode  search.Mode
	from  int // the offset
	shown int // matching lines, or files
}

// Tool searches the content of files.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "grep", Title: "Search in files",
	Risk: policy.Read,
	Doc: "Search file contents with a regular expression. Use it instead of grep or rg in exec. Skips binary files and what " +
		".gitignore excludes. mode=files is the cheapest. To find files by name use find.",
	DefaultArg:  "pattern",
	FurtherArgs: []string{"path"},
	Examples: []tool.Example{
		{Doc: "where a function is called, with two lines around it", Args: `{"pattern":"println\\(","glob":"*.go","context":2}`},
		{Doc: "which files mention it", Args: `{"pattern":"hello","mode":"files","ignore_case":true}`},
		{Doc: "text with characters that are special in a pattern", Args: `{"pattern":"main() {","literal":true}`},
	},
	Timeout: timeout,
	Run:     run,
	Text:    render,
})

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	s, err := scope.Open(call, a.Path)
	if err != nil {
		return Result{}, err
	}
	defer s.Close()
	s.Hidden = a.Hidden
	s.UseIgnores(!a.NoIgnore)
	o := options(ctx, s, &a)
	o.Scope, o.Decode = s.Scope, scope.Decode
	if call.Watched() {
		o.Progress = func(n int64) { call.Progress(float64(n), 0, fault.T("%d files searched", n)) }
	}
	o.Convert, o.Converts = documents.Notebook, documents.IsNotebook
	if a.Documents {
		o.Convert, o.Converts = documents.Converter(ctx, call), nil
	}
	found, err := within(ctx, s.Root, o, a.MaxTokens)
	relaxed := ""
	if err != nil {
		return Result{}, s.Failure(err)
	}
	if found.Relaxed {
		relaxed = "ignore_case"
		call.Warn(fault.T("nothing matches as written; these match if case is ignored"))
	}
	r := Result{
		Files: found.Files, TotalFiles: found.TotalFiles, TotalExact: found.TotalExact, FilesSearched: found.FilesSearched,
		Truncated: found.Truncated, NextOffset: found.NextOffset, Relaxed: relaxed, Skipped: found.Skipped, mode: search.Mode(a.Mode), from: a.Offset, shown: found.Shown,
	}
	if r.mode != search.Files {
		r.TotalMatches = &found.TotalMatches
	}
	if r.Files == nil {
		r.Files = []search.FileMatches{}
	}
	if r.mode == search.Content {
		remember(call, r.Files)
	}
	for i := range r.Files {
		r.Files[i].Path = s.Shown(r.Files[i].Path)
	}
	s.Warn(found.Problems)
	switch {
	case found.TimedOut:
		s.WarnLate()
	case found.TotalFiles == 0:
		call.Warn(nothing(ctx, s, &a, &found))
	case len(found.Files) == 0:
		call.Warn(beyond(&a, &r))
	}
	return r, nil
}

// around is the number of lines shown before and after the only match.
const around = 10

// options returns the search that the arguments describe.
func options(ctx context.Context, s *scope.Scope, a *Args) search.GrepOptions {
	o := search.GrepOptions{
		Pattern: a.Pattern, Mode: search.Mode(a.Mode), Total: a.Total, Relax: !a.IgnoreCase,
		Options: pattern.Options{Literal: a.Literal, IgnoreCase: a.IgnoreCase, Word: a.Word, Multiline: a.Multiline},
		Globs:   s.Globs(ctx, a.Glob), Types: types(a.Type),
		Before: a.Before, After: a.After, PerFile: a.PerFile, Limit: a.Limit, Offset: a.Offset, MaxBytes: a.MaxBytes,
	}
	for _, glob := range s.Globs(ctx, a.Exclude) {
		o.Globs = append(o.Globs, "!"+strings.TrimPrefix(glob, "!"))
	}
	switch {
	case a.Before > 0 || a.After > 0:
	case a.Context == nil:
		o.Around = around
	default:
		o.Before, o.After = *a.Context, *a.Context
	}
	return o
}

// cased reports whether the case of letters makes a difference.
func cased(a *Args) bool {
	return !a.IgnoreCase && strings.ToLower(a.Pattern) != strings.ToUpper(a.Pattern)
}

// within searches, and again with a smaller limit as long as the text has too many
// tokens; most is 0 for any number.
func within(ctx context.Context, root search.Root, o search.GrepOptions, most int) (found search.GrepResult, err error) {
	size := &o.MaxBytes
	if o.Mode != search.Content {
		size = &o.Limit
	}
	err = tokens.Fit(*size, most, func(n int) (_ string, err error) {
		*size = n
		if found, err = search.Grep(ctx, root, o); err != nil || most == 0 {
			return "", err
		}
		return render(Result{Files: found.Files, TotalFiles: found.TotalFiles, mode: o.Mode, shown: found.Shown}, screen.View{}), nil
	})
	return found, err
}

// types splits a list of names.
func types(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
