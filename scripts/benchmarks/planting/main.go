//go:build unix

// Command planting has commands plant code for the person in every way that package planting
// has, by the binary: as a call of exec, a server of imported tools and a scheduled job, in
// each kind of sandbox. Then the person works: while the command runs, while it runs in the
// background, and after helve was killed or hung up on. It prints the ways by which code ran.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/pkg/testing/planting"
)

func main() {
	sample := flag.Int("cells", 0, "how many cells of the matrix to try, by chance; 0 is all")
	seed := flag.Uint64("seed", 1, "of that choice")
	only := flag.String("only", "", "only cells with this in their names")
	base := flag.String("dir", "/opt", "where to make workspaces; not in /tmp, which namespaces replace")
	flag.Parse()
	if err := measure(os.Stdout, *base, *only, *sample, *seed); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// cell is a cell of the matrix.
type cell struct{ kind, caller, moment string }

func (c cell) String() string { return c.kind + " " + c.caller + " " + c.moment }

func cells() (all []cell) {
	for _, kind := range []string{"namespaces", "landlock"} {
		for _, caller := range []string{"exec", "server", "job"} {
			for _, moment := range []string{"during", "background", "KILL", "HUP"} {
				all = append(all, cell{kind, caller, moment})
			}
		}
	}
	return all
}

func measure(out io.Writer, base, only string, sample int, seed uint64) (err error) {
	top, err := os.MkdirTemp(base, "planting-benchmark-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(top)) }()
	program := filepath.Join(top, "helve")
	if said, err := exec.CommandContext(context.Background(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("%w %s", err, said)
	}
	all := cells()
	if sample > 0 {
		chance := rand.New(rand.NewPCG(seed, 0))
		chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:min(sample, len(all))]
	}
	ways := planting.Ways()
	tried, planted := 0, 0
	for i, c := range all {
		if !strings.Contains(c.String(), only) {
			continue
		}
		g, ran, err := c.try(filepath.Join(top, fmt.Sprint(i)), program, ways)
		if err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
		tried, planted = tried+len(g.Ways), planted+len(ran)
		if _, err := fmt.Fprintf(out, "%-28s %d of %d ways %q\n", c, len(ran), len(g.Ways), ran); err != nil {
			return err
		}
		if err := os.RemoveAll(filepath.Dir(g.Dir)); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "%d of %d\n", planted, tried)
	return err
}
