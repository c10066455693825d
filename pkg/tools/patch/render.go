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
			b.WriteString(v.Say(fault.T(" from %s", f.From)))
		}
		b.WriteString(v.Say(fault.T(": +%d -%d lines", f.LinesAdded, f.LinesRemoved)) + "\n")
	}
	if r.DryRun {
		b.WriteString(v.Say(fault.T("nothing was changed: this was a dry run")) + "\n")
	}
	return b.String() + r.Diff
}
