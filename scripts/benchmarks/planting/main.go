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
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/testing/planting"
)

func main() {
	var s sample
	flag.IntVar(&s.cells, "cells", 0, "how many cells of the matrix to try, by chance; 0 is all")
	flag.IntVar(&s.ways, "ways", 0, "how many ways to try in each, by chance; 0 is all")
	flag.Uint64Var(&s.seed, "seed", 1, "of these choices")
	flag.StringVar(&s.only, "only", "", "only cells with this in their names")
	base := flag.String("dir", "/opt", "where to make workspaces; not in /tmp, which namespaces replace")
	flag.Parse()
	if _, err := measure(os.Stdout, *base, s); err != nil {
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

// sample is a choice of cells and ways.
type sample struct {
	cells, ways int // by chance; 0 is all
	seed        uint64
	only        string
}

// choose returns some of a list in a random order, or all of it as it is.
func choose[T any](all []T, most int, chance *rand.Rand) []T {
	if most > 0 {
		chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:min(most, len(all))]
	}
	return all
}

// measure tries a sample, and returns by how many ways code ran.
func measure(out io.Writer, base string, s sample) (planted int, err error) {
	top, err := os.MkdirTemp(base, "planting-benchmark-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(top)) }()
	program := filepath.Join(top, "helve")
	if said, err := exec.CommandContext(context.Background(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w %s", err, said)
	}
	chance := rand.New(rand.NewPCG(s.seed, 0))
	all := slices.DeleteFunc(cells(), func(c cell) bool { return !strings.Contains(c.String(), s.only) })
	tried := 0
	for i, c := range choose(all, s.cells, chance) {
		g, ran, err := c.try(filepath.Join(top, fmt.Sprint(i)), program, choose(planting.Ways(), s.ways, chance))
		if err != nil {
			return planted, fmt.Errorf("%s: %w", c, err)
		}
		tried, planted = tried+len(g.Ways), planted+len(ran)
		if _, err := fmt.Fprintf(out, "%-28s %d of %d ways %q\n", c, len(ran), len(g.Ways), ran); err != nil {
			return planted, err
		}
		if err := os.RemoveAll(filepath.Dir(g.Dir)); err != nil {
			return planted, err
		}
	}
	_, err = fmt.Fprintf(out, "%d of %d\n", planted, tried)
	return planted, err
}
