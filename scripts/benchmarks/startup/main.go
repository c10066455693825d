// Command startup compares the time of calls that do almost nothing with that of a
// bare Cobra program with as many commands, in turns within one run. It says
// nothing about tools that have work to do.
package main

import (
	"context"
	"errors"
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
)

const warmup = 10

func main() {
	rounds := flag.Int("rounds", 200, "measure each program this often")
	most := flag.Float64("max", 0, "fail if helve takes more than this many times what the bare program takes (0: only report)")
	flag.Parse()
	if err := bench(context.Background(), os.Stdout, max(*rounds, 1), *most); err != nil {
		fmt.Fprintln(os.Stderr, "startup:", err)
		os.Exit(1)
	}
}

// subject is one command line and how long its calls took.
type subject struct {
	name  string
	argv  []string
	times []time.Duration
}

func bench(ctx context.Context, out io.Writer, rounds int, most float64) error {
	dir, err := os.MkdirTemp("", "helve-startup-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory
	commands, subjects, err := prepare(ctx, dir)
	if err != nil {
		return err
	}
	for round := range warmup + rounds {
		for i := range subjects {
			// Nobody is always the one after the same neighbour.
			s := &subjects[(i+round)%len(subjects)]
			took, err := s.call(ctx, dir)
			if err != nil {
				return err
			}
			if round >= warmup {
				s.times = append(s.times, took)
			}
		}
	}
	var table strings.Builder
	fmt.Fprintf(&table, "%d rounds, %d commands, %s %s/%s\n", rounds, commands, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(&table, "%-12s%10s%10s%8s\n", "program", "median", "90%", "ratio")
	for i := range subjects {
		table.WriteString(subjects[i].row(&subjects[0]))
	}
	if _, err := io.WriteString(out, table.String()); err != nil {
		return err
	}
	return judge(subjects, most)
}

// prepare builds both programs and a small file to read.
func prepare(ctx context.Context, dir string) (int, []subject, error) {
	helve, bare := filepath.Join(dir, "helve.exe"), filepath.Join(dir, "bare.exe")
	if err := build(ctx, helve, ".", ""); err != nil {
		return 0, nil, err
	}
	commands, err := countCommands(ctx, helve)
	if err != nil {
		return 0, nil, err
	}
	if err := build(ctx, bare, "scripts/benchmarks/startup/bare", fmt.Sprintf("-X main.commands=%d", commands)); err != nil {
		return 0, nil, err
	}
	small := strings.Repeat("a line of a small file\n", 20)
	if err := os.Mkdir(workspace(dir), 0o755); err != nil {
		return 0, nil, err
	}
	if err := os.WriteFile(filepath.Join(workspace(dir), "small.txt"), []byte(small), 0o644); err != nil {
		return 0, nil, err
	}
	return commands, []subject{
		{name: "bare cobra", argv: []string{bare, "command0"}},
		{name: "helve time", argv: []string{helve, "time"}},
		{name: "helve read", argv: []string{helve, "read", "small.txt"}},
	}, nil
}

// workspace returns the working directory of the programs. The state lies outside of it,
// as in real use.
func workspace(dir string) string { return filepath.Join(dir, "workspace") }

// build compiles like a release, and installs a copy. Data written by the linker lies in
// memory in single pages, and starts the slower the larger it is, until it is copied or
// the machine is restarted.
func build(ctx context.Context, to, dir, ldflags string) error {
	linked := to + ".linked"
	c := exec.CommandContext(ctx, "go", "build", "-C", dir, "-trimpath", "-ldflags", "-s -w "+ldflags, "-o", linked, ".")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		return err
	}
	program, err := os.ReadFile(linked)
	if err != nil {
		return err
	}
	return os.WriteFile(to, program, 0o755)
}

// countCommands asks the shell completion, which knows them all.
func countCommands(ctx context.Context, helve string) (int, error) {
	out, err := exec.CommandContext(ctx, helve, "__complete", "").Output()
	if err != nil {
		return 0, fmt.Errorf("listing the commands of helve: %w", err)
	}
	n := 0
	for line := range strings.Lines(string(out)) {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, ":") {
			n++
		}
	}
	if n == 0 {
		return 0, errors.New("helve completes no commands")
	}
	return n, nil
}

// call runs the program once and checks that it did what it is timed for.
func (s *subject) call(ctx context.Context, dir string) (time.Duration, error) {
	c := exec.CommandContext(ctx, s.argv[0], s.argv[1:]...)
	c.Dir = workspace(dir)
	c.Env = append(os.Environ(), "HELVE_ROOT=", "HELVE_HOME="+filepath.Join(dir, "home"))
	began := time.Now()
	out, err := c.Output()
	took := time.Since(began)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", s.name, err)
	}
	if !strings.HasPrefix(string(out), `{"ok":true`) {
		return 0, fmt.Errorf("%s printed %q", s.name, out)
	}
	return took, nil
}

func (s *subject) row(base *subject) string {
	return fmt.Sprintf("%-12s%7.2f ms%7.2f ms%8.2f\n", s.name, milliseconds(s.quantile(0.5)), milliseconds(s.quantile(0.9)), s.ratio(base))
}

// judge fails for those that take more than most times what the first one takes.
func judge(subjects []subject, most float64) error {
	var slow []string
	for i := range subjects[1:] {
		if s := &subjects[i+1]; most > 0 && s.ratio(&subjects[0]) > most {
			slow = append(slow, s.name)
		}
	}
	if slow != nil {
		return fmt.Errorf("more than %.2f times the bare program: %s", most, strings.Join(slow, ", "))
	}
	return nil
}

// ratio returns the ratio of the medians.
func (s *subject) ratio(base *subject) float64 {
	return float64(s.quantile(0.5)) / float64(base.quantile(0.5))
}

func (s *subject) quantile(q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(s.times))
	return sorted[int(q*float64(len(sorted)-1))]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
