// Command helve is the handle by which an agent grips its tools.
package main

import (
	"os"

	"github.com/helve-dev/helve/cmd"
)

func main() { os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
