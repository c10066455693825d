// Package find is the tool that finds files and directories by name and, if so
// asked, by content. It shows no lines; see grep.
package find

import (
	"context"
	"iter"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/scope"
)

// Args are the arguments.
type Args struct {
	Query    string `json:"query,omitzero" doc:"Part of the name, in any case; with a slash, of the path." alias:"name,search,text"`
	Glob     string `json:"glob,omitzero" doc:"Only paths that match, such as *.go, src/**/*_test.py or, to leave some out, !**/vendor/**. Several are parted by spaces or commas." alias:"pattern,include,globs"`
	Path     string `json:"path,omitzero" doc:"Directory to search, relative to the workspace root." path:"read" default:"." alias:"dir,directory,dir_path"`
	Type     string `json:"type,omitzero" doc:"What to find." enum:"any,file,dir" default:"any"`
	Content  bool   `json:"content,omitzero" doc:"Also find files whose text holds query." alias:"search_content"`
	Depth    int    `json:"depth,omitzero" doc:"How many levels to go down: 1 is the directory alone." default:"12" min:"1" max:"1000" alias:"max_depth"`
	Hidden   bool   `json:"hidden,omitzero" doc:"Also find names that start with a dot, and what is below them." default:"true"`
	NoIgnore bool   `json:"no_ignore,omitzero" doc:"Also find what .gitignore and the like exclude." alias:"include_ignored"`
	Details  bool   `json:"details,omitzero" doc:"Tell sizes and times." default:"true"`
	Limit    int    `json:"limit,omitzero" doc:"Most matches to return, the nearest first." default:"100" min:"1" max:"100000" alias:"max_results,head_limit"`
}

// Result is what was found: the nearest first, by path among equals.
type Result struct {
	Matches iter.Seq[search.Match] `json:"matches"` // Found of them
	Found   int                    `json:"-"`
	// Total counts what there is, with TotalExact; otherwise what had been seen
	// when the search ended.
	Total      int            `json:"total"`
	TotalExact bool           `json:"total_exact"`
	Truncated  bool           `json:"truncated"`
	Skipped    search.Skipped `json:"skipped"`

	most int // bytes that the JSON does not exceed
}

// Tool finds files and directories.
var Tool = tool.New(tool.Def[Args, Result]{
	Name:    "find",
	Aliases: []string{"file-search", "glob", "find_files", "search_files"},
	Risk:    policy.Read,
	Doc: "Find files and directories by a part of their name or by a glob, the nearest first, with type, size and time. content also finds files whose text holds the query. " +
		"What .gitignore excludes is passed over, hidden files are not. To see matching lines use grep.",
	Bare: "query",
	Examples: []tool.Example{
		{Doc: "whose name holds main", Args: `{"query":"main"}`},
		{Doc: "all Go files two levels down", Args: `{"glob":"*.go","type":"file","depth":2}`},
		{Doc: "by name or content", Args: `{"query":"hello","content":true}`},
	},
	Run:    run,
	Styled: render,
})

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	s, err := scope.Open(call, a.Path)
	if err != nil {
		return Result{}, err
	}
	defer s.Close()
	s.Depth, s.Hidden = a.Depth, a.Hidden
	s.HeedIgnores(!a.NoIgnore)
	if a.Query != "" && a.Glob == "" && !a.Content && strings.ContainsAny(a.Query, "*?") {
		call.Warn(fault.T("query %q was taken as a glob", "query %q 已按 glob 处理", a.Query))
		a.Query, a.Glob = "", a.Query
	}
	found, err := search.Find(ctx, s.Root, search.FindOptions{
		Scope: s.Scope, Query: a.Query, Content: a.Content, Globs: scope.Globs(a.Glob), Type: search.Type(a.Type), Limit: a.Limit, NamesOnly: !a.Details, Decode: scope.Decode,
	})
	if err != nil {
		return Result{}, s.Failure(err)
	}
	renamed := s.Renames()
	r := Result{
		Found: found.Found, Total: found.Total, TotalExact: found.TotalExact, Truncated: found.Truncated, Skipped: found.Skipped,
		most: mostJSON(found.Found, found.PathBytes+found.Found*len(a.Path)),
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
	s.Warn(found.Problems)
	switch {
	case found.TimedOut:
		s.WarnLate()
	case found.Total == 0:
		call.Warn(nothing(s, &a, &found.Skipped))
	}
	return r, nil
}

// nothing says of a search without a match what it did not look at, and what may
// have been meant.
func nothing(s *scope.Scope, a *Args, skipped *search.Skipped) fault.Text {
	said := []fault.Text{fault.T("nothing was found", "没有找到")}
	if over := scope.PassedOver(skipped); !over.IsZero() {
		said = append(said, over)
	}
	if a.Query != "" && !a.Content {
		said = append(said, fault.T("content=true also looks into files", "content=true 会同时查找文件内容"))
	}
	if similar := s.Similar(a.Query); len(similar) > 0 {
		said = append(said, fault.T("similar names: %s", "相似的名称：%s", strings.Join(similar, ", ")))
	}
	return fault.Join(said, "; ", "；")
}

// render is one path a line, directories with a slash behind them.
func render(r Result, paint screen.Paint) string {
	var b strings.Builder
	for m := range r.Matches {
		switch name := screen.Name(m.Path()); m.Type {
		case search.Dir:
			b.WriteString(paint.Text(screen.Dir, name+"/"))
		case search.Symlink:
			b.WriteString(paint.Text(screen.Link, name))
		default:
			b.WriteString(name)
		}
		if m.Hit == "content" {
			b.WriteString(paint.Text(screen.Faint, " (content)"))
		}
		b.WriteByte('\n')
	}
	note := ""
	switch {
	case r.Total == 0:
		note = "no matches"
	case r.Truncated && r.TotalExact:
		note = strconv.Itoa(r.Found) + " of " + strconv.Itoa(r.Total)
	case r.Truncated:
		note = "the first " + strconv.Itoa(r.Found) + "; raise limit, or narrow it with path, glob or type"
	}
	if note != "" {
		b.WriteString(paint.Text(screen.Faint, "["+note+"]") + "\n")
	}
	return b.String()
}
