// Command docs writes the manual pages of all commands, for the packages: helve.1,
// helve-read.1 and so on, in the macros man(7). Their date is SOURCE_DATE_EPOCH or, where
// that is not set, that of the last commit, so that the same source makes the same bytes.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd"
)

func main() {
	dir := flag.String("dir", "man", "directory to write to, which must exist")
	flag.Parse()
	log.SetFlags(0)
	date, err := day()
	if err != nil {
		log.Fatalf("docs: set SOURCE_DATE_EPOCH, as there is no commit to take the date from: %v", err)
	}
	if err := write(cmd.Tree(), date, *dir); err != nil {
		log.Fatal(err)
	}
}

// day returns the date of the pages.
func day() (string, error) {
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	if seconds == "" {
		out, err := exec.CommandContext(context.Background(), "git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			return "", err
		}
		seconds = strings.TrimSpace(string(out))
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return "", err
	}
	return time.Unix(n, 0).UTC().Format(time.DateOnly), nil
}

// write writes the pages of a command and of those below it.
func write(c *cobra.Command, date, dir string) error {
	file := filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")
	if err := os.WriteFile(file, []byte(page(c, date)), 0o644); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if shown(sub) {
			if err := write(sub, date, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

func shown(c *cobra.Command) bool { return c.IsAvailableCommand() || c.Name() == "help" }
