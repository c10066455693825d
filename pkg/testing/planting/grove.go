package planting

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const planter = `
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
hook() { mkdir -p "$(dirname "$1")"; printf '#!/bin/sh\n%s\n' "$P" > "$1"; chmod +x "$1"; }
evil() { printf '[core]\n\tfsmonitor = "%s;:"\n' "$P" >> "$1"; }
`

// Judges are the programs that a grove needs.
var Judges = [...]string{"git", "bash", "python3"}

// Grove is a directory with a repository for each way, and the person's home, which a
// command may write to neither.
type Grove struct {
	Dir, Home string
	Ways      []Way
}

// New makes a grove in two directories.
func New(dir, home string, ways []Way) (*Grove, error) {
	g := &Grove{dir, home, ways}
	if err := g.Person("HOME", `git config --global user.name a; git config --global user.email a@b; git config --global protocol.file.allow always; git config --global init.defaultBranch main
		mkdir -p template/hooks template/info; git config --global init.templateDir ~/template
		git config --global advice.addEmbeddedRepo false; mkdir marks lib; cd lib; git init -q; git commit -q --allow-empty -m lib; cd ..; git init -q one; cd one; echo a > a; git add a; git commit -qm a
		git submodule --quiet add ../lib sub; git commit -qm sub; git branch other`); err != nil {
		return nil, err
	}
	var script strings.Builder
	for i, w := range g.Ways {
		fmt.Fprintf(&script, "cp -r \"$HOME/one\" w%d; (cd w%d; %s) || exit 1\n", i, i, w.Before)
	}
	return g, g.Person("", script.String())
}

// Person runs a script as the person, in the home or in a directory of the grove.
func (g *Grove) Person(in, script string) error {
	c := exec.CommandContext(context.Background(), "sh", "-c", script)
	c.Dir = filepath.Join(g.Dir, in)
	if in == "HOME" {
		c.Dir = g.Home
	}
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + g.Home, "GIT_CONFIG_NOSYSTEM=1", "GIT_EDITOR=true"}
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w %s", err, out)
	}
	return nil
}

// Script does what all ways do, each in its directory.
func (g *Grove) Script() string {
	var b strings.Builder
	b.WriteString(planter)
	for i, w := range g.Ways {
		fmt.Fprintf(&b, "(cd w%d && P='touch %s' && %s) >/dev/null 2>&1\n", i, g.mark(i), w.Plant)
	}
	return b.String() + "true\n"
}

func (g *Grove) mark(i int) string { return filepath.Join(g.Home, "marks", fmt.Sprint(i)) }

// Harvest has the person act after each way, and returns the names of those by which code
// ran.
func (g *Grove) Harvest() (ran []string) {
	for i, w := range g.Ways {
		_ = os.Remove(g.mark(i))                   // what a command runs by itself is not what the person runs
		_ = g.Person(fmt.Sprintf("w%d", i), w.Act) // whatever comes of it
		if _, err := os.Stat(g.mark(i)); err == nil {
			ran = append(ran, w.Name)
		}
	}
	return ran
}
