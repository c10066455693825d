// Command growth compares what calls take, in processor time and in memory, in states of
// growing size: of files, a journal, an audit log, jobs and messages. A call that needs
// little of its state has the same figures in every column; one that has to look at all of
// it takes so much more for each entry, and no more than that.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
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
	memory.Launch()
	rounds := flag.Int("rounds", 9, "measure each call this often")
	only := flag.String("only", "", "measure only the calls with this in their name")
	binary := flag.String("helve", "", "the program to measure, else the tree's own")
	flag.Parse()
	if err := bench(context.Background(), os.Stdout, max(*rounds, 1), *only, *binary); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

const (
	// grown is the ratio of the largest state to the smallest from which a call is marked
	// that needs little of its state.
	grown = 2
	// steep is the power of the size from which a call is marked that looks at all of it.
	steep = 1.2
)

// place is a workspace of its own with a state of some size.
type place struct{ helve, dir string }

// subject is a call that is measured, and what makes its state.
type subject struct {
	name  string
	sizes []int
	all   bool // the call has to look at the whole state
	grow  func(ctx context.Context, p place, n int) error
	// calls are made one after the other in each round; the one at measured counts. ROUND in
	// an argument is the number of the round.
	calls    [][]string
	measured int
	serve    func(ctx context.Context, p place) (memory.Usage, error) // instead of calls
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
	if _, err := fmt.Fprintf(out, "%d rounds, %s %s/%s; entries, milliseconds of processor time and MB of memory, medians\n", rounds, runtime.Version(), runtime.GOOS, runtime.GOARCH); err != nil {
		return err
	}
	for i, s := range subjects() {
		if !strings.Contains(s.name, only) {
			continue
		}
		at := filepath.Join(dir, fmt.Sprint(i))
		row, err := s.measure(ctx, at, helve, rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if _, err := io.WriteString(out, row); err != nil {
			return err
		}
		if err := os.RemoveAll(at); err != nil {
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
	samples := make([][]memory.Usage, len(s.sizes))
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
			took, err := s.once(ctx, p, round)
			if err != nil {
				return "", err
			}
			if round > 0 {
				samples[i] = append(samples[i], took)
			}
		}
	}
	return s.row(samples), nil
}

// once makes the calls of a round.
func (s *subject) once(ctx context.Context, p place, round int) (took memory.Usage, err error) {
	if s.serve != nil {
		return s.serve(ctx, p)
	}
	number := strings.NewReplacer("ROUND", fmt.Sprint(round))
	for k, call := range s.calls {
		argv := make([]string, len(call))
		for i, arg := range call {
			argv[i] = number.Replace(arg)
		}
		used, err := p.call(ctx, argv...)
		if err != nil {
			return took, err
		}
		if k == s.measured {
			took = used
		}
	}
	return took, nil
}

func (s *subject) row(samples [][]memory.Usage) string {
	var row strings.Builder
	fmt.Fprintf(&row, "%-22s", s.name)
	times := make([]time.Duration, len(samples))
	for i, all := range samples {
		slices.SortFunc(all, func(a, b memory.Usage) int { return int(a.Time - b.Time) })
		middle := all[len(all)/2]
		times[i] = middle.Time
		fmt.Fprintf(&row, "%8d:%8.1f ms%5d MB", s.sizes[i], float64(middle.Time)/float64(time.Millisecond), middle.Memory>>20)
	}
	fmt.Fprintf(&row, "%8.2f%s\n", float64(times[len(times)-1])/float64(times[0]), s.mark(times))
	return row.String()
}

// mark returns what is to be said of a row.
func (s *subject) mark(times []time.Duration) string {
	last := len(times) - 1
	if !s.all {
		if float64(times[last]) >= grown*float64(times[0]) {
			return "  grows"
		}
		return ""
	}
	// The start of a process is the same for all.
	near, far := times[last-1]-times[0], times[last]-times[0]
	if near < time.Millisecond {
		near = time.Millisecond
	}
	power := math.Log(float64(far)/float64(near)) / math.Log(float64(s.sizes[last])/float64(s.sizes[last-1]))
	if far <= near {
		power = 0
	}
	text := fmt.Sprintf("  power %.2f", power)
	if power >= steep {
		text += "  super-linear"
	}
	return text
}

func (p place) workspace() string { return filepath.Join(p.dir, "workspace") }
func (p place) home() string      { return filepath.Join(p.dir, "home") }

// command returns a command of the program in the workspace.
func (p place) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, p.helve, args...)
	c.Dir = p.workspace()
	c.Env = append(os.Environ(), "HELVE_ROOT=", "HELVE_HOME="+p.home())
	return c
}

// call runs the program in the workspace, and checks that it did what it is measured for.
func (p place) call(ctx context.Context, args ...string) (memory.Usage, error) {
	c := p.command(ctx, args...)
	var out strings.Builder
	c.Stdout = &out
	used, err := memory.Run(c)
	if err != nil {
		return used, fmt.Errorf("helve %s: %w: %.300s", strings.Join(args, " "), err, out.String())
	}
	return used, nil
}

// state returns a path in the state directory of the workspace, which the first call made.
func (p place) state(name string) (string, error) {
	dirs, err := filepath.Glob(filepath.Join(p.home(), "state", "*-workspace"))
	if err != nil || len(dirs) != 1 {
		return "", fmt.Errorf("the state directory of %s: %v, %w", p.workspace(), dirs, err)
	}
	return filepath.Join(dirs[0], name), nil
}
