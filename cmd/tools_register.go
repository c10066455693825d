package cmd

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/fault"
)

// untrusted tells of the tools that the workspace brings along and nobody
// trusts; it is empty when there is none.
func untrusted(found []manifest.Found) fault.Text {
	var names []string
	for _, f := range found {
		if f.SHA != "" && !f.Trusted {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return fault.Text{}
	}
	return fault.T("the workspace's own tools are ignored: %s; a person who trusts them runs helve config trust",
		"工作区自带的工具已被忽略：%s；信任它们的用户可运行 helve config trust", strings.Join(names, ", "))
}

// registerCommand is "helve tools register".
func (a *app) registerCommand() *cobra.Command {
	return &cobra.Command{
		Use: "register FILE", Short: "Make a manifest's program a tool, in every workspace", Args: cobra.ExactArgs(1),
		Long: "Copy a manifest to the person's own, so that its program is a tool in every workspace. What it says is taken as it is now: later changes of FILE change nothing.",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("register tools", "注册工具")); err != nil {
				return err
			}
			data, err := a.manifestFile(args[0])
			if err != nil {
				return err
			}
			name, file, err := a.Register(args[0], data)
			if err != nil {
				return err
			}
			return a.registered(name, file, true)
		},
	}
}

// unregisterCommand is "helve tools unregister".
func (a *app) unregisterCommand() *cobra.Command {
	return &cobra.Command{
		Use: "unregister NAME", Short: "Take back what register did", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("unregister tools", "注销工具")); err != nil {
				return err
			}
			file, err := a.Unregister(args[0])
			if err != nil {
				return err
			}
			return a.registered(args[0], file, false)
		},
	}
}

// validateTools is "helve tools validate".
func (a *app) validateTools() *cobra.Command {
	return &cobra.Command{
		Use: "validate [FILE]…", Short: "Say what is wrong with manifests: those given, or all that are looked at", Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := a.Settings()
			if err != nil {
				return err
			}
			var problems manifest.Problems
			valid := []string{}
			for _, file := range args {
				data, err := a.manifestFile(file)
				if err != nil {
					return err
				}
				t, wrong := manifest.Parse(file, data, s.ManifestOptions())
				if problems = append(problems, wrong...); t != nil {
					valid = append(valid, t.Name)
				}
			}
			if len(args) == 0 {
				for _, f := range s.Manifests() {
					if problems = append(problems, f.Problems...); f.Tool != nil {
						valid = append(valid, f.Name)
					}
				}
			}
			return a.report(report{data: validated{valid}, text: strings.Join(slices.Concat(valid, []string{""}), " is valid\n"), failure: problems.Err()})
		},
	}
}

type validated struct {
	Valid []string `json:"valid"` // names of the tools that were found right
}

// manifestFile reads a manifest that a person names.
func (a *app) manifestFile(name string) ([]byte, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, fault.System(err, name)
	}
	data, err := config.Read(config.File{Source: config.Flag, Path: path})
	if err == nil && data == nil {
		err = fault.New(fault.NotFound, fault.T("there is no file %s", "文件 %s 不存在", name)).
			WithHint(fault.T("give the path of a manifest", "请给出清单文件的路径"))
	}
	return data, err
}

func (a *app) registered(name, file string, there bool) error {
	text := name + " is registered: " + file + "\n"
	if !there {
		text = name + " is no longer registered\n"
	}
	return a.report(report{data: struct {
		Name       string `json:"name"`
		File       string `json:"file"`
		Registered bool   `json:"registered"`
	}{name, file, there}, text: text})
}
