package cmd

import (
	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// memoryKey is the setting that turns the memory of agents on.
const memoryKey = "switches.memory"

// memoryCommand is "helve memory": whether agents remember across sessions.
func memoryCommand(h *host.Host, out *Printer) *cobra.Command {
	c := &cobra.Command{
		Use: "memory", Args: takes(0, 0),
		Short: out.Text("Say whether agents remember across sessions, or turn that on or off"),
		Example: out.Examples(
			"helve memory", out.Text("whether it is on"),
			"helve memory off", out.Text("turn it off"),
		),
		RunE: func(*cobra.Command, []string) error {
			s, err := config.Load(h.Sources())
			if err != nil {
				return err
			}
			return reportMemory(out, s.All(memoryKey), s.Warnings)
		},
	}
	turn := func(word, short, value string) *cobra.Command {
		return &cobra.Command{
			Use: word, Short: short, Args: takes(0, 0), Example: c.Example,
			RunE: func(*cobra.Command, []string) error {
				if err := host.Personal(fault.T("turn the memory on or off")); err != nil {
					return err
				}
				entries, warnings, err := h.Set(memoryKey, value)
				if err != nil {
					return err
				}
				return reportMemory(out, entries, warnings)
			},
		}
	}
	c.AddCommand(
		turn("on", out.Text("Let agents remember across sessions"), "true"),
		turn("off", out.Text("Take the memory away from agents, without deleting it"), "false"),
	)
	return c
}

// reportMemory prints whether the memory is on. Without an entry the settings
// cannot be used, and a warning says so.
func reportMemory(out *Printer, entries []config.Entry, warnings []fault.Text) error {
	if len(entries) != 1 {
		return out.Report(report{data: schema.Document{{Name: "memory", Value: nil}}, text: out.Text("unknown\n"), warnings: warnings})
	}
	e := entries[0]
	text := out.Text("on  # %s\n", e.Origin.String())
	if string(e.Value) != "true" {
		text = out.Text("off  # %s\n", e.Origin.String())
	}
	return out.Report(report{data: schema.Document{{Name: "memory", Value: e.Value}, {Name: "origin", Value: e.Origin}}, text: text, warnings: warnings})
}
