// Package find is the tool that finds files and directories by name and, on
// request, by content. It shows no lines; see grep.
package find

import (
	"context"
	"iter"
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
	Query    string `json:"query,omitzero" doc:"Part of the file name, in any case. With a slash in it: part of the path." zh:"文件名的一部分，不区分大小写。含有斜杠时为路径的一部分。" alias:"name,search,text"`
	Glob     string `json:"glob,omitzero" doc:"Only paths that match, such as *.go or src/**/*_test.py; !**/vendor/** excludes. Separate several by spaces or commas." zh:"只返回匹配的路径，如 *.go 或 src/**/*_test.py；!**/vendor/** 表示排除。多个用空格或逗号分隔。" alias:"pattern,include,globs"`
	Path     string `json:"path,omitzero" doc:"Directory to search, relative to the workspace root." zh:"要搜索的目录，相对于工作区根目录。" path:"read" default:"." alias:"dir,directory,dir_path"`
	Type     string `json:"type,omitzero" doc:"Type of the entries to find." zh:"要查找的条目类型。" enum:"any,file,dir" default:"any"`
	Content  bool   `json:"content,omitzero" doc:"Also find files whose text contains query." zh:"同时查找文本中含有 query 的文件。" alias:"search_content"`
	Depth    int    `json:"depth,omitzero" doc:"Number of levels to search: 1 is the directory itself only." zh:"要搜索的层数：1 表示仅该目录本身。" default:"12" min:"1" max:"1000" alias:"max_depth"`
	Hidden   bool   `json:"hidden,omitzero" doc:"Include names that start with a dot, and what is below them." zh:"包括以点开头的名称及其下的内容。" default:"true"`
	NoIgnore bool   `json:"no_ignore,omitzero" doc:"Include what .gitignore and similar files exclude." zh:"包括被 .gitignore 等文件排除的内容。" alias:"include_ignored"`
	Details  bool   `json:"details,omitzero" doc:"Return sizes and times." zh:"返回大小和时间。" default:"true"`
	Limit    int    `json:"limit,omitzero" doc:"Maximum number of matches to return, nearest first." zh:"最多返回的匹配数，近的优先。" default:"100" min:"1" max:"100000" alias:"max_results,head_limit"`
}

// Result is what was found: the nearest first, by path among equals.
type Result struct {
	Matches iter.Seq[search.Match] `json:"matches"` // Found of them
	Found   int                    `json:"-"`
	// Total counts all matches if TotalExact is true, otherwise those seen when the
	// search ended.
	Total      int            `json:"total"`
	TotalExact bool           `json:"total_exact"`
	Truncated  bool           `json:"truncated"`
	Skipped    search.Skipped `json:"skipped"`

	most int // bytes of JSON at most
}

// Tool finds files and directories.
var Tool = tool.New(tool.Def[Args, Result]{
	Name:    "find",
	Aliases: []string{"file-search", "glob", "find_files", "search_files"},
	Risk:    policy.Read,
	Doc: "Find files and directories by name. Use query for a part of the name and glob for a pattern; with content, files whose text contains query " +
		"are found too. Returns paths with type, size and time, those nearest to path first. Skips what .gitignore excludes; includes hidden files. " +
		"To see matching lines use grep; to list one directory use ls.",
	DocZH: "按名称查找文件和目录。query 为名称的一部分，glob 为模式；设置 content 时也会找到文本中含有 query 的文件。返回路径" +
		"及类型、大小和时间，离 path 最近的在前。跳过被 .gitignore 排除的内容；包括隐藏文件。查看匹配的行用 grep，列出单个目录" +
		"用 ls。",
	DefaultArg: "query",
	Examples: []tool.Example{
		{Doc: "whose name contains main", DocZH: "名称含 main", Args: `{"query":"main"}`},
		{Doc: "all Go files two levels down", DocZH: "两层以内的所有 Go 文件", Args: `{"glob":"*.go","type":"file","depth":2}`},
		{Doc: "by name or content", DocZH: "按名称或内容", Args: `{"query":"hello","content":true}`},
	},
	Run:  run,
	Text: render,
})

func run(ctx context.Context, call *tool.Call, a Args) (Result, error) {
	s, err := scope.Open(call, a.Path)
	if err != nil {
		return Result{}, err
	}
	defer s.Close()
	s.Depth, s.Hidden = a.Depth, a.Hidden
	s.UseIgnores(!a.NoIgnore)
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

// nothing says what a search without a match skipped, and what may have been meant.
func nothing(s *scope.Scope, a *Args, skipped *search.Skipped) fault.Text {
	said := []fault.Text{fault.T("nothing was found", "没有找到")}
	if over := scope.Skipped(skipped); !over.IsZero() {
		said = append(said, over)
	}
	if a.Query != "" && !a.Content {
		said = append(said, fault.T("content=true also searches file contents", "content=true 会同时查找文件内容"))
	}
	if similar := s.Similar(a.Query); len(similar) > 0 {
		said = append(said, fault.T("similar names: %s", "相似的名称：%s", strings.Join(similar, ", ")))
	}
	return fault.Join(said, "; ", "；")
}

// render shows one path a line, directories with a slash at the end.
func render(r Result, v screen.View) string {
	var b strings.Builder
	for m := range r.Matches {
		switch name := screen.Name(m.Path()); m.Type {
		case search.Dir:
			b.WriteString(v.Text(screen.Dir, name+"/"))
		case search.Symlink:
			b.WriteString(v.Text(screen.Link, name))
		default:
			b.WriteString(name)
		}
		if m.Hit == "content" {
			b.WriteString(v.Text(screen.Faint, v.Say(fault.T(" (content)", "（内容）"))))
		}
		b.WriteByte('\n')
	}
	var note fault.Text
	switch {
	case r.Total == 0:
		note = fault.T("no matches", "没有匹配")
	case r.Truncated && r.TotalExact:
		note = fault.T("%d of %d", "%d/%d 项", r.Found, r.Total)
	case r.Truncated:
		note = fault.T("the first %d; raise limit, or narrow the search with path, glob or type", "仅前 %d 项；请提高 limit，或用 path、glob、type 缩小范围", r.Found)
	}
	if !note.IsZero() {
		b.WriteString(v.Text(screen.Faint, "["+v.Say(note)+"]") + "\n")
	}
	return b.String()
}
