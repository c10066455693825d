// Command patch measures how many real changes land when the patch was damaged in the
// ways in which agents damage patches, and that none lands where it should not.
// GNU patch and git apply do the same beside it.
//
// The changes are those between consecutive releases of Go modules, or the
// commits of a git repository.
//
//	scripts/run benchmarks/patch [-n files] [-modules a,b] [-show variant] [-drawn patches] [repository]
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/patch"
)

// change is one file of one commit or release.
type change struct {
	name     string // where it is from
	file     string // base name
	old, new string
}

// outcome is the result of an engine. Wrong is a success with any text but the right one,
// such as the unchanged text.
type outcome int

const (
	landed outcome = iota
	refused
	wrong
)

// engine applies a patch of one file to a text; ok is false when it refuses.
type engine struct {
	name  string
	apply func(dir, file, src, diff string) (text string, ok bool)
}

func main() {
	n := flag.Int("n", 320, "how many changed files to take")
	modules := flag.String("modules", "github.com/spf13/cobra,golang.org/x/text,golang.org/x/tools,mvdan.cc/sh/v3",
		"modules whose releases are compared")
	show := flag.String("show", "", "print what helve refuses of this variant")
	drawn := flag.Int("drawn", 0, "instead take so many patches drawn as models write them")
	flag.Parse()
	if *drawn > 0 {
		if err := runDrawn(*drawn); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := run(context.Background(), *n, strings.Split(*modules, ","), flag.Arg(0), *show); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, n int, modules []string, repository, show string) error {
	var all []change
	var err error
	if repository != "" {
		all, err = commits(ctx, repository, 20*n)
	} else {
		all, err = releases(ctx, modules)
	}
	if err != nil {
		return err
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = all[:min(n, len(all))]
	dir, err := os.MkdirTemp("", "patch-benchmark-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // only in the system's temporary directory

	engines := []engine{{"helve", helve}, {"GNU patch", gnuPatch(ctx)}, {"git apply", gitApply(ctx)}}
	fmt.Printf("%d changed files\n\n%-34s", len(all), "")
	for _, e := range engines {
		fmt.Printf("  %-24s", e.name)
	}
	fmt.Printf("\n%-34s", "variant (cases)")
	for range engines {
		fmt.Printf("  %7s %7s %7s ", "landed", "refused", "WRONG")
	}
	fmt.Println()
	reasons := map[string]int{}
	for _, v := range variants {
		counts := make([][3]int, len(engines))
		cases := 0
		for i, c := range all {
			src, diff, want, ok := v.make(ctx, dir, c, rand.New(rand.NewPCG(uint64(i), 7)))
			if !ok {
				continue
			}
			cases++
			for k, e := range engines {
				o := judge(e, dir, c.file, src, diff, want)
				counts[k][o]++
				if k == 0 && o != landed {
					code := why(src, diff)
					reasons[v.name+": "+code]++
					if o == wrong || show == v.name {
						fmt.Printf("--- %s %s\n%s", c.name, code, diff)
					}
				}
			}
		}
		fmt.Printf("%-34s", fmt.Sprintf("%s (%d)", v.name, cases))
		for _, c := range counts {
			fmt.Printf("  %7d %7d %7d ", c[landed], c[refused], c[wrong])
		}
		fmt.Println()
	}
	fmt.Println("\nwhy helve refused:")
	var lines []string
	for r, n := range reasons {
		lines = append(lines, fmt.Sprintf("  %s %d", r, n))
	}
	slices.SortFunc(lines, cmp.Compare)
	fmt.Println(strings.Join(lines, "\n"))
	return nil
}

// judge runs an engine. If want is "", the patch must be refused.
func judge(e engine, dir, file, src, diff, want string) outcome {
	text, ok := e.apply(dir, file, src, diff)
	switch {
	case !ok:
		return refused
	case text == want:
		return landed
	}
	return wrong
}

func helve(_, _, src, diff string) (string, bool) {
	text, err := apply(src, diff)
	return text, err == nil
}

func apply(src, diff string) (string, error) {
	files, err := patch.Parse(diff, "")
	if err != nil {
		return "", err
	}
	if len(files) != 1 {
		return "", fault.New(fault.PatchSyntax, fault.T("%d files", len(files)))
	}
	r, err := patch.Apply(src, files[0])
	return r.Text, err
}

func why(src, diff string) string {
	_, err := apply(src, diff)
	if err == nil {
		return "WRONG"
	}
	return string(fault.As(err).Code)
}

// gnuPatch and gitApply work on a file in a directory of its own.
func gnuPatch(ctx context.Context) func(dir, file, src, diff string) (string, bool) {
	return outside(func(at, _ string) *exec.Cmd {
		return exec.CommandContext(ctx, "patch", "-p1", "--batch", "--forward", "--silent", "-d", at)
	})
}

func gitApply(ctx context.Context) func(dir, file, src, diff string) (string, bool) {
	return outside(func(at, diff string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "git", "apply", "--whitespace=nowarn", "-")
		if !strings.Contains(diff, "\n ") { // git needs a flag for a diff without context
			cmd.Args = append(cmd.Args, "--unidiff-zero")
		}
		cmd.Dir = at
		return cmd
	})
}

func outside(command func(at, diff string) *exec.Cmd) func(dir, file, src, diff string) (string, bool) {
	return func(dir, file, src, diff string) (string, bool) {
		at := filepath.Join(dir, "work")
		path := filepath.Join(at, file)
		if os.RemoveAll(at) != nil || os.Mkdir(at, 0o700) != nil || os.WriteFile(path, []byte(src), 0o600) != nil {
			return "", false
		}
		cmd := command(at, diff)
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+dir)
		cmd.Stdin = strings.NewReader(diff)
		if cmd.Run() != nil {
			return "", false
		}
		text, err := os.ReadFile(path)
		return string(text), err == nil
	}
}
