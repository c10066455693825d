package cmd

import (
	"github.com/spf13/cobra"
)

// helpCommand is "helve help". What it prints is for people; a command that is
// not there is a usage error like any other.
func (a *app) helpCommand(group string) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command", GroupID: group,
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return a.unknownTool(append(rest, args...)[0])
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}
