package cmd

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
)

// validateCommand is "helve config validate".
func (a *app) validateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "validate [FILE]", Short: "Say what is wrong with the settings, or with one file by itself", Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			o := a.Sources()
			if len(args) == 1 {
				path, err := filepath.Abs(args[0])
				if err != nil {
					return fault.System(err, args[0])
				}
				o = config.Options{Files: []config.File{{Source: config.Flag, Path: path}}}
			}
			s, err := config.Load(o)
			if err != nil {
				return err
			}
			if err := host.Check(s); err != nil {
				return err
			}
			files := slices.DeleteFunc(host.Look(o), func(f host.Source) bool { return !f.Exists })
			if len(args) == 1 && len(files) == 0 {
				return fault.New(fault.NotFound, fault.T("there is no file %s", "文件 %s 不存在", args[0])).
					WithHint(fault.T("helve config path lists the files that are looked at", "helve config path 列出会读取的配置文件"))
			}
			return a.report(report{data: schema.Document{{Name: "valid", Value: true}, {Name: "files", Value: files}}, text: "valid\n", warnings: s.Warnings})
		},
	}
}

// trustCommand is "helve config trust".
func (a *app) trustCommand() *cobra.Command {
	var forget bool
	c := &cobra.Command{
		Use: "trust", Short: "Follow the workspace's own configuration also where it widens, as it is now", Args: cobra.NoArgs,
		Long: "Follow the workspace's own configuration also where it widens what is allowed. What is trusted are its bytes as they are now: " +
			"once they change, it may only narrow again.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := host.Personal(fault.T("decide what is trusted", "决定信任哪些文件")); err != nil {
				return err
			}
			if forget {
				return a.distrust(cmd)
			}
			return a.trust(cmd)
		},
	}
	c.Flags().BoolVar(&forget, "forget", false, "trust nothing of this workspace any more")
	return c
}

func (a *app) distrust(cmd *cobra.Command) error {
	if err := a.Distrust(cmd.Context()); err != nil {
		return err
	}
	return a.report(report{data: schema.Document{{Name: "trusted", Value: false}}, text: "nothing of this workspace is trusted\n"})
}

// trust shows what there is to trust, and records that a person trusts it.
func (a *app) trust(cmd *cobra.Command) error {
	u, err := a.Untrusted()
	if err != nil {
		return err
	}
	if u.Empty() {
		return a.nothingToTrust(u.Sources())
	}
	if err := a.showTrust(u); err != nil {
		return err
	}
	var warnings []fault.Text
	switch w, err := u.Trust(cmd.Context()); {
	case err != nil:
		return err
	case !w.IsZero():
		warnings = append(warnings, w) // it may be forgotten tomorrow
	}
	data, text := schema.Document{}, ""
	if u.Ignored.SHA != "" {
		data = schema.Document{{Name: "file", Value: u.Ignored.File}, {Name: "sha256", Value: u.Ignored.SHA}, {Name: "widens", Value: u.Ignored.Keys}}
		text = "trusted " + u.Ignored.File + ": " + strings.Join(u.Ignored.Keys, ", ") + "\n"
	}
	if len(u.Tools) > 0 {
		var names []string
		for _, f := range u.Tools {
			names = append(names, f.Name)
		}
		data = append(data, schema.Member{Name: "tools", Value: names})
		text += "trusted tools: " + strings.Join(names, ", ") + "\n"
	}
	return a.report(report{data: append(data, schema.Member{Name: "trusted", Value: true}), text: text, warnings: warnings})
}

// showTrust shows what a person is about to trust, before it is recorded.
func (a *app) showTrust(u *host.Untrusted) error {
	var b strings.Builder
	if u.Ignored.SHA != "" {
		b.WriteString(fault.T("%s would widen: %s", "%s 将放宽：%s", u.Ignored.File, strings.Join(u.Ignored.Keys, ", ")).In(a.lang()) + "\n")
	}
	for _, f := range u.Tools {
		b.WriteString(fault.T("the tool %s (%s) would run: %q", "工具 %s（%s）将运行：%q", f.Name, string(f.Tool.Risk), f.Tool.Template).In(a.lang()) + "\n")
	}
	if _, err := io.WriteString(a.errw, approval.Visible(b.String())); err != nil {
		return fault.New(fault.IOError, fault.T("what would be trusted could not be shown", "无法显示将被信任的内容")).
			WithHint(fault.T("run it in a terminal", "请在终端中运行")).Because(err)
	}
	return nil
}

// nothingToTrust answers where no setting of the workspace's own file is
// ignored: it is not there, is trusted already, or only narrows.
func (a *app) nothingToTrust(files []host.Source) error {
	i := slices.IndexFunc(files, func(f host.Source) bool { return f.Source == config.Workspace })
	if i < 0 || !files[i].Exists {
		return fault.New(fault.NotFound, fault.T("the workspace has no configuration of its own", "工作区没有自己的配置文件")).
			WithHint(fault.T("helve config path lists the files that are looked at", "helve config path 列出会读取的配置文件"))
	}
	f := files[i]
	r := report{
		data: schema.Document{{Name: "file", Value: f.Path}, {Name: "sha256", Value: f.SHA}, {Name: "widens", Value: []string{}}, {Name: "trusted", Value: f.Trusted}},
		text: f.Path + " is trusted\n",
	}
	if !f.Trusted {
		r.text = f.Path + " is not trusted\n"
		r.warnings = []fault.Text{fault.T("%s only narrows, so there is nothing to trust", "%s 只收紧权限，无需信任", f.Path)}
	}
	return a.report(r)
}
