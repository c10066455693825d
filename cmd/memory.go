package cmd

import (
	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// memoryKey is the setting that the memory depends on.
const memoryKey = "switches.memory"

// memoryCommand is "helve memory": whether agents remember across sessions.
func (a *app) memoryCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "memory", Short: "Say whether agents remember across sessions, or turn that on or off", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			s, err := config.Load(a.Sources())
			if err != nil {
				return err
			}
			return a.memory(s.All(memoryKey), s.Warnings)
		},
	}
	turn := func(word, short, value string) *cobra.Command {
		return &cobra.Command{
			Use: word, Short: short, Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				if err := host.Personal(fault.T("turn the memory on or off", "开启或关闭记忆")); err != nil {
					return err
				}
				entries, warnings, err := a.Set(memoryKey, value)
				if err != nil {
					return err
				}
				return a.memory(entries, warnings)
			},
		}
	}
	c.AddCommand(
		turn("on", "Let agents remember across sessions", "true"),
		turn("off", "Take the memory away from agents, without deleting it", "false"),
	)
	return c
}

// memory prints the state of the switch; there is none where the settings
// cannot be used, which a warning then says.
func (a *app) memory(entries []config.Entry, warnings []fault.Text) error {
	r := report{data: schema.Document{{Name: "memory", Value: nil}}, text: "unknown\n", warnings: warnings}
	if len(entries) == 1 {
		e := entries[0]
		r.data = schema.Document{{Name: "memory", Value: e.Value}, {Name: "origin", Value: e.Origin}}
		r.text = "on  # " + e.Origin.String() + "\n"
		if string(e.Value) != "true" {
			r.text = "off  # " + e.Origin.String() + "\n"
		}
	}
	return a.report(r)
}
