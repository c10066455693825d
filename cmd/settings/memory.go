package settings

import (
	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// memoryKey is the setting that turns the memory of agents on.
const memoryKey = "switches.memory"

// Memory is "helve memory": whether agents remember across sessions.
func Memory(h *host.Host, p *out.Printer) *cobra.Command {
	c := &cobra.Command{
		Use: "memory", Args: out.Args(0, 0),
		Short: p.Text("Show whether agents remember across sessions, or turn that on or off"),
		Example: p.Examples(
			"helve memory", p.Text("whether it is on"),
			"helve memory off", p.Text("turn it off"),
		),
		RunE: func(*cobra.Command, []string) error {
			s, err := config.Load(h.Sources())
			if err != nil {
				return err
			}
			return reportMemory(p, s.All(memoryKey), s.Warnings)
		},
	}
	turn := func(word, short, value string) *cobra.Command {
		return &cobra.Command{
			Use: word, Short: short, Args: out.Args(0, 0), Example: c.Example,
			RunE: func(*cobra.Command, []string) error {
				if err := host.Personal(fault.T("turn the memory on or off")); err != nil {
					return err
				}
				entries, warnings, err := h.Set(memoryKey, value)
				if err != nil {
					return err
				}
				return reportMemory(p, entries, warnings)
			},
		}
	}
	c.AddCommand(
		turn("on", p.Text("Let agents remember across sessions"), "true"),
		turn("off", p.Text("Take the memory away from agents, without deleting it"), "false"),
	)
	return c
}

// reportMemory prints whether the memory is on. Without an entry the settings
// cannot be used, and a warning says so.
func reportMemory(p *out.Printer, entries []config.Entry, warnings []fault.Text) error {
	if len(entries) != 1 {
		return p.Report(out.Report{Data: schema.Document{{Name: "memory", Value: nil}}, Text: p.Text("unknown\n"), Warnings: warnings})
	}
	e := entries[0]
	text := p.Text("on  # %s\n", e.Origin.String())
	if string(e.Value) != "true" {
		text = p.Text("off  # %s\n", e.Origin.String())
	}
	return p.Report(out.Report{Data: schema.Document{{Name: "memory", Value: e.Value}, {Name: "origin", Value: e.Origin}}, Text: text, Warnings: warnings})
}
