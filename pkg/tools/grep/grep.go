// Package grep is the tool that finds lines by their content. It finds no files
// by name and changes nothing.
package grep

import (
	"context"
	"strings"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/search/pattern"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/scope"
)

// Args are the arguments.
type Args struct {
	Pattern    string `json:"pattern" doc:"Regular expression (RE2 syntax, as ripgrep takes it), or with literal the text itself." min:"1" alias:"query,regex,regexp,search"`
	Path       string `json:"path,omitzero" doc:"File or directory to search, relative to the workspace root." path:"read" default:"." alias:"dir,directory,dir_path,file_path,file"`
	Glob       string `json:"glob,omitzero" doc:"Only files that match, such as *.go, src/**/*.{ts,tsx} or, to leave some out, !**/testdata/**. Several are parted by spaces or commas." alias:"include,include_pattern,file_pattern,globs"`
	Type       string `json:"type,omitzero" doc:"Only files of a type by ripgrep's names, such as go, py, js, ts, rust or md. Several are parted by commas." alias:"file_type,language"`
	Mode       string `json:"mode,omitzero" doc:"What to return: matching lines, the paths of files with a match, or how many lines match in each." enum:"content,files,count" default:"content" alias:"output_mode"`
	Literal    bool   `json:"literal,omitzero" doc:"Take the pattern as plain text, not as a regular expression." alias:"fixed_strings,fixed_string,is_literal"`
	IgnoreCase bool   `json:"ignore_case,omitzero" doc:"Let upper and lower case match each other." alias:"case_insensitive,-i"`
	Word       bool   `json:"word,omitzero" doc:"Match whole words only." alias:"whole_word,word_regexp"`
	Multiline  bool   `json:"multiline,omitzero" doc:"Let matches span lines, and . match line ends. A pattern with \\n does so by itself; \\n also matches \\r\\n."`
	Before     int    `json:"before,omitzero" doc:"Lines to show before each match." default:"0" min:"0" max:"100" alias:"-B,before_context"`
	After      int    `json:"after,omitzero" doc:"Lines to show after each match." default:"0" min:"0" max:"100" alias:"-A,after_context"`
	Context    int    `json:"context,omitzero" doc:"Lines to show before and after each match, where before and after say nothing." min:"0" max:"100" alias:"-C,context_lines"`
	Hidden     bool   `json:"hidden,omitzero" doc:"Also search names that start with a dot." default:"true"`
	NoIgnore   bool   `json:"no_ignore,omitzero" doc:"Also search what .gitignore and the like exclude." alias:"include_ignored"`
	Limit      int    `json:"limit,omitzero" doc:"Most matching lines, or in the other modes files, to return. The search ends there." default:"100" min:"1" max:"10000" alias:"head_limit,max_results,max_count,total_max_matches"`
	Offset     int    `json:"offset,omitzero" doc:"Leave out so many first: next_offset of the page before." default:"0" min:"0" max:"1000000000"`
	Total      bool   `json:"total,omitzero" doc:"Search to the end for exact totals, whatever the limit."`
	MaxBytes   int    `json:"max_bytes,omitzero" doc:"Most bytes of lines to return." default:"49152" min:"1" max:"4194304"`
}

// Result is what was found, in the order of the paths.
type Result struct {
	Files []search.FileMatches `json:"files"`
	// TotalMatches counts matching lines (of a pattern that spans lines, matches).
	// In mode files nobody counts them, and it is left out.
	TotalMatches *int `json:"total_matches,omitempty"`
	TotalFiles   int  `json:"total_files"`
	// TotalExact is false where the search ended before all was seen: the totals
	// are then what had been seen.
	TotalExact    bool           `json:"total_exact"`
	FilesSearched int            `json:"files_searched"`
	Truncated     bool           `json:"truncated"`
	NextOffset    int            `json:"next_offset,omitzero"`
	Skipped       search.Skipped `json:"skipped"`

	mode  search.Mode
	from  int // the offset
	shown int // matching lines, or files
}

// Tool searches the content of files.
var Tool = tool.New(tool.Def[Args, Result]{
	Name:    "grep",
	Aliases: []string{"search_file_content", "grep_search", "search_files_content"},
	Risk:    policy.Read,
	Doc: "Search the content of files for a regular expression. Lines come grouped by file with their numbers, a page at a time: follow next_offset, or narrow it with path, glob or type. " +
		"What .gitignore excludes is passed over, hidden files are not; binary files and version control never match. mode=files is the cheapest way to see where something is used.",
	Bare: "pattern",
	Examples: []tool.Example{
		{Doc: "where a function is called, with two lines round it", Args: `{"pattern":"println\\(","glob":"*.go","context":2}`},
		{Doc: "which files speak of it", Args: `{"pattern":"hello","mode":"files","ignore_case":true}`},
		{Doc: "a text with signs that mean something else in a pattern", Args: `{"pattern":"main() {","literal":true}`},
	},
	Timeout: timeout,
	Run:     run,
	Styled:  render,
})

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	s, err := scope.Open(call, a.Path)
	if err != nil {
		return Result{}, err
	}
	defer s.Close()
	s.Hidden = a.Hidden
	s.HeedIgnores(!a.NoIgnore)
	if a.Before == 0 && a.After == 0 {
		a.Before, a.After = a.Context, a.Context
	}
	found, err := search.Grep(ctx, s.Root, search.GrepOptions{
		Scope: s.Scope, Pattern: a.Pattern, Mode: search.Mode(a.Mode), Total: a.Total, Decode: scope.Decode,
		Options: pattern.Options{Literal: a.Literal, IgnoreCase: a.IgnoreCase, Word: a.Word, Multiline: a.Multiline},
		Globs:   scope.Globs(a.Glob), Types: types(a.Type),
		Before: a.Before, After: a.After, Limit: a.Limit, Offset: a.Offset, MaxBytes: a.MaxBytes,
	})
	if err != nil {
		return Result{}, s.Failure(err)
	}
	r := Result{
		Files: found.Files, TotalFiles: found.TotalFiles, TotalExact: found.TotalExact, FilesSearched: found.FilesSearched,
		Truncated: found.Truncated, NextOffset: found.NextOffset, Skipped: found.Skipped, mode: search.Mode(a.Mode), from: a.Offset, shown: found.Shown,
	}
	if r.mode != search.Files {
		r.TotalMatches = &found.TotalMatches
	}
	if r.Files == nil {
		r.Files = []search.FileMatches{}
	}
	for i := range r.Files {
		r.Files[i].Path = s.Shown(r.Files[i].Path)
	}
	s.Warn(found.Problems)
	switch {
	case found.TimedOut:
		s.WarnLate()
	case found.TotalFiles == 0:
		call.Warn(nothing(&a, &found))
	case len(found.Files) == 0:
		call.Warn(beyond(&a, &r))
	}
	return r, nil
}

// types are the names in a list.
func types(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
