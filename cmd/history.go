package cmd

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// entry is a line of the history.
type entry struct {
	ID       string    `json:"id"`
	At       time.Time `json:"at"`
	Tool     string    `json:"tool"`
	Session  string    `json:"session"`
	Files    []change  `json:"files"`
	Undoes   []string  `json:"undoes,omitzero"`
	UndoneBy string    `json:"undone_by,omitzero"`
	Undoable bool      `json:"undoable"`
}

// change is one file of an entry.
type change struct {
	Action journal.Op `json:"action"`
	Path   string     `json:"path"`
	From   string     `json:"from,omitzero"`
}

// historyCommand is "helve history": what undo can take back.
func (a *app) historyCommand() *cobra.Command {
	var forget bool
	var limit int
	c := &cobra.Command{
		Use: "history [PATH]", Short: "List the changes that undo can take back, or forget them", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			env, _, err := a.Governed()
			if err != nil {
				return err
			}
			if len(args) > 0 {
				env = entered(env, args[0])
			}
			path, err := real(env, args)
			if err != nil {
				return err
			}
			root, err := env.Root()
			if err != nil {
				return err
			}
			j, err := env.Journal()
			if err != nil {
				return err
			}
			if forget {
				if a.ReadOnly {
					return fault.New(fault.Denied, fault.T("this is a read-only run", "当前为只读模式")).
						WithHint(fault.T("leave out --readonly to forget the history", "去掉 --readonly 才能清除历史"))
				}
				if err := host.Personal(fault.T("forget the history", "清除历史")); err != nil {
					return err
				}
				n, err := j.Clear(cmd.Context(), path)
				if err != nil {
					return err
				}
				return a.data(schema.Document{{Name: "cleared", Value: n}})
			}
			if _, err := j.Recover(cmd.Context()); err != nil {
				return err
			}
			listed, err := j.History(path, limit)
			if err != nil {
				return err
			}
			return a.history(root, listed)
		},
	}
	c.Flags().BoolVar(&forget, "clear", false, "forget the changes, and the bytes kept for them")
	c.Flags().IntVar(&limit, "limit", 100, "most entries to list, 0 for all")
	return c
}

// real is the one path that the arguments name, with its links resolved; "" is
// everything.
func real(env *tool.Env, args []string) (string, error) {
	if len(args) == 0 || args[0] == "." {
		return "", nil
	}
	root, err := env.Root()
	if err != nil {
		return "", err
	}
	return root.Resolve(args[0], schema.ReadPath)
}

func (a *app) history(root *workspace.Root, listed []journal.Entry) error {
	entries := make([]entry, len(listed))
	for i, e := range listed {
		entries[i] = entry{ID: e.ID, At: e.Time.UTC(), Tool: e.Tool, Session: e.Session, Undoes: e.Undoes, UndoneBy: e.UndoneBy, Undoable: e.Undoable}
		for _, f := range e.Files {
			one := change{f.Op, root.Show(f.Path), f.From}
			if one.From != "" {
				one.From = root.Show(one.From)
			}
			entries[i].Files = append(entries[i].Files, one)
		}
	}
	if a.flags.output != "text" {
		return a.data(schema.Document{{Name: "entries", Value: entries}})
	}
	var b strings.Builder
	for _, e := range entries {
		for _, f := range e.Files {
			fmt.Fprintf(&b, "%s  %s  %-6s %-6s %s", e.ID, e.At.Format(time.DateTime), e.Tool, f.Action, f.Path)
			if e.UndoneBy != "" {
				b.WriteString("  (undone)")
			}
			b.WriteByte('\n')
		}
	}
	a.write([]byte(b.String()))
	return nil
}

// entered is the world of the project that a path names in brackets, or else the
// one that is given.
func entered(env *tool.Env, path string) *tool.Env {
	inner, ok := strings.CutPrefix(path, "[")
	id, rest, closed := strings.Cut(inner, "]")
	if !ok || !closed || rest != "" && rest[0] != '/' || env.Enter == nil || id == env.Project {
		return env
	}
	if there := env.Enter(id); there != nil {
		return there
	}
	return env
}
