package patch

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

func render(r Result, v screen.View) string {
	var b strings.Builder
	for _, f := range r.Files {
		b.WriteString(string(f.Action) + " " + f.Path)
		if f.From != "" {
			b.WriteString(v.Say(fault.T(" from %s", "（来自 %s）", f.From)))
		}
		b.WriteString(v.Say(fault.T(": +%d -%d lines", "：+%d -%d 行", f.LinesAdded, f.LinesRemoved)) + "\n")
	}
	if r.DryRun {
		b.WriteString(v.Say(fault.T("nothing was changed: this was a dry run", "未做任何改动：这是试运行")) + "\n")
	}
	return b.String() + r.Diff
}
