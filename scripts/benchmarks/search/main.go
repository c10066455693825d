// Command search compares the speed of helve and ripgrep for several classes of queries. It
// runs both in turn and checks that they find the same number of matches. It does not
// measure cold caches.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() {
	var b bench
	flag.StringVar(&b.rg, "rg", "rg", "ripgrep to compare with")
	flag.StringVar(&b.program, "helve", "", "helve to measure (default: built here, as for a release)")
	flag.StringVar(&b.big, "tree", "", "the larger tree (default: made of the module cache in a temporary directory)")
	flag.IntVar(&b.files, "files", 60_000, "files of the larger tree, if it is made")
	flag.IntVar(&b.log, "log", 1024, "megabytes of the log")
	flag.IntVar(&b.rounds, "rounds", 7, "measure each class this often")
	flag.Float64Var(&b.most, "max", 0, "fail if a class takes more than this many times what ripgrep takes (0: only report)")
	only := flag.String("only", "", "classes to measure, as a regular expression")
	flag.Parse()
	if err := b.run(context.Background(), os.Stdout, *only); err != nil {
		fmt.Fprintln(os.Stderr, "search:", err)
		os.Exit(1)
	}
}

type bench struct {
	rg, program, big string
	files, log       int
	rounds           int
	most             float64
	trees            map[string]string
}

// class is one kind of query: the arguments for ripgrep and for helve, and the goal
// for the ratio of their medians.
type class struct {
	name, tree string
	rg         []string
	tool, args string // for helve, with the arguments in JSON
	goal       float64
	counts     bool // the numbers of matching lines can be compared
}

func classes() []class {
	var all []class
	// Both programs must search the same files, and helve all of them.
	add := func(tree, name string, goal float64, counts bool, tool string, args map[string]any, rg ...string) {
		if tool == "grep" {
			args["hidden"] = false
			if tree == "log" {
				args["path"], rg = "log", append(rg, "log")
			}
		}
		if counts {
			args["total"] = true
		}
		text, err := json.Marshal(args)
		if err != nil {
			panic(err)
		}
		all = append(all, class{name, tree, rg, tool, string(text), goal, counts})
	}
	for _, tree := range []string{"go", "big"} {
		grep := func(name string, goal float64, pattern string, more map[string]any, rg ...string) {
			args := map[string]any{"pattern": pattern}
			maps.Copy(args, more)
			add(tree, name, goal, true, "grep", args, append(rg, pattern)...)
		}
		literal, words := "EOVERFLOW", "EOVERFLOW|ErrClosedPipe|MaxInt64Bits|SIGWINCH"
		add(tree, "list", 0.65, false, "find", map[string]any{"type": "file", "depth": 1000, "limit": 100_000, "details": false}, "--files", "--hidden")
		grep("literal", 0.70, literal, nil, "-n")
		grep("no match", 0.95, "EOVERFLOWN", nil, "-n")
		grep("no match, regex", 0.95, `[A-Z]+_RESUMEDLY\(`, nil, "-n")
		add(tree, "all hits", 1, false, "grep", map[string]any{"pattern": "SIGWINCH|EOVERFLOW|sync.Mutex", "limit": 10_000, "max_bytes": 4 << 20}, "-n", "SIGWINCH|EOVERFLOW|sync.Mutex")
		add(tree, "all hits, context", 1, false, "grep", map[string]any{"pattern": "sync.Mutex", "limit": 10_000, "max_bytes": 4 << 20, "context": 3}, "-n", "-C3", "sync.Mutex")
		grep("literal -i", 0.70, literal, map[string]any{"ignore_case": true}, "-n", "-i")
		grep("word", 0.70, literal, map[string]any{"word": true}, "-n", "-w")
		grep("alternates", 0.75, words, nil, "-n")
		grep("alternates -i", 0.75, words, map[string]any{"ignore_case": true}, "-n", "-i")
		grep("required", 0.70, `[A-Z]+_RESUME`, nil, "-n")
		grep("suffix", 0.70, `\wAh`, nil, "-n")
		grep("anchored", 0.70, `^func init\(\) \{$`, nil, "-n")
		grep("holmes", 0.70, `\w+\s+Holmes\s+\w+`, nil, "-n")
		grep("greek", 0.30, `\p{Greek}`, nil, "-n")
		grep("no literal", 0.50, `\w{5}\s+\w{5}\s+\w{5}\s+\w{5}\s+\w{5}`, nil, "-n")
		grep("files", 0.65, "sync.Mutex", map[string]any{"mode": "files"}, "-l")
		grep("count", 0.55, "return", map[string]any{"mode": "count"}, "-c")
		grep("all sorted", 0.40, words, nil, "-n", "--sort", "path")
		add(tree, "limit 100", 0.05, false, "grep", map[string]any{"pattern": "return"}, "-n", "return")
		add(tree, "limit 1", 0.05, false, "grep", map[string]any{"pattern": "return", "limit": 1}, "-n", "return")
		grep("multiline", 0.95, `import \(\n\t"bytes"\n`, map[string]any{"mode": "count"}, "-c", "-U")
		grep("multiline rare", 0.95, `\}\n\n\n+\w+ \w+ \w+\(`, map[string]any{"mode": "count"}, "--count-matches", "-U")
	}
	log := func(name string, goal float64, pattern string, more map[string]any, rg ...string) {
		args := map[string]any{"pattern": pattern}
		maps.Copy(args, more)
		add("log", name, goal, true, "grep", args, append(rg, pattern)...)
	}
	log("literal", 0.60, "deadbeefcafe", nil, "-n")
	log("no match", 0.95, "deadbeefcaff", nil, "-n")
	log("no match, regex", 0.95, `panic: .*shard=\d+,`, nil, "-n")
	log("literal -i", 0.60, "deadbeefcafe", map[string]any{"ignore_case": true}, "-n", "-i")
	log("alternates", 0.60, "deadbeefcafe|xyzzy1|quuxfrob|PANIC9", nil, "-n")
	log("regex", 0.60, `panic: .*shard=\d+`, nil, "-n")
	log("greek", 0.10, `\p{Greek}`, nil, "-n")
	log("no literal", 0.25, `\w{12}\s\w{12}\s\w{12}`, nil, "-n")
	log("count", 0.95, "status=500", map[string]any{"mode": "count"}, "-c")
	add("empty", "empty directory", 0.55, false, "grep", map[string]any{"pattern": "foo"}, "-n", "foo")
	add("small", "small literal", 0.75, true, "grep", map[string]any{"pattern": "EOVERFLOW"}, "-n", "EOVERFLOW")
	add("small", "small regex", 0.75, true, "grep", map[string]any{"pattern": `[A-Z]+_\w+ =`}, "-n", `[A-Z]+_\w+ =`)
	add("small", "small list", 0.75, false, "find", map[string]any{"type": "file", "limit": 100_000, "details": false}, "--files", "--hidden")
	return all
}

// sample is the time of one call.
type sample struct {
	wall, cpu time.Duration
	output    []byte
}

func (b *bench) run(ctx context.Context, out io.Writer, only string) error {
	dir, err := os.MkdirTemp("", "helve-search-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory
	filter, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	chosen := slices.DeleteFunc(classes(), func(c class) bool { return !filter.MatchString(c.tree + "/" + c.name) })
	if err := os.Setenv("HELVE_HOME", filepath.Join(dir, "home")); err != nil {
		return err
	}
	if err := b.prepare(ctx, dir, chosen); err != nil {
		return err
	}
	version, err := exec.CommandContext(ctx, b.rg, "--version").Output()
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(version), "\n")
	table := fmt.Sprintf("%s, %d rounds, %d processors, %s %s/%s; medians\n", first, b.rounds, runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	table += fmt.Sprintf("%-8s%-18s%9s%9s%8s%8s%7s%9s%9s  %s\n", "tree", "class", "rg ms", "helve ms", "ratio", "cpu", "goal", "rg MB", "helve MB", "matches")
	if _, err := io.WriteString(out, table); err != nil {
		return err
	}
	var slow []string
	for _, c := range chosen {
		row, ratio, err := b.measure(ctx, c)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(out, row); err != nil {
			return err
		}
		if b.most > 0 && ratio > b.most {
			slow = append(slow, c.tree+"/"+c.name)
		}
	}
	if len(slow) > 0 {
		return fmt.Errorf("over %.2f: %s", b.most, strings.Join(slow, ", "))
	}
	return nil
}

func (b *bench) measure(ctx context.Context, c class) (row string, ratio float64, err error) {
	var theirs, ours []sample
	dir := b.trees[c.tree]
	rg := append([]string{"--no-config", "--no-messages"}, c.rg...)
	if c.tree != "log" && c.rg[0] != "--files" {
		rg = append(rg, ".")
	}
	for round := range b.rounds + 1 {
		pair := []struct {
			name string
			args []string
			to   *[]sample
		}{{b.rg, rg, &theirs}, {b.program, []string{c.tool, c.args}, &ours}}
		if round%2 == 1 {
			slices.Reverse(pair)
		}
		for _, p := range pair {
			s, err := call(ctx, dir, p.name, p.args)
			if err != nil {
				return "", 0, err
			}
			if round > 0 { // the first round warms up
				*p.to = append(*p.to, s)
			}
		}
	}
	median := func(samples []sample, of func(sample) time.Duration) float64 {
		slices.SortFunc(samples, func(x, y sample) int { return cmp.Compare(of(x), of(y)) })
		return float64(of(samples[len(samples)/2])) / 1e6
	}
	wall := func(s sample) time.Duration { return s.wall }
	cpu := func(s sample) time.Duration { return s.cpu }
	theirMemory, err := memory(ctx, dir, b.rg, rg)
	if err != nil {
		return "", 0, err
	}
	ourMemory, err := memory(ctx, dir, b.program, []string{c.tool, c.args})
	if err != nil {
		return "", 0, err
	}
	agreed, err := b.agreement(ctx, c, rg, theirs[0].output, ours[0].output)
	if err != nil {
		return "", 0, err
	}
	t, o := median(theirs, wall), median(ours, wall)
	ratio = o / t
	return fmt.Sprintf("%-8s%-18s%9.1f%9.1f%8.3f%8.3f%7.2f%9.1f%9.1f  %s\n", c.tree, c.name, t, o, ratio,
		median(ours, cpu)/median(theirs, cpu), c.goal, theirMemory, ourMemory, agreed), ratio, nil
}

// call runs a program and reads its output, as a caller would.
func call(ctx context.Context, dir, name string, args []string) (sample, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	begin := time.Now()
	out, err := cmd.Output()
	took := time.Since(begin)
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return sample{}, fmt.Errorf("%s %q: %w", name, args, err)
	}
	state := cmd.ProcessState
	return sample{took, state.UserTime() + state.SystemTime(), out}, nil
}

// memory returns the largest resident set of a program, in MiB. It is approximate,
// and 0 if the system does not report it.
func memory(ctx context.Context, dir, name string, args []string) (float64, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	most := 0
	status := fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)
	watch := func() {
		content, err := os.ReadFile(status)
		if err != nil {
			return
		}
		if _, after, ok := strings.Cut(string(content), "VmHWM:"); ok {
			kib := 0
			if _, err := fmt.Sscan(after, &kib); err == nil {
				most = max(most, kib)
			}
		}
	}
	done := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, out)
		done <- errors.Join(err, ignoreStatus(cmd.Wait()))
	}()
	for {
		select {
		case err := <-done:
			return float64(most) / 1024, err
		case <-time.After(time.Millisecond):
			watch()
		}
	}
}

// ignoreStatus drops the error of exit status 1, which means that nothing was found.
func ignoreStatus(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil
	}
	return err
}

func run(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	return strings.TrimSpace(string(out)), err
}

// prepare builds the program and the trees that the classes need.
func (b *bench) prepare(ctx context.Context, dir string, chosen []class) error {
	needs := func(tree string) bool {
		return slices.ContainsFunc(chosen, func(c class) bool { return c.tree == tree })
	}
	if b.program == "" {
		b.program = filepath.Join(dir, "helve.exe")
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", b.program, ".")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	goroot, err := run(ctx, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	modules, err := run(ctx, "go", "env", "GOMODCACHE")
	if err != nil {
		return err
	}
	b.trees = map[string]string{
		"go": filepath.Join(goroot, "src"), "big": b.big, "small": filepath.Join(dir, "small"),
		"empty": filepath.Join(dir, "empty"), "log": filepath.Join(dir, "log"),
	}
	if err := os.Mkdir(b.trees["empty"], 0o755); err != nil {
		return err
	}
	if needs("small") {
		if err := plant(b.trees["small"], filepath.Join(goroot, "src"), 600); err != nil {
			return err
		}
	}
	if needs("big") && b.big == "" {
		b.trees["big"] = filepath.Join(dir, "big")
		if err := plant(b.trees["big"], modules, b.files); err != nil {
			return err
		}
	}
	if needs("log") {
		return writeLog(b.trees["log"], b.log)
	}
	return nil
}
