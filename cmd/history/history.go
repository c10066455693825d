// Package history has the commands about what was done: changes, checkpoints, the log of
// calls, and the store.
package history

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/overview"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
)

// Command is "helve history": what undo can take back.
func Command(h *host.Host, p *out.Printer) *cobra.Command {
	var forget bool
	var limit int
	c := &cobra.Command{
		Use: "history [PATH]", Args: out.Args(0, 1),
		Short: p.Text("List the changes that undo can take back, or forget them"),
		Example: p.Examples(
			"helve history", p.Text("the last changes"),
			"helve history main.go --limit 5", p.Text("of one file"),
		),
		RunE: func(cmd *cobra.Command, args []string) error {
			env, path, err := historyOf(h, args)
			if err != nil {
				return err
			}
			j, err := env.Journal()
			if err != nil {
				return err
			}
			if forget {
				return clearHistory(cmd.Context(), h, p, j, path)
			}
			warnings, err := j.Recover(cmd.Context())
			if err != nil {
				return err
			}
			listed, err := j.History(path, limit)
			if err != nil {
				return err
			}
			root, err := env.Root()
			if err != nil {
				return err
			}
			return printHistory(p, overview.History(root, listed), warnings)
		},
	}
	c.Flags().BoolVar(&forget, "clear", false, p.Text("forget the changes and delete the content kept for them"))
	c.Flags().IntVar(&limit, "limit", 100, p.Text("maximum number of entries to list, 0 for all"))
	return c
}

// historyOf returns the environment to list the history of, and the path that args
// name, with links resolved; "" is every path.
func historyOf(h *host.Host, args []string) (env *tool.Env, path string, err error) {
	env, _, err = h.Governed()
	if err != nil || len(args) == 0 || args[0] == "." {
		return env, "", err
	}
	path = args[0]
	switch id, rest, named := env.SplitProject(path); {
	case named && id == env.Project:
		path = rest
	case named:
		env = env.Enter(id) // resolves [id]/path itself
	}
	root, err := env.Root()
	if err != nil {
		return nil, "", err
	}
	at, err := root.Clean(path)
	if err != nil {
		return nil, "", err
	}
	real, err := root.Resolve(at, schema.ReadPath)
	return env, real.String(), err
}

func clearHistory(ctx context.Context, h *host.Host, p *out.Printer, j *journal.Journal, path string) error {
	if h.ReadOnly {
		return fault.New(fault.Denied, fault.T("this is a read-only run")).
			WithHint(fault.T("leave out --readonly to forget the history"))
	}
	if err := host.Personal(fault.T("forget the history")); err != nil {
		return err
	}
	n, err := j.Clear(ctx, path)
	if err != nil {
		return err
	}
	return p.Data(schema.Document{{Name: "cleared", Value: n}})
}

func printHistory(p *out.Printer, entries []overview.Entry, warnings []fault.Text) error {
	var b strings.Builder
	for _, e := range entries {
		for _, f := range e.Files {
			fmt.Fprintf(&b, "%s  %s  %-6s %-6s %s", e.ID, e.At.Format(time.DateTime), e.Tool, f.Action, f.Path)
			if e.UndoneBy != "" {
				b.WriteString(p.Text("  (undone)"))
			}
			if e.Stopped {
				b.WriteString(p.Text("  (helve was stopped while it ran)"))
			}
			b.WriteByte('\n')
		}
	}
	return p.Report(out.Report{Data: schema.Document{{Name: "entries", Value: entries}}, Text: b.String(), Warnings: warnings})
}
