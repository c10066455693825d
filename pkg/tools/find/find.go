// Package find is the tool that finds files and directories by name and, on
// request, by content. It shows no lines; see grep.
package find

import (
	"cmp"
	"context"
	"iter"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/documents"
	"github.com/helve-dev/helve/pkg/tools/internal/scope"
)

// Args are the arguments.
type Args struct {
	Query     string `json:"query,omitzero" doc:"What is known of the name or path: a part, words in any order, a guess; a|b finds either." alias:"name,search,text"`
	Glob      string `json:"glob,omitzero" doc:"Only matching paths: src/**/*_test.py; !**/vendor/** excludes. Separate several by spaces." alias:"pattern,include,globs"`
	Path      string `json:"path,omitzero" doc:"Directory to search." path:"read" default:"." alias:"dir,directory,dir_path"`
	Type      string `json:"type,omitzero" doc:"What to find." enum:"any,file,dir" default:"any"`
	Content   bool   `json:"content,omitzero" doc:"Also find files whose text contains query." alias:"search_content"`
	Documents bool   `json:"documents,omitzero" doc:"With content, search inside documents too, such as Excel, Word and PDF files." alias:"search_documents" unlisted:"true"`
	Depth     int    `json:"depth,omitzero" doc:"Number of levels to search: 1 is the directory itself only. By default all." min:"1" max:"1000" alias:"max_depth" unlisted:"true"`
	Hidden    bool   `json:"hidden,omitzero" doc:"Include names that start with a dot, and what is below them." default:"true" unlisted:"true"`
	NoIgnore  bool   `json:"no_ignore,omitzero" doc:"Include what .gitignore and similar files exclude." alias:"include_ignored" unlisted:"true"`
	Details   bool   `json:"details,omitzero" doc:"Return sizes and times." default:"true" unlisted:"true"`
	Sort      string `json:"sort,omitzero" doc:"modified is the newest first, size the largest." enum:"relevance,modified,name,size" default:"relevance" alias:"sort_by,order"`
	Limit     int    `json:"limit,omitzero" doc:"Maximum number of matches." default:"100" min:"1" max:"100000" alias:"max_results,head_limit"`
	Offset    int    `json:"offset,omitzero" doc:"Number of matches to leave out. Pass next_offset to get the next page." default:"0" min:"0" max:"1000000000" unlisted:"true"`
	MaxTokens int    `json:"max_tokens,omitzero" doc:"Maximum number of tokens of text to return, estimated." unlisted:"true" min:"1" max:"10000000"`
}

// Result lists the entries found, in the requested order.
type Result struct {
	Matches iter.Seq[search.Match] `json:"matches"` // Found of them
	Found   int                    `json:"-"`
	// Total counts all matches if TotalExact is true, otherwise those seen when the
	// time ran out.
	Total      int            `json:"total"`
	TotalExact bool           `json:"total_exact"`
	Truncated  bool           `json:"truncated"`
	NextOffset int            `json:"next_offset,omitzero"`
	Skipped    search.Skipped `json:"skipped"`
	// NotEntered are the nearest directories that were left out.
	NotEntered []NotEntered `json:"not_entered,omitempty"`

	most  int // bytes of JSON at most
	first int // the number of the first match, from 1
}

// NotEntered is a directory that was left out, and why: ignored, hidden, skipped or
// depth.
type NotEntered struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Tool finds files and directories.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "find", Title: "Find files",
	Presets:    []tool.Preset{{Name: fileSearch, Fixed: `{"content":true}`}},
	Risk:       policy.Read,
	Doc:        "Find files and directories by name, the best match first. Skips what .gitignore excludes. To search in files use grep.",
	DefaultArg: "query",
	Examples: []tool.Example{
		{Doc: "whose name contains main", Args: `{"query":"main"}`},
		{Doc: "all Go files two levels down", Args: `{"glob":"*.go","type":"file","depth":2}`},
		{Doc: "by name or content", Args: `{"query":"hello","content":true}`},
	},
	Run:  run,
	Text: render,
})

// fileSearch is the name under which the tool also searches contents, in usual
// directories only.
const fileSearch = "file-search"

// fileSearchDepth limits the levels it then searches, by default.
const fileSearchDepth = 12

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	s, err := scope.Open(call, a.Path)
	if err != nil {
		return Result{}, err
	}
	defer s.Close()
	s.Depth, s.Hidden = a.Depth, a.Hidden
	if call.Tool.Name == fileSearch {
		s.Depth = cmp.Or(a.Depth, fileSearchDepth)
		s.Skip = append([]string{"node_modules", ".venv"}, call.Env.SearchSkip...)
	}
	s.UseIgnores(!a.NoIgnore)
	if home(a.Query) || home(a.Glob) {
		call.Warn(fault.T("~ is not the home directory here; only the workspace is searched"))
		a.Glob = strings.TrimPrefix(a.Glob, "~/")
	}
	a.Query = s.Relative(a.Query)
	if globs := wildcards(a.Query); globs != "" && a.Glob == "" && !a.Content {
		call.Warn(fault.T("query %q was taken as the glob %s", a.Query, globs))
		a.Query, a.Glob = "", globs
	}
	globs := s.Globs(ctx, a.Glob)
	options := search.FindOptions{
		Scope: s.Scope, Query: a.Query, Content: a.Content, Globs: globs, Type: search.Type(a.Type), Sort: search.Sort(a.Sort),
		Limit: a.Limit, Offset: a.Offset, NamesOnly: !a.Details, Decode: scope.Decode,
	}
	switch {
	case a.Documents && !a.Content:
		return Result{}, schema.Invalid("/documents", fault.T("documents are searched for content only")).
			WithHint(fault.T("pass content=true too"))
	case a.Documents:
		options.Convert = documents.Converter(ctx, call)
	case a.Content:
		options.Convert, options.Converts = documents.Notebook, documents.IsNotebook
	}
	if call.Watched() {
		options.Progress = seen(call, options.Content && options.Query != "")
	}
	var found search.FindResult
	err = tokens.Fit(a.Limit, a.MaxTokens, func(limit int) (_ string, err error) {
		options.Limit = limit
		if found, err = search.Find(ctx, s.Root, options); err != nil || a.MaxTokens == 0 {
			return "", err
		}
		return render(Result{Matches: found.Matches, Found: found.Found, Total: found.Total}, screen.View{}), nil
	})
	if err != nil {
		return Result{}, s.Failure(err)
	}
	renamed := s.Renames()
	r := Result{
		Found: found.Found, Total: found.Total, TotalExact: found.TotalExact, Truncated: found.Truncated, Skipped: found.Skipped,
		most: mostJSON(found.Found, found.PathBytes+found.Found*len(a.Path)), first: a.Offset + 1,
		Matches: func(yield func(search.Match) bool) {
			for m := range found.Matches {
				if renamed {
					m.Prefix, m.Name = "", s.Shown(m.Path())
				}
				if !yield(m) {
					return
				}
			}
		},
	}
	if next := a.Offset + found.Found; found.Found > 0 && next < found.Total {
		r.NextOffset = next
	}
	for _, l := range found.Left {
		r.NotEntered = append(r.NotEntered, NotEntered{s.Shown(l.Path), string(l.Why)})
	}
	r.most += mostLeft(r.NotEntered)
	s.Warn(found.Problems)
	switch {
	case found.TimedOut:
		s.WarnLate()
	case found.Total == 0:
		call.Warn(nothing(&a, &r))
	case found.Found == 0:
		call.Warn(fault.T("offset %d is beyond the last of %d matches; start at 0", a.Offset, found.Total))
	case found.Guessed:
		call.Warn(guessed(&a, &r))
	}
	return r, nil
}

// home reports whether a text names something in the home directory, as a shell has it.
func home(text string) bool { return strings.HasPrefix(text, "~/") || text == "~" }

// seen returns a func that says how much was searched: files, or only names.
func seen(call *tool.Call, contents bool) func(n int64) {
	return func(n int64) {
		what := fault.T("%d names seen", n)
		if contents {
			what = fault.T("%d files searched", n)
		}
		call.Progress(float64(n), 0, what)
	}
}

// render shows one path a line with its size and time, directories with a slash at the
// end.
func render(r Result, v screen.View) string {
	var b strings.Builder
	for m := range r.Matches {
		size := m.Size
		switch name := screen.Name(m.Path()); m.Type {
		case search.Dir:
			b.WriteString(v.Text(screen.Dir, name+"/"))
			size = screen.NoSize
		case search.Symlink:
			b.WriteString(v.Text(screen.Link, name))
		default:
			b.WriteString(name)
		}
		b.WriteString(v.Stat(size, m.Modified))
		switch m.Hit {
		case "content":
			b.WriteString(v.Text(screen.Faint, v.Say(fault.T("  (content)"))))
		case "similar":
			b.WriteString(v.Text(screen.Faint, v.Say(fault.T("  (similar)"))))
		}
		b.WriteByte('\n')
	}
	if note := r.note(); !note.IsZero() {
		b.WriteString(v.Text(screen.Faint, "["+v.Say(note)+"]") + "\n")
	}
	return b.String()
}

// note says what the matches are of, and how to get the others. That there are none is said
// by a warning that knows why, unless the search ran out of time.
func (r *Result) note() fault.Text {
	switch {
	case r.Total == 0 && !r.TotalExact:
		return fault.T("no matches")
	case r.Found == 0:
		return fault.Text{}
	case r.NextOffset > 0:
		return fault.T("%d-%d of %d; continue with offset=%d, or narrow the search with path, glob or type", r.first, r.first+r.Found-1, r.Total, r.NextOffset)
	case r.first > 1:
		return fault.T("%d-%d of %d", r.first, r.first+r.Found-1, r.Total)
	}
	return fault.Text{}
}
