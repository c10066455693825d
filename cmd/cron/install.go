package cron

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule/service"
	"github.com/helve-dev/helve/pkg/schema"
)

// cronInstallCommand is "helve cron install": it has the system keep a scheduler running.
func cronInstallCommand(h *host.Host, p *out.Printer) *cobra.Command {
	var dry, remove, force, tick bool
	var kind string
	c := &cobra.Command{
		Use: "install", Args: out.Args(0, 0),
		Short: p.Text("Install the scheduler as a service of the system: write its file and show the command that enables it"),
		Example: p.Examples(
			"helve cron install --dry-run -o text", p.Text("what would be written, and what to type"),
			"helve cron install --kind systemd --tick", p.Text("a timer that calls cron tick"),
		),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := host.Personal(fault.T("install services")); err != nil {
				return err
			}
			if remove && !tick {
				tick = hasTimer(h, kind)
			}
			s, err := h.Service(kind, tick)
			if err != nil {
				return err
			}
			files, err := s.Install(service.Installing{Dry: dry, Remove: remove, Force: force})
			if err != nil {
				return err
			}
			return printService(p, s, files, service.Installing{Dry: dry, Remove: remove})
		},
	}
	f := c.Flags()
	f.BoolVar(&dry, "dry-run", false, p.Text("show what would be written, and write nothing"))
	f.BoolVar(&remove, "remove", false, p.Text("remove the files again"))
	f.BoolVar(&force, "force", false, p.Text("also replace or remove files that helve did not write"))
	f.BoolVar(&tick, "tick", false, p.Text("start cron tick every minute, rather than keeping cron run running"))
	everywhere(c, h, p)
	f.StringVar(&kind, "kind", "", p.Text("service manager: %s; by default that of the system", strings.Join(service.Kinds(), ", ")))
	return c
}

// hasTimer reports whether a timer is there to be removed, with what it starts.
func hasTimer(h *host.Host, kind string) bool {
	always, err := h.Service(kind, false)
	if err != nil {
		return false
	}
	ticking, err := h.Service(kind, true)
	if err != nil || len(ticking.Files) == len(always.Files) {
		return false
	}
	_, err = os.Lstat(ticking.Files[len(ticking.Files)-1].Path)
	return err == nil
}

// printService prints what was written, or would be, and what is to be typed.
func printService(p *out.Printer, s *service.Service, files []service.Installed, did service.Installing) error {
	commands := s.Enable
	if did.Remove {
		commands = s.Disable
	}
	var b strings.Builder
	if did.Dry {
		b.WriteString(p.Text("nothing was done; this would be:\n"))
	}
	for _, f := range files {
		b.WriteString(f.Action + "  " + f.Path + "\n")
		if f.Content != "" {
			for line := range strings.Lines(f.Content) {
				b.WriteString("    " + line)
			}
		}
	}
	if s.Line != "" && !did.Remove {
		b.WriteString(p.Text("the line for crontab -e:\n    %s\n", s.Line))
	}
	b.WriteString(p.Text("to be typed:\n"))
	for _, command := range commands {
		b.WriteString("    " + command + "\n")
	}
	data := schema.Document{{Name: "kind", Value: s.Kind}, {Name: "name", Value: s.Name}, {Name: "files", Value: files}, {Name: "commands", Value: commands}}
	if did.Dry {
		data = append(data, schema.Member{Name: "dry_run", Value: true})
	}
	if s.Line != "" {
		data = append(data, schema.Member{Name: "line", Value: s.Line})
	}
	return p.Report(out.Report{Data: data, Text: b.String()})
}
