package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule/service"
	"github.com/helve-dev/helve/pkg/schema"
)

// cronInstallCommand is "helve cron install": it has the system keep a scheduler running.
func cronInstallCommand(h *host.Host, out *Printer) *cobra.Command {
	var dry, remove, force, tick bool
	var kind string
	c := &cobra.Command{
		Use: "install", Args: takes(0, 0),
		Short: out.Text("Have the system keep a scheduler running: writes the file, and shows the command that enables it", "让系统保持调度器运行：写入文件，并给出启用命令"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := host.Personal(fault.T("install services", "安装服务")); err != nil {
				return err
			}
			s, err := h.Service(kind, tick)
			if err != nil {
				return err
			}
			files, err := h.Install(s, host.Installing{Dry: dry, Remove: remove, Force: force})
			if err != nil {
				return err
			}
			return printService(out, s, files, host.Installing{Dry: dry, Remove: remove})
		},
	}
	f := c.Flags()
	f.BoolVar(&dry, "dry-run", false, out.Text("show what would be written, and write nothing", "仅显示将写入的内容，不写入"))
	f.BoolVar(&remove, "remove", false, out.Text("remove the files again", "移除这些文件"))
	f.BoolVar(&force, "force", false, out.Text("also replace or remove files that helve did not write", "也替换或移除非 helve 写入的文件"))
	f.BoolVar(&tick, "tick", false, out.Text("start cron tick every minute, rather than keeping cron run running", "每分钟启动 cron tick，而不是保持 cron run 运行"))
	f.StringVar(&kind, "kind", "", out.Text("what the system has: %s; by default the usual one", "系统所用：%s；默认为通常的一种", strings.Join(service.Kinds(), ", ")))
	return c
}

// printService prints what was written, or would be, and what is to be typed.
func printService(out *Printer, s *service.Service, files []host.Installed, did host.Installing) error {
	commands := s.Enable
	if did.Remove {
		commands = s.Disable
	}
	var b strings.Builder
	if did.Dry {
		b.WriteString(out.Text("nothing was done; this would be:\n", "未做任何更改；将会：\n"))
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
		b.WriteString(out.Text("the line for crontab -e:\n    %s\n", "供 crontab -e 使用的行：\n    %s\n", s.Line))
	}
	b.WriteString(out.Text("to be typed:\n", "请执行：\n"))
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
	return out.Report(report{data: data, text: b.String()})
}
