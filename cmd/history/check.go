package history

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/check"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/read"
)

// Check is "helve check": what the checkers of on_change say of files as they are.
func Check(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "check [PATH]...", Args: cobra.ArbitraryArgs,
		Short: p.Text("Run the checkers of the setting on_change on files"),
		Long: p.Text("Run the checkers of the setting on_change on files, and on directories with everything in them. Without paths, wait for the checks of " +
			"the session that go on after their calls, or check the workspace if there are none."),
		Example: p.Examples(
			"helve check", p.Text("what goes on, or the workspace"),
			"helve check src main.go", p.Text("a directory and a file"),
		),
		RunE: func(cmd *cobra.Command, paths []string) error {
			env, _, err := h.Governed()
			if err != nil {
				return err
			}
			checker, ok := env.Responder.(*check.Checker)
			if !ok {
				return fault.New(fault.NotConfigured, fault.T("the settings name no checkers")).
					WithHint(fault.T("set on_change, which helve config schema describes"))
			}
			call := tool.NewCall(env, read.Tool, nil)
			if env.Hides != nil {
				call.Hidden = env.Hides(policy.Project{ID: env.Project}, read.Tool)
			}
			return runCheck(cmd.Context(), p, checker, call, paths)
		},
	}
}

func runCheck(ctx context.Context, p *out.Printer, checker *check.Checker, call *tool.Call, paths []string) error {
	if len(paths) == 0 {
		said, pending, err := checker.Await(ctx, call)
		if err != nil {
			return err
		}
		if pending > 0 {
			return p.Report(out.Report{Data: check.Report{Diagnostics: []tool.Diagnostic{}}, Warnings: append(said, call.Warnings()...)})
		}
		paths = []string{"."}
	}
	r, err := checker.Run(ctx, call, paths)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, d := range r.Diagnostics {
		b.WriteString(d.String() + "\n")
	}
	b.WriteString(p.Text("%d diagnostics in %d files", len(r.Diagnostics), r.Files) + "\n")
	return p.Report(out.Report{Data: r, Text: b.String(), Warnings: call.Warnings()})
}
