// Search times searches against ripgrep, class by class, in one run and in
// turns, and checks that both find as much. It says nothing about cold caches.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
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
	flag.StringVar(&b.program, "program", "", "program to measure (default: scripts/benchmarks/search/program, built here)")
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

// class is one kind of query: what to pass to ripgrep and to our program, and
// what the medians' ratio should not exceed.
type class struct {
	name, tree string
	rg, ours   []string
	goal       float64
	counts     bool // the numbers of matching lines can be compared
}

func classes() []class {
	var all []class
	for _, tree := range []string{"go", "big"} {
		add := func(name string, goal float64, rg, ours []string) {
			all = append(all, class{name, tree, rg, ours, goal, true})
		}
		literal, words := "EOVERFLOW", "EOVERFLOW|ErrClosedPipe|MaxInt64Bits|SIGWINCH"
		all = append(all, class{"list", tree, []string{"--files", "--hidden"}, []string{"-find", "-list", "-hidden", "-limit", "1000000", ""}, 0.65, false})
		add("literal", 0.70, []string{"-n", literal}, []string{"-total", literal})
		add("literal -i", 0.70, []string{"-n", "-i", literal}, []string{"-total", "-i", literal})
		add("word", 0.70, []string{"-n", "-w", literal}, []string{"-total", "-w", literal})
		add("alternates", 0.75, []string{"-n", words}, []string{"-total", words})
		add("alternates -i", 0.75, []string{"-n", "-i", words}, []string{"-total", "-i", words})
		add("required", 0.70, []string{"-n", `[A-Z]+_RESUME`}, []string{"-total", `[A-Z]+_RESUME`})
		add("suffix", 0.70, []string{"-n", `\wAh`}, []string{"-total", `\wAh`})
		add("anchored", 0.70, []string{"-n", `^func init\(\) \{$`}, []string{"-total", `^func init\(\) \{$`})
		add("holmes", 0.70, []string{"-n", `\w+\s+Holmes\s+\w+`}, []string{"-total", `\w+\s+Holmes\s+\w+`})
		add("greek", 0.30, []string{"-n", `\p{Greek}`}, []string{"-total", `\p{Greek}`})
		none := `\w{5}\s+\w{5}\s+\w{5}\s+\w{5}\s+\w{5}`
		add("no literal", 0.50, []string{"-n", none}, []string{"-total", none})
		add("files", 0.65, []string{"-l", "sync.Mutex"}, []string{"-total", "-mode", "files", "sync.Mutex"})
		add("count", 0.55, []string{"-c", "return"}, []string{"-total", "-mode", "count", "return"})
		add("all sorted", 0.40, []string{"-n", "--sort", "path", words}, []string{"-total", words})
		all = append(all, class{"limit 100", tree, []string{"-n", "return"}, []string{"return"}, 0.05, false})
		multi := `import \(\n\t"bytes"\n`
		all = append(all, class{"multiline", tree, []string{"-c", "-U", multi}, []string{"-total", "-mode", "count", "-U", multi}, 0.95, true})
		multi = `\}\n\n\n+\w+ \w+ \w+\(`
		all = append(all, class{"multiline rare", tree, []string{"--count-matches", "-U", multi}, []string{"-total", "-mode", "count", "-U", multi}, 0.95, true})
	}
	log := func(name string, goal float64, rg, ours []string) {
		all = append(all, class{name, "log", append(rg, "log"), append(ours, "log"), goal, true})
	}
	log("literal", 0.60, []string{"-n", "deadbeefcafe"}, []string{"-total", "deadbeefcafe"})
	log("literal -i", 0.60, []string{"-n", "-i", "deadbeefcafe"}, []string{"-total", "-i", "deadbeefcafe"})
	log("alternates", 0.60, []string{"-n", "deadbeefcafe|xyzzy1|quuxfrob|PANIC9"}, []string{"-total", "deadbeefcafe|xyzzy1|quuxfrob|PANIC9"})
	log("regex", 0.60, []string{"-n", `panic: .*shard=\d+`}, []string{"-total", `panic: .*shard=\d+`})
	log("greek", 0.10, []string{"-n", `\p{Greek}`}, []string{"-total", `\p{Greek}`})
	log("no literal", 0.25, []string{"-n", `\w{12}\s\w{12}\s\w{12}`}, []string{"-total", `\w{12}\s\w{12}\s\w{12}`})
	log("count", 0.95, []string{"-c", "status=500"}, []string{"-total", "-mode", "count", "status=500"})
	all = append(all,
		class{"empty directory", "empty", []string{"-n", "foo"}, []string{"foo"}, 0.55, false},
		class{"small literal", "small", []string{"-n", "EOVERFLOW"}, []string{"-total", "EOVERFLOW"}, 0.75, true},
		class{"small regex", "small", []string{"-n", `[A-Z]+_\w+ =`}, []string{"-total", `[A-Z]+_\w+ =`}, 0.75, true},
		class{"small list", "small", []string{"--files"}, []string{"-find", "-list", "-limit", "100000", ""}, 0.75, false},
	)
	return all
}

// sample is what one call took.
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
	if err := b.prepare(ctx, dir, chosen); err != nil {
		return err
	}
	version, err := exec.CommandContext(ctx, b.rg, "--version").Output()
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(version), "\n")
	table := fmt.Sprintf("%s, %d rounds, %d processors, %s %s/%s; medians\n", first, b.rounds, runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	table += fmt.Sprintf("%-8s%-18s%9s%9s%8s%8s%7s%9s%9s  %s\n", "tree", "class", "rg ms", "ours ms", "ratio", "cpu", "goal", "rg MB", "ours MB", "matches")
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
		}{{b.rg, rg, &theirs}, {b.program, c.ours, &ours}}
		if round%2 == 1 {
			slices.Reverse(pair)
		}
		for _, p := range pair {
			s, err := call(ctx, dir, p.name, p.args)
			if err != nil {
				return "", 0, err
			}
			if round > 0 { // the first one warms up
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
	ourMemory, err := memory(ctx, dir, b.program, c.ours)
	if err != nil {
		return "", 0, err
	}
	t, o := median(theirs, wall), median(ours, wall)
	ratio = o / t
	return fmt.Sprintf("%-8s%-18s%9.1f%9.1f%8.3f%8.3f%7.2f%9.1f%9.1f  %s\n", c.tree, c.name, t, o, ratio,
		median(ours, cpu)/median(theirs, cpu), c.goal, theirMemory, ourMemory, agreement(c, theirs[0].output, ours[0].output)), ratio, nil
}

// call runs a program and reads what it prints, as a caller would.
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

// memory is the largest resident set of a program, in MiB, as far as it can be
// watched: 0 where the system does not tell.
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

// ignoreStatus drops the error that says that nothing was found.
func ignoreStatus(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil
	}
	return err
}

// agreement compares how many matches both tell.
func agreement(c class, theirs, ours []byte) string {
	if !c.counts {
		return "-"
	}
	want := 0
	lines := strings.Split(strings.TrimSpace(string(theirs)), "\n")
	switch {
	case len(theirs) == 0:
	case c.rg[0] == "-c" || c.rg[0] == "--count-matches":
		for _, l := range lines {
			n := 0
			if _, err := fmt.Sscan(l[strings.LastIndexByte(l, ':')+1:], &n); err == nil {
				want += n
			}
		}
	default:
		want = len(lines)
	}
	field := "total_matches"
	if c.rg[0] == "-l" {
		field = "total_files"
	}
	got := -1
	if _, after, ok := strings.Cut(string(ours), `"`+field+`":`); ok {
		if _, err := fmt.Sscanf(after, "%d", &got); err != nil {
			got = -1
		}
	}
	if got == want {
		return fmt.Sprint(got)
	}
	return fmt.Sprintf("DIFFERENT: %d, ripgrep %d", got, want)
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
		b.program = filepath.Join(dir, "program.exe")
		build := exec.CommandContext(ctx, "go", "build", "-o", b.program, "./scripts/benchmarks/search/program")
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
