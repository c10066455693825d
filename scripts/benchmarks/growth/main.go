// Command growth compares what calls take, in processor time and in memory, in states of
// growing size: of a journal, an audit log, jobs and messages. A call whose work does not
// grow with its state has the same figures in every column.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/scripts/benchmarks/memory"
)

func main() {
	rounds := flag.Int("rounds", 9, "measure each call this often")
	only := flag.String("only", "", "measure only the calls with this in their name")
	binary := flag.String("helve", "", "the program to measure, else the tree's own")
	flag.Parse()
	if err := bench(context.Background(), os.Stdout, max(*rounds, 1), *only, *binary); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

// linear is the ratio from which a row is marked: the state is ten thousand times larger.
const linear = 2

// place is a workspace of its own with a state of some size.
type place struct{ helve, dir string }

// subject is a call that is measured, and what makes its state.
type subject struct {
	name  string
	sizes []int
	grow  func(ctx context.Context, p place, n int) error
	// calls are made one after the other in each round; the one at measured counts.
	calls    [][]string
	measured int
}

func bench(ctx context.Context, out io.Writer, rounds int, only, helve string) error {
	dir, err := os.MkdirTemp("", "helve-growth-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory
	if helve == "" {
		helve = filepath.Join(dir, "helve.exe")
		if err := build(ctx, helve); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(out, "%d rounds, %s %s/%s; milliseconds of processor time and MB of memory, medians\n", rounds, runtime.Version(), runtime.GOOS, runtime.GOARCH); err != nil {
		return err
	}
	for i, s := range subjects() {
		if !strings.Contains(s.name, only) {
			continue
		}
		row, err := s.measure(ctx, filepath.Join(dir, fmt.Sprint(i)), helve, rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if _, err := io.WriteString(out, row); err != nil {
			return err
		}
	}
	return nil
}

func build(ctx context.Context, to string) error {
	c := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", to, ".")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	c.Stderr = os.Stderr
	return c.Run()
}

// measure returns the row of a call: a figure for each size, in turns, and the ratio of the
// largest to the smallest.
func (s *subject) measure(ctx context.Context, dir, helve string, rounds int) (string, error) {
	samples := make([][]sample, len(s.sizes))
	var places []place
	for _, n := range s.sizes {
		p := place{helve, filepath.Join(dir, fmt.Sprint(n))}
		if err := os.MkdirAll(p.workspace(), 0o755); err != nil {
			return "", err
		}
		if err := s.grow(ctx, p, n); err != nil {
			return "", err
		}
		places = append(places, p)
	}
	for round := range rounds + 1 { // the first warms up
		for i, p := range places {
			for k, argv := range s.calls {
				took, err := p.call(ctx, argv...)
				if err != nil {
					return "", err
				}
				if round > 0 && k == s.measured {
					samples[i] = append(samples[i], took)
				}
			}
		}
	}
	return s.row(samples), nil
}

func (s *subject) row(samples [][]sample) string {
	var row strings.Builder
	fmt.Fprintf(&row, "%-22s", s.name)
	times := make([]time.Duration, len(samples))
	for i, all := range samples {
		slices.SortFunc(all, func(a, b sample) int { return int(a.time - b.time) })
		middle := all[len(all)/2]
		times[i] = middle.time
		fmt.Fprintf(&row, "%8d:%8.1f ms%5d MB", s.sizes[i], float64(middle.time)/float64(time.Millisecond), middle.memory>>20)
	}
	ratio := float64(times[len(times)-1]) / float64(times[0])
	fmt.Fprintf(&row, "%8.2f", ratio)
	if ratio >= linear {
		row.WriteString("  grows")
	}
	return row.String() + "\n"
}

// sample is the processor time of one process, its children's with it, and the most memory
// that it had, in bytes.
type sample struct {
	time   time.Duration
	memory int64
}

func (p place) workspace() string { return filepath.Join(p.dir, "workspace") }
func (p place) home() string      { return filepath.Join(p.dir, "home") }

// call runs the program in the workspace, and checks that it did what it is measured for.
func (p place) call(ctx context.Context, args ...string) (sample, error) {
	c := exec.CommandContext(ctx, p.helve, args...)
	c.Dir = p.workspace()
	c.Env = append(os.Environ(), "HELVE_ROOT=", "HELVE_HOME="+p.home())
	out, err := c.Output()
	if err != nil {
		return sample{}, fmt.Errorf("helve %s: %w: %.300s", strings.Join(args, " "), err, out)
	}
	return sample{c.ProcessState.UserTime() + c.ProcessState.SystemTime(), memory.Peak(c.ProcessState)}, nil
}

// state returns a path in the state directory of the workspace, which the first call made.
func (p place) state(name string) (string, error) {
	dirs, err := filepath.Glob(filepath.Join(p.home(), "state", "*-workspace"))
	if err != nil || len(dirs) != 1 {
		return "", fmt.Errorf("the state directory of %s: %v, %w", p.workspace(), dirs, err)
	}
	return filepath.Join(dirs[0], name), nil
}
