// Package catalog is the one ordered list of tools: the table of contents. It
// defines none of them.
package catalog

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/delete"
	"github.com/helve-dev/helve/pkg/tools/edit"
	"github.com/helve-dev/helve/pkg/tools/ls"
	"github.com/helve-dev/helve/pkg/tools/mkdir"
	"github.com/helve-dev/helve/pkg/tools/move"
	"github.com/helve-dev/helve/pkg/tools/patch"
	"github.com/helve-dev/helve/pkg/tools/read"
	"github.com/helve-dev/helve/pkg/tools/time"
	"github.com/helve-dev/helve/pkg/tools/undo"
	"github.com/helve-dev/helve/pkg/tools/write"
)

// Tools lists every tool, in the order in which a model should meet them.
func Tools() []*tool.Tool {
	return []*tool.Tool{
		read.Tool,
		write.Tool,
		edit.Tool,
		patch.Tool,
		undo.Tool,
		delete.Tool,
		move.Tool,
		mkdir.Tool,
		ls.Tool,
		time.Tool,
	}
}

// Find gives the tool of a name or an alias.
func Find(name string) (*tool.Tool, bool) {
	for _, t := range Tools() {
		if t.Name == name || slices.Contains(t.Aliases, name) {
			return t, true
		}
	}
	return nil, false
}

// Unknown is the fault for a name that is no tool's.
func Unknown(name string) *fault.Error {
	var names, all []string
	for _, t := range Tools() {
		names = append(names, t.Name)
		all = append(append(all, t.Name), t.Aliases...)
	}
	e := fault.New(fault.UnknownTool, fault.T("there is no tool %q", "没有名为 %q 的工具", name))
	if near := schema.Nearest(name, all); near != "" {
		return e.WithHint(fault.T("did you mean %s? The tools are: %s", "是否指 %s？可用工具：%s", near, strings.Join(names, ", ")))
	}
	return e.WithHint(fault.T("the tools are: %s", "可用工具：%s", strings.Join(names, ", ")))
}
