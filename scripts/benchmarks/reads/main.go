// Command reads has the programs of this machine judge package classify: it composes
// command lines of their options, runs in the sandbox those that are judged to read, and
// reports each one that changes a file.
package main

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"strconv"
)

func main() {
	forms := flag.Int("forms", 20_000, "command lines to run")
	seed := flag.Uint64("seed", 1, "what they are composed from")
	flag.Parse()
	c := exec.CommandContext(context.Background(), "go", "test", "-count=1", "-timeout=3h", "-v", "-run=^TestPrograms$", "./pkg/shell/classify",
		"-forms="+strconv.Itoa(*forms), "-formseed="+strconv.FormatUint(*seed, 10))
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if c.Run() != nil {
		os.Exit(1)
	}
}
