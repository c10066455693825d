package cmd

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// registerCommand is "helve tools register".
func registerCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "register FILE", Args: takes(1, 1),
		Short: out.Text("Make a manifest's program a tool, in every workspace", "将清单中的程序注册为所有工作区可用的工具"),
		Long: out.Text("Copy a manifest to the person's own manifests, so that its program is a tool in every workspace. Later changes of FILE have no effect.",
			"将清单复制到用户自己的清单目录，使其程序成为所有工作区可用的工具。之后对 FILE 的修改不起作用。"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("register tools", "注册工具")); err != nil {
				return err
			}
			s, err := h.Settings()
			if err != nil {
				return err
			}
			data, err := readManifest(args[0])
			if err != nil {
				return err
			}
			name, file, err := s.Register(args[0], data)
			if err != nil {
				return err
			}
			return out.Report(report{data: registered(name, file, true), text: out.Text("%s is registered: %s\n", "%s 已注册：%s\n", name, file)})
		},
	}
}

// unregisterCommand is "helve tools unregister".
func unregisterCommand(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{
		Use: "unregister NAME", Aliases: []string{"remove"}, Args: takes(1, 1),
		Short: out.Text("Remove a tool that was registered, or a server that was imported", "移除已注册的工具或已导入的服务器"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("unregister tools", "注销工具")); err != nil {
				return err
			}
			name := args[0]
			file, err := h.Dirs.Unregister(name)
			if fault.Is(err, fault.NotFound) {
				if forgotten, problem := h.Forget(name); !fault.Is(problem, fault.NotFound) {
					file, err = forgotten, problem
				}
			}
			if err != nil {
				return err
			}
			return out.Report(report{data: registered(name, file, false), text: out.Text("%s is no longer registered\n", "%s 已注销\n", name)})
		},
	}
}

func registered(name, file string, registered bool) schema.Document {
	return schema.Document{{Name: "name", Value: name}, {Name: "file", Value: file}, {Name: "registered", Value: registered}}
}

// readManifest reads a manifest that a person names.
func readManifest(name string) ([]byte, error) {
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
