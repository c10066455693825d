package catalog

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// registerCommand is "helve tools register".
func registerCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "register FILE", Args: out.Args(1, 1),
		Short:   p.Text("Make a manifest's program a tool, in every workspace"),
		Long:    p.Text("Copy a manifest to the person's own manifests, so that its program is a tool in every workspace. Later changes of FILE have no effect."),
		Example: p.Examples("helve tools register tools/count.json", p.Text("add a tool of your own")),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("register tools")); err != nil {
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
			return p.Report(out.Report{Data: registered(name, file, true), Text: p.Text("%s is registered: %s\n", name, file)})
		},
	}
}

// unregisterCommand is "helve tools unregister".
func unregisterCommand(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{
		Use: "unregister NAME", Aliases: []string{"remove"}, Args: out.Args(1, 1),
		Short:   p.Text("Remove a tool that was registered, or a server that was imported"),
		Example: p.Examples("helve tools unregister count", p.Text("remove it")),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := host.Personal(fault.T("unregister tools")); err != nil {
				return err
			}
			name := args[0]
			file, err := h.Dirs.Unregister(name)
			if fault.Is(err, fault.NotFound) {
				if forgotten, problem := h.Records().Forget(name); !fault.Is(problem, fault.NotFound) {
					file, err = forgotten, problem
				}
			}
			if err != nil {
				return err
			}
			return p.Report(out.Report{Data: registered(name, file, false), Text: p.Text("%s is no longer registered\n", name)})
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
		err = fault.New(fault.NotFound, fault.T("there is no file %s", name)).
			WithHint(fault.T("give the path of a manifest"))
	}
	return data, err
}
