// Command helve gives AI agents their tools, a subcommand each.
package main

import (
	"os"

	"github.com/helve-dev/helve/cmd"
)

func main() { os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
