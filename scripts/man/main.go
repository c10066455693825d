// Command man writes the manual pages of all commands, for the packages. It is not
// part of helve because the library for it would cost each call half a millisecond.
package main

import (
	"flag"
	"log"

	"github.com/spf13/cobra/doc"

	"github.com/helve-dev/helve/cmd"
)

func main() {
	dir := flag.String("dir", "man", "directory to write to, which must exist")
	flag.Parse()
	root := cmd.Tree()
	root.DisableAutoGenTag = true // the same source makes the same bytes
	if err := doc.GenManTree(root, &doc.GenManHeader{Title: "HELVE", Section: "1", Source: "helve"}, *dir); err != nil {
		log.Fatal(err)
	}
}
