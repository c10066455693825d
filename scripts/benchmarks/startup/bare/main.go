// Command bare is the smallest Cobra program with many commands. What helve costs
// beyond it is helve's own.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"
)

// commands is the number of commands, set by the linker.
var commands = "1"

func main() {
	n, err := strconv.Atoi(commands)
	if err != nil {
		panic(err)
	}
	root := &cobra.Command{Use: "bare", Short: "A program with commands"}
	for i := range n {
		root.AddCommand(&cobra.Command{
			Use:   fmt.Sprintf("command%d", i),
			Short: "Print a constant",
			Args:  cobra.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error {
				_, err := fmt.Fprintln(c.OutOrStdout(), `{"ok":true}`)
				return err
			},
		})
	}
	if root.Execute() != nil {
		os.Exit(1)
	}
}
