// Command find measures how often find has the file that is meant among its first five
// matches, beside plain substrings and fuzzy subsequences, and what ranking costs: the
// processor time in a large tree of empty files beside that of a walk without a query.
//
//	scripts/bench find [-files N]
package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// first limits the matches that count.
const first = 5

func main() {
	program := flag.String("helve", "", "helve to measure (default: built here, as for a release)")
	files := flag.Int("files", 300_000, "files of the large tree; 0 measures no time")
	rounds := flag.Int("rounds", 5, "measure each query this often")
	missed := flag.Bool("missed", false, "list the queries that find misses")
	flag.Parse()
	b := bench{program: *program, rounds: *rounds, missed: *missed}
	if err := b.run(context.Background(), *files); err != nil {
		fmt.Fprintln(os.Stderr, "find:", err)
		os.Exit(1)
	}
}

type bench struct {
	program string
	rounds  int
	missed  bool
	dir     string
	trees   map[string][]string // the paths of the files, and of their directories
}

func (b *bench) run(ctx context.Context, files int) (err error) {
	if b.dir, err = os.MkdirTemp("", "helve-find-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir) //nolint:errcheck // a temporary directory
	if err := os.Setenv("HELVE_HOME", filepath.Join(b.dir, "home")); err != nil {
		return err
	}
	if b.program == "" {
		b.program = filepath.Join(b.dir, "helve.exe")
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", b.program, ".")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	b.trees = map[string][]string{}
	for _, repository := range []string{"django", "prometheus", "three"} {
		if b.trees[repository], err = b.plant(repository); err != nil {
			return err
		}
	}
	if err := b.quality(ctx); err != nil {
		return err
	}
	if files == 0 {
		return nil
	}
	return b.cost(ctx, files)
}

// plant makes a tree of empty files with the paths of a real repository.
func (b *bench) plant(repository string) (all []string, err error) {
	f, err := os.Open(filepath.Join("pkg", "tools", "find", "testdata", repository+".txt.gz"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{".": true}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if err := touch(filepath.Join(b.dir, repository, lines.Text())); err != nil {
			return nil, err
		}
		for p := lines.Text(); !seen[p]; p = filepath.Dir(p) {
			seen[p] = true
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(x, y string) int {
		return cmp.Or(strings.Count(x, "/")-strings.Count(y, "/"), strings.Compare(x, y))
	})
	return all, lines.Err()
}

func touch(name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, nil, 0o644)
}

// finder returns the first matches of a query.
type finder struct {
	name string
	find func(repository, query string) ([]string, error)
}

// quality prints for each kind of query how many files each finder finds.
func (b *bench) quality(ctx context.Context) error {
	content, err := os.ReadFile(filepath.Join("pkg", "tools", "find", "testdata", "queries.tsv"))
	if err != nil {
		return err
	}
	finders := []finder{
		{"find", func(repository, query string) ([]string, error) { return b.find(ctx, repository, query) }},
		{"substring", func(repository, query string) ([]string, error) { return substring(b.trees[repository], query), nil }},
		{"subsequence", func(repository, query string) ([]string, error) { return subsequence(b.trees[repository], query), nil }},
	}
	type row struct {
		all   int
		right []int
	}
	rows := map[string]*row{}
	var kinds, missed []string
	for i, line := range strings.Split(strings.TrimSpace(string(content)), "\n") {
		fields := strings.Split(line, "\t")
		repository, kind, meant := fields[0], fields[1], fields[3]
		half := []string{"(tuned on)", "(held out)"}[i%2]
		query := strings.Replace(fields[2], "{root}", filepath.Join(b.dir, repository), 1)
		for _, k := range []string{kind, half, "(all)"} {
			if rows[k] == nil {
				rows[k] = &row{right: make([]int, len(finders))}
				kinds = append(kinds, k)
			}
			rows[k].all++
		}
		for j, f := range finders {
			found, err := f.find(repository, query)
			if err != nil {
				return err
			}
			if !slices.Contains(found, meant) {
				if j == 0 {
					missed = append(missed, line)
				}
				continue
			}
			for _, k := range []string{kind, half, "(all)"} {
				rows[k].right[j]++
			}
		}
	}
	slices.SortStableFunc(kinds, func(x, y string) int {
		return strings.Count(x, "(") - strings.Count(y, "(")
	})
	var w strings.Builder
	fmt.Fprint(&w, "the meant file among the first five\tqueries\t")
	for _, f := range finders {
		fmt.Fprint(&w, f.name+"\t")
	}
	fmt.Fprintln(&w)
	for _, k := range kinds {
		fmt.Fprintf(&w, "%s\t%d\t", k, rows[k].all)
		for _, n := range rows[k].right {
			fmt.Fprintf(&w, "%d\t", n)
		}
		fmt.Fprintln(&w)
	}
	if err := table(w.String()); err != nil {
		return err
	}
	if b.missed {
		fmt.Println(strings.Join(missed, "\n"))
	}
	return nil
}

// answer is the output of find.
type answer struct {
	Data struct {
		Matches []struct{ Path string }
	}
}

func (b *bench) find(ctx context.Context, repository, query string) ([]string, error) {
	args, err := json.Marshal(map[string]any{"query": query, "limit": first, "details": false})
	if err != nil {
		return nil, err
	}
	out, _, err := b.call(ctx, filepath.Join(b.dir, repository), string(args))
	if err != nil {
		return nil, err
	}
	var a answer
	if err := json.Unmarshal(out, &a); err != nil {
		return nil, err
	}
	var found []string
	for _, m := range a.Data.Matches {
		found = append(found, m.Path)
	}
	return found, nil
}

// call runs find and returns its output and the processor time it took.
func (b *bench) call(ctx context.Context, dir, args string) ([]byte, time.Duration, error) {
	cmd := exec.CommandContext(ctx, b.program, "-o", "json", "find", args)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, 0, fmt.Errorf("find %s: %w: %s", args, err, out)
	}
	return out, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// cost prints the processor time of queries in a large tree, and how many times that is
// of what the walk alone takes.
func (b *bench) cost(ctx context.Context, files int) error {
	dir := filepath.Join(b.dir, "large")
	made := 0
	for round := 0; made < files; round++ {
		for _, repository := range []string{"django", "prometheus", "three"} {
			for _, p := range b.trees[repository] {
				if info, err := os.Stat(filepath.Join(b.dir, repository, p)); err != nil || info.IsDir() || made == files {
					continue
				}
				if err := touch(filepath.Join(dir, fmt.Sprintf("copy%02d", round), repository, p)); err != nil {
					return err
				}
				made++
			}
		}
	}
	queries := []string{"", "mesh", "e", "src/materials/MeshStandardMaterial.js", "zzqxkw", "MeshStandradMaterail", "relabeling configuration unknown", "quereir parser kubernetes discovery wordless"}
	times := make([][]time.Duration, len(queries))
	for range b.rounds {
		for i, query := range queries {
			args, err := json.Marshal(map[string]any{"query": query, "limit": first, "details": false})
			if err != nil {
				return err
			}
			_, took, err := b.call(ctx, dir, string(args))
			if err != nil {
				return err
			}
			times[i] = append(times[i], took)
		}
	}
	var w strings.Builder
	fmt.Fprintf(&w, "\nprocessor time in %d files, median of %d\tms\tof the walk\t\n", files, b.rounds)
	median := func(i int) float64 {
		slices.Sort(times[i])
		return float64(times[i][len(times[i])/2]) / 1e6
	}
	for i, query := range queries {
		fmt.Fprintf(&w, "%s\t%.0f\t%.2f\t\n", cmp.Or(query, "(no query)"), median(i), median(i)/median(0))
	}
	return table(w.String())
}

// table prints rows whose cells end in tabs.
func table(rows string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	if _, err := io.WriteString(w, rows); err != nil {
		return err
	}
	return w.Flush()
}
