package find

import (
	"cmp"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/scope"
)

// nothing says why a search may have found nothing, and what to do next.
func nothing(a *Args, r *Result) fault.Text {
	said := []fault.Text{fault.T("nothing was found, and no similar name", "没有找到，也没有相似的名称")}
	if left := leftOut(r); !left.IsZero() {
		said = append(said, left)
	}
	switch {
	case a.Query != "" && a.Glob != "":
		said = append(said, fault.T("try query without glob", "可只用 query 而不用 glob"))
	case a.Query != "" && a.Content && !a.Documents:
		said = append(said, fault.T("documents=true also searches inside Excel, Word, PDF and other documents", "documents=true 会同时搜索 Excel、Word、PDF 等文档的内容"))
	case a.Query != "" && !a.Content:
		said = append(said, fault.T("content=true also searches file contents", "content=true 会同时查找文件内容"))
	}
	if a.Path != "." {
		said = append(said, fault.T("only %s was searched; path=. searches the workspace", "仅搜索了 %s；path=. 可搜索整个工作区", screen.Name(a.Path)))
	}
	return fault.Join(said, "; ", "；")
}

// guessed says that the matches are not what was asked for.
func guessed(a *Args, r *Result) fault.Text {
	said := []fault.Text{fault.T("nothing matches %q; these are similar", "没有与 %q 匹配的项；以下为相似项", cmp.Or(a.Query, a.Glob))}
	if left := leftOut(r); !left.IsZero() {
		said = append(said, left)
	}
	return fault.Join(said, "; ", "；")
}

// leftOut says what was skipped, with the names of directories.
func leftOut(r *Result) fault.Text {
	over := scope.Skipped(&r.Skipped)
	if len(r.NotEntered) == 0 {
		return over
	}
	var names []string
	for _, n := range r.NotEntered {
		names = append(names, screen.Name(n.Path)+"/")
	}
	not := fault.T("not entered: %s", "未进入：%s", strings.Join(names, ", "))
	if over.IsZero() {
		return not
	}
	return fault.Join([]fault.Text{over, not}, "; ", "；")
}
