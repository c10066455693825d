// Command schedules compares when helve and libraries for Go say that cron expressions run
// next, on the 20,000 questions that helve's tests have with the answers of npm's croner.
//
// croner's answer counts as right, or helve's where croner deviates from cron(8); the
// tests of pkg/schedule/cron explain each of those differences. The libraries are built
// in a module of its own. The time includes reading an expression and two runs.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/helve-dev/helve/pkg/schedule/cron"
	"github.com/helve-dev/helve/pkg/schedule/zone"
)

func main() {
	most := flag.Int("n", 0, "ask only so many questions (0: all)")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *most); err != nil {
		fmt.Fprintln(os.Stderr, "schedules:", err)
		os.Exit(1)
	}
}

// question is one of the tests, with croner's answer.
type question struct {
	zone, text string
	after      int64
	croner     []int64 // up to two runs
}

// answers are those of one program, as peers gives them.
type answers struct {
	Name    string
	Runs    [][]int64
	Nanos   int64
	Refused int
	Endless int
}

// until is up to when answers are compared: 1 January 2023.
const until = 1672531200

func run(ctx context.Context, out io.Writer, most int) error {
	questions, err := read("pkg/schedule/cron/testdata/croner.tsv.gz")
	if err != nil {
		return err
	}
	if most > 0 {
		var some []question
		for i := range min(most, len(questions)) {
			some = append(some, questions[i*len(questions)/min(most, len(questions))])
		}
		questions = some
	}
	ours, err := helve(questions)
	if err != nil {
		return err
	}
	croner := answers{Name: "croner"}
	for _, q := range questions {
		croner.Runs = append(croner.Runs, q.croner)
	}
	all := []answers{ours, croner}
	if theirs, err := peers(ctx, questions); err != nil {
		fmt.Fprintf(os.Stderr, "the libraries are left out: %v\n", err)
	} else {
		all = append(all, theirs...)
	}
	return table(out, questions, all)
}

// helve returns what helve says.
func helve(questions []question) (answers, error) {
	a := answers{Name: "helve"}
	for _, q := range questions {
		loc, err := zone.Load(q.zone)
		if err != nil {
			return a, err
		}
		began := time.Now()
		e, err := cron.Parse(q.text)
		if err != nil {
			a.Runs = append(a.Runs, []int64{}) // an expression that never runs
			continue
		}
		runs := []int64{}
		for at := time.Unix(q.after, 0); len(runs) < 2; {
			next, ok := e.Next(at, loc)
			if !ok {
				break
			}
			at, runs = next, append(runs, next.Unix())
		}
		a.Nanos += time.Since(began).Nanoseconds()
		a.Runs = append(a.Runs, runs)
	}
	return a, nil
}

// peers returns what the libraries say.
func peers(ctx context.Context, questions []question) ([]answers, error) {
	dir, err := os.MkdirTemp("", "helve-schedules-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory
	binary := filepath.Join(dir, "peers.exe")
	if out, err := exec.CommandContext(ctx, "go", "build", "-C", "scripts/benchmarks/schedules/peers", "-o", binary, ".").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	var in [][3]any
	for _, q := range questions {
		in = append(in, [3]any{q.zone, q.text, q.after})
	}
	text, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	var all []answers
	for _, name := range []string{"robfig", "netresearch", "gronx"} {
		cmd := exec.CommandContext(ctx, binary, name)
		cmd.Stdin, cmd.Stderr = bytes.NewReader(text), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		var one answers
		if err := json.Unmarshal(out, &one); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, one)
	}
	return all, nil
}

// table prints how many answers are right, by classes of questions.
func table(out io.Writer, questions []question, all []answers) error {
	var text strings.Builder
	fmt.Fprint(&text, "right\tof\t")
	for _, a := range all {
		fmt.Fprintf(&text, "%s\t", a.Name)
	}
	fmt.Fprintln(&text)
	for _, class := range classes() {
		of, right := 0, make([]int, len(all))
		for i, q := range questions {
			if !class.has(q, all[0].Runs[i]) {
				continue
			}
			of++
			for k, a := range all {
				if a.Runs[i] != nil && same(a.Runs[i], all[0].Runs[i]) {
					right[k]++
				}
			}
		}
		fmt.Fprintf(&text, "%s\t%d\t", class.name, of)
		for _, n := range right {
			fmt.Fprintf(&text, "%d\t", n)
		}
		fmt.Fprintln(&text)
	}
	fmt.Fprint(&text, "refused expressions\t\t")
	for _, a := range all {
		fmt.Fprintf(&text, "%d\t", a.Refused)
	}
	fmt.Fprint(&text, "\nno answer in a second\t\t")
	for _, a := range all {
		fmt.Fprintf(&text, "%d\t", a.Endless)
	}
	fmt.Fprint(&text, "\nmicroseconds each\t\t")
	for _, a := range all {
		if a.Nanos == 0 {
			fmt.Fprint(&text, "-\t") // croner's answers are recorded
			continue
		}
		fmt.Fprintf(&text, "%.1f\t", float64(a.Nanos)/float64(len(questions)-a.Refused-a.Endless)/1000)
	}
	fmt.Fprintln(&text)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if _, err := io.WriteString(w, text.String()); err != nil {
		return err
	}
	return w.Flush()
}

// same reports whether runs are the same, up to the end of what is compared.
func same(a, b []int64) bool {
	for i := range 2 {
		x, y := int64(until), int64(until)
		if i < len(a) {
			x = min(a[i], until)
		}
		if i < len(b) {
			y = min(b[i], until)
		}
		if x != y {
			return false
		}
	}
	return true
}

// read returns the questions that the tests have.
func read(path string) ([]question, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	var out []question
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		q := question{zone: fields[0], text: fields[1], croner: []int64{}}
		if q.after, err = strconv.ParseInt(fields[2], 10, 64); err != nil {
			return nil, err
		}
		for _, field := range fields[4:] {
			n, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				return nil, err
			}
			q.croner = append(q.croner, q.after+n)
		}
		out = append(out, q)
	}
	return out, nil
}
