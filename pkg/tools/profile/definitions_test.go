package profile_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/profile"
)

// definition is a tool as the documents of its system have it. A parameter is its name, with ?
// if it is optional, =JSON for a default, and its description behind a colon where that is
// given word for word.
type definition struct {
	tool, doc  string // doc is "" where the system leaves it open
	parameters []string
}

// definitions are those of the systems that describe them word for word, or by a signature.
var definitions = map[string][]definition{
	"basic": {
		{"read_file", "", []string{"path", `encoding?="utf-8"`}},
		{"write_file", "", []string{"path", "content"}},
		{"list_directory", "", []string{"path"}},
		{"web_fetch", "", []string{"url", "timeout?=10"}},
	},
	"nanobot": {
		{"read_file", "", []string{"path"}},
		{"write_file", "", []string{"path", "content"}},
		{"edit_file", "", []string{"path", "old_text", "new_text"}},
		{"list_dir", "", []string{"path"}},
		{"exec", "", []string{"command", "working_dir?"}},
		{"web_search", "", []string{"query", "count?"}},
		{"web_fetch", "", []string{"url", `extractMode?="markdown"`, "maxChars?"}},
		{"message", "", []string{"content", "channel?", "chat_id?"}},
		{"spawn", "", []string{"task", "label?"}},
		{"cron", "", []string{"action", "message?", "every_seconds?", "cron_expr?", "at?", "job_id?"}},
	},
	"persona": {
		{"read", "读取工作区中的文件内容", []string{"path:文件路径（相对于工作区根目录）"}},
		{"write", "创建或覆盖文件。自动创建父目录。", []string{"path:文件路径（相对于工作区根目录）", "content:要写入的完整内容"}},
		{"edit", "通过精确文本查找替换来编辑文件。oldText 必须精确匹配。", []string{
			"path:文件路径（相对于工作区根目录）", "oldText:要查找并替换的精确文本（必须唯一匹配）", "newText:替换后的新文本"}},
	},
	"projects": {
		{"time-now", "获取服务器时间", []string{"timezone?"}},
		{"file-read", "读取项目内文件", []string{"path"}},
		{"file-read-excel", "读取 Excel 并提取文本", []string{"path"}},
		{"file-read-docx", "读取 Docx 并提取文本", []string{"path"}},
		{"file-list", "列出目录", []string{`path?="."`}},
		{"file-search", "搜索文件内容", []string{`path?="."`, "query", "limit?"}},
		{"file-write", "写入文件", []string{"path", "content", "mode?"}},
		{"file-delete", "删除文件", []string{"path"}},
		{"shell-readonly", "只读 shell", []string{"command"}},
		{"shell-write", "mkdir", []string{"command"}},
		{"shell-destructive", "rm", []string{"command"}},
		{"web-fetch", "抓取网页", []string{"url"}},
		{"web-search", "搜索网页", []string{"query", "limit?"}},
	},
	"toolkit": {
		{"bash", "Execute a bash command", []string{"command:The command to execute", "timeout?", "working_dir?"}},
		{"read_file", "Read file contents", []string{"path:The file path", "start_line?", "end_line?"}},
		{"write_file", "", []string{"path", "content"}},
		{"edit_file", "", []string{"path", "old_str", "new_str"}},
		{"apply_diff", "", []string{"path", "diff"}},
		{"undo_edit", "", []string{"path"}},
	},
}

// TestDefinitions compares the tools of profiles with their documents.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	for name, want := range definitions {
		data, _ := profile.Load(name)
		p, problems := tools.ReadProfile(data)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", name, problems)
		}
		var names []string
		for _, w := range want {
			names = append(names, w.tool)
			one := p.Find(w.tool)
			switch {
			case one == nil:
				t.Errorf("%s has no %s", name, w.tool)
			case w.doc != "" && w.doc != one.Doc && w.doc != one.DocZH:
				t.Errorf("%s says of %s: %q, %q", name, w.tool, one.Doc, one.DocZH)
			default:
				sameParameters(t, name, one, w.parameters)
			}
		}
		if got := p.Names(); !slices.Equal(got, names) {
			t.Errorf("%s has the tools %q, want %q", name, got, names)
		}
	}
}

func sameParameters(t *testing.T, name string, one *profile.Tool, want []string) {
	t.Helper()
	if len(one.Parameters) != len(want) {
		t.Errorf("%s: %s has %d parameters, want %q", name, one.Name, len(one.Parameters), want)
		return
	}
	for i, p := range one.Parameters {
		var s struct{ Description string }
		if err := json.Unmarshal(p.Schema, &s); err != nil {
			t.Fatal(err)
		}
		text, doc, literal := strings.Cut(want[i], ":")
		got := p.Name
		if !p.Required {
			got += "?"
		}
		if p.Default != nil {
			got += "=" + string(p.Default)
		}
		if got != text || literal && s.Description != doc {
			t.Errorf("%s: %s has %s (%s), want %s", name, one.Name, got, s.Description, want[i])
		}
	}
}
