package calls

import (
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/line"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tool/skill"
	"github.com/helve-dev/helve/pkg/tools/write"
)

// Skill is "helve skill": the tools as an Agent Skill.
func Skill(h *host.Host, p *out.Printer) *cobra.Command {
	var dir string
	var force bool
	c := &cobra.Command{
		Use: "skill", Args: out.Args(0, 0),
		Short: p.Text("Print a SKILL.md for agents that have only a shell, or write it"),
		Long: p.Text("Print the enabled tools as an Agent Skill (agentskills.io): a SKILL.md with which an agent that has only a shell uses helve. " +
			"With --dir, write it to DIR/helve/SKILL.md in the workspace; that is a call of write, under the policy, and undo takes it back."),
		Example: p.Examples(
			"helve skill", p.Text("read it"),
			"helve skill --dir .claude/skills", p.Text("write it where agents look for it"),
		),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if force && dir == "" {
				return fault.New(fault.Usage, fault.T("--force needs --dir")).
					WithHint(fault.T("helve skill --dir .claude/skills writes the file"))
			}
			env, catalog, err := h.Env()
			if err != nil {
				return err
			}
			text := skill.Text(catalog.Tools(), p.Lang)
			if dir == "" {
				return printSkill(p, text)
			}
			t, err := catalog.Ours().Find(write.Tool.Name)
			if err != nil {
				return err
			}
			args := write.Args{Path: path.Join(filepath.ToSlash(dir), skill.Name, skill.File), Content: text, Mode: "create"}
			if force { // what is there was seen: it is meant to go
				if _, err := line.TextOfFile(cmd.Context(), env, catalog, args.Path); err != nil && !fault.Is(err, fault.NotFound) {
					return err
				}
				args.Mode, args.AllowShrink = "overwrite", true
			}
			input, err := schema.Marshal(args)
			if err != nil {
				return err
			}
			o := guard.Run(cmd.Context(), env, t, input)
			if o.Err != nil && o.Err.Code == fault.AlreadyExists {
				o.Err.Hint = fault.T("add --force to replace it")
			}
			p.Result(t, o)
			return nil
		},
	}
	c.Flags().StringVar(&dir, "dir", "", p.Text("directory of skills to write it to, such as .claude/skills"))
	c.Flags().BoolVar(&force, "force", false, p.Text("replace the file that is there"))
	return c
}

// printSkill prints the file as it is, to be redirected, unless JSON was asked for.
func printSkill(p *out.Printer, text string) error {
	if form := p.Form(); form == "json" || form == "pretty" {
		return p.Data(schema.Document{{Name: "name", Value: skill.Name}, {Name: "file", Value: skill.File}, {Name: "content", Value: text}})
	}
	p.Print(p.Shown(text))
	return nil
}
