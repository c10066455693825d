// Command docs writes the documentation that is packed, from the definitions: the manual
// pages of all commands (helve.1, helve-read.1 and so on), of the settings (helve-config.5)
// and of the recipes (helve-recipes.7), and one page of HTML with all of it, the README and
// the documents in docs that it lists.
// Their date is SOURCE_DATE_EPOCH or, where that is not set, that of the last commit, so
// that the same source makes the same bytes.
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
	man := flag.String("man", "", "directory to write manual pages to, which must exist")
	html := flag.String("html", "", "file to write the page to, in a directory that must exist")
	readme := flag.String("readme", "README.md", "the README, beside docs")
	flag.Parse()
	log.SetFlags(0)
	if *man == "" && *html == "" || flag.NArg() > 0 {
		log.Fatal("usage: docs [-man DIR] [-html FILE] [-readme FILE]")
	}
	date, err := day()
	if err != nil {
		log.Fatalf("docs: set SOURCE_DATE_EPOCH, as there is no commit to take the date from: %v", err)
	}
	if *man != "" {
		if err := writeMan(cmd.Tree(), date, *man); err != nil {
			log.Fatal(err)
		}
	}
	if *html != "" {
		if err := writePage(*readme, date, *html); err != nil {
			log.Fatal(err)
		}
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

// writeMan writes the manual pages.
func writeMan(root *cobra.Command, date, dir string) error {
	pages := map[string]string{}
	for _, c := range walk(root) {
		pages[pageName(c)+".1"] = page(c, date)
	}
	var err error
	if pages["helve-config.5"], err = settingsPage(date); err != nil {
		return err
	}
	if pages["helve-recipes.7"], err = recipesPage(date); err != nil {
		return err
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// walk returns a command and those below it, as help shows them.
func walk(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if shown(sub) {
			all = append(all, walk(sub)...)
		}
	}
	return all
}

func shown(c *cobra.Command) bool { return c.IsAvailableCommand() || c.Name() == "help" }

// pageName returns the name of a command's page, without the section.
func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }
