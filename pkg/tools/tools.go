// Package tools is the ordered list of the built-in tools, and the choice of those
// that a caller is offered. Each tool is a package of its own below this one.
package tools

import (
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/copy"
	"github.com/helve-dev/helve/pkg/tools/cron"
	"github.com/helve-dev/helve/pkg/tools/delete"
	"github.com/helve-dev/helve/pkg/tools/edit"
	"github.com/helve-dev/helve/pkg/tools/exec"
	"github.com/helve-dev/helve/pkg/tools/fetch"
	"github.com/helve-dev/helve/pkg/tools/find"
	"github.com/helve-dev/helve/pkg/tools/grep"
	"github.com/helve-dev/helve/pkg/tools/job"
	"github.com/helve-dev/helve/pkg/tools/ls"
	"github.com/helve-dev/helve/pkg/tools/message"
	"github.com/helve-dev/helve/pkg/tools/mkdir"
	"github.com/helve-dev/helve/pkg/tools/move"
	"github.com/helve-dev/helve/pkg/tools/patch"
	"github.com/helve-dev/helve/pkg/tools/read"
	"github.com/helve-dev/helve/pkg/tools/spawn"
	"github.com/helve-dev/helve/pkg/tools/time"
	"github.com/helve-dev/helve/pkg/tools/undo"
	"github.com/helve-dev/helve/pkg/tools/websearch"
	"github.com/helve-dev/helve/pkg/tools/write"
)

// searching finds pages, and reads them as fetch does.
var searching = websearch.New(fetch.Found)

// Builtin returns the built-in tools, in the order in which a model should see them.
func Builtin() []*tool.Tool {
	return []*tool.Tool{
		read.Tool,
		write.Tool,
		edit.Tool,
		patch.Tool,
		undo.Tool,
		delete.Tool,
		copy.Tool,
		move.Tool,
		mkdir.Tool,
		ls.Tool,
		find.Tool,
		grep.Tool,
		exec.Tool,
		job.Tool,
		searching,
		fetch.Tool,
		time.Tool,
		message.Tool,
		spawn.Tool,
		cron.Add,
		cron.List,
		cron.Remove,
	}
}
