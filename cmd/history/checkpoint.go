package history

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/track"
)

// checkpoint is a checkpoint as it is printed.
type checkpoint struct {
	Name       string    `json:"name"`
	Time       time.Time `json:"time"`
	Files      int       `json:"files"`
	NotCovered int       `json:"not_covered"` // files whose content is not kept
}

// Checkpoint is "helve checkpoint": the workspace as it is, to be restored.
func Checkpoint(h *host.Host, p *out.Printer) *cobra.Command {
	var list bool
	var drop string
	c := &cobra.Command{
		Use: "checkpoint [NAME]", Args: out.Args(0, 1),
		Short: p.Text("Save the state of the workspace, for helve restore"),
		Example: p.Examples(
			"helve checkpoint before-refactoring", p.Text("remember the workspace under a name"),
			"helve checkpoint --list", p.Text("the checkpoints"),
		),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := Tracked(h.Workspace())
			switch {
			case err != nil:
				return err
			case list:
				return listCheckpoints(p, w)
			}
			if err := host.Personal(fault.T("make or drop checkpoints")); err != nil {
				return err
			}
			if drop != "" {
				if err := w.DropCheckpoint(drop); err != nil {
					return err
				}
				return listCheckpoints(p, w)
			}
			late, err := w.Journal.Recover(cmd.Context())
			if err != nil {
				return err
			}
			made, err := w.Checkpoint(cmd.Context(), strings.Join(args, ""))
			if err != nil {
				return err
			}
			return p.Report(out.Report{Data: checkpoint(made), Text: lineOf(p, made), Warnings: late})
		},
	}
	c.Flags().BoolVar(&list, "list", false, p.Text("list the checkpoints"))
	c.Flags().StringVar(&drop, "drop", "", p.Text("forget the checkpoint with this name"))
	c.MarkFlagsMutuallyExclusive("list", "drop")
	return c
}

// Tracked returns what a checkpoint remembers of an environment.
func Tracked(env *tool.Env) (w track.Workspace, err error) {
	if w.Root, err = env.Root(); err != nil {
		return w, err
	}
	if w.State, err = env.State(); err != nil {
		return w, err
	}
	w.Journal, err = env.Journal()
	w.Excludes = env.Excludes()
	return w, err
}

func lineOf(p *out.Printer, c track.Checkpoint) string {
	return p.Text("%s  %s  %d files, %d of them not kept\n", c.Name, c.Time.Local().Format(time.DateTime), c.Files, c.NotCovered)
}

func listCheckpoints(p *out.Printer, w track.Workspace) error {
	all, err := w.Checkpoints()
	if err != nil {
		return err
	}
	shown := make([]checkpoint, len(all))
	var text strings.Builder
	for i, c := range all {
		shown[i] = checkpoint(c)
		text.WriteString(lineOf(p, c))
	}
	if len(all) == 0 {
		text.WriteString(p.Text("no checkpoints\n"))
	}
	return p.Report(out.Report{Data: map[string]any{"checkpoints": shown}, Text: text.String()})
}

// restored is the result of a restore.
type restored struct {
	Name   string `json:"name"`
	DryRun bool   `json:"dry_run"`
	track.Outcome
}

// Restore is "helve restore".
func Restore(h *host.Host, p *out.Printer) *cobra.Command {
	var dry bool
	c := &cobra.Command{
		Use: "restore NAME", Args: out.Args(1, 1),
		Short: p.Text("Restore the workspace to a checkpoint, which undo takes back"),
		Example: p.Examples(
			"helve restore before-refactoring --dry-run", p.Text("what would change"),
			"helve restore before-refactoring", p.Text("go back"),
		),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("restore checkpoints")); err != nil {
				return err
			}
			env := h.Workspace()
			w, err := Tracked(env)
			if err != nil {
				return err
			}
			late, err := w.Journal.Recover(cmd.Context())
			if err != nil {
				return err
			}
			found, err := w.Restore(cmd.Context(), args[0], h.Session, dry)
			if err != nil {
				return err
			}
			o := found.Outcome(w.Root.Show, p.Lang)
			var text strings.Builder
			for _, c := range found.Changes {
				fmt.Fprintf(&text, "%s %s\n", c.Action, c.Path)
			}
			for _, g := range o.NotCovered {
				text.WriteString(p.Text("not restored: %s: %s\n", g.Path, g.Why))
			}
			if len(found.Changes) == 0 {
				text.WriteString(p.Text("nothing differs\n"))
			}
			if o.UndoID != "" {
				text.WriteString(p.Text("undo id %s\n", o.UndoID))
			}
			return p.Report(out.Report{Data: restored{Name: args[0], DryRun: dry, Outcome: o}, Text: text.String(), Warnings: append(late, found.Warnings...)})
		},
	}
	c.Flags().BoolVar(&dry, "dry-run", false, p.Text("only show what would be changed"))
	return c
}
