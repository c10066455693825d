// Command output compares what is left of recorded outputs of programs, and how many
// of the facts about failures: by package output, by the beginning and the end alone,
// and by the Node package tokenjuice, if its program is named.
//
//	scripts/bench output [-real [-tools DIR] [-keep DIR]] [-tokenjuice PATH]
//
// With -real it makes the outputs itself, by running the tools of this machine on projects
// that it makes too: see real/setup.sh and real/runs.txt.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/shell/run"
)

// most is the size in bytes that exec shows by default.
const most = 10_000

func main() {
	tokenjuice := flag.String("tokenjuice", "", "path of the program tokenjuice")
	real := flag.Bool("real", false, "run the tools of this machine")
	tools := flag.String("tools", filepath.Join(os.TempDir(), "helve-bench-tools"), "directory for the tools of Node and Python that -real installs")
	keep := flag.String("keep", "", "directory to which -real writes the outputs and what is left of them")
	flag.Parse()
	if err := start(*tokenjuice, *real, *tools, *keep); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func start(tokenjuice string, real bool, tools, keep string) error {
	all, err := fixtures()
	if real {
		all, err = runs("scripts/benchmarks/output/real", tools)
	}
	if err != nil {
		return err
	}
	return compare(all, tokenjuice, keep)
}

// recorded is an output with the facts that must be kept.
type recorded struct {
	name, tool, command, text string
	status                    int
	facts                     []string
}

// read reads a fixture; see the tests of package output.
func read(file string) (r recorded, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return r, err
	}
	head, text, ok := strings.Cut(string(data), "\n---\n")
	if !ok {
		return r, errors.New(file + " has no line ---")
	}
	r.name, r.text = strings.TrimSuffix(filepath.Base(file), ".txt"), run.Text([]byte(text), false)
	for line := range strings.SplitSeq(head, "\n") {
		switch word, rest, _ := strings.Cut(line, " "); word {
		case "$":
			r.command = rest
		case "exit":
			if r.status, err = strconv.Atoi(rest); err != nil {
				return r, err
			}
		case "fact":
			r.facts = append(r.facts, rest)
		}
	}
	return r, nil
}

// way is a way to make an output short.
type way struct {
	name  string
	short func(r recorded) (string, error)
	facts int
	// The shares of the tokens in per mille: of all outputs, of those of 1 to 8 KB, and
	// of longer ones.
	shares, short8, long8 []int
}

// fixtures reads the outputs that are recorded.
func fixtures() ([]recorded, error) {
	files, err := filepath.Glob("pkg/shell/output/testdata/*.txt")
	if err != nil {
		return nil, err
	}
	var all []recorded
	for _, file := range files {
		if strings.HasPrefix(filepath.Base(file), "doc-") {
			continue // from a program's documentation, not recorded
		}
		r, err := read(file)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

func compare(all []recorded, tokenjuice, keep string) error {
	ways := []*way{
		{name: "helve", short: func(r recorded) (string, error) {
			s := output.Of(r.command, classify.Classify(r.command, classify.Options{}).Commands, r.status)
			return output.Fit(r.text, most, s).Text, nil
		}},
		{name: "head+tail", short: func(r recorded) (string, error) {
			if len(r.text) <= most {
				return r.text, nil
			}
			return r.text[:most/4] + "\n[…]\n" + r.text[len(r.text)-most*3/4:], nil
		}},
	}
	if tokenjuice != "" {
		ways = append(ways, &way{name: "tokenjuice", short: func(r recorded) (string, error) { return juice(tokenjuice, r) }})
	}
	fmt.Printf("%-26s %8s", "output", "tokens")
	for _, w := range ways {
		fmt.Printf(" %12s %7s", w.name, "facts")
	}
	fmt.Println()
	facts := 0
	for _, r := range all {
		whole := tokens.Estimate(r.text)
		facts += len(r.facts)
		fmt.Printf("%-26s %8d", r.name, whole)
		for _, w := range ways {
			short, err := w.short(r)
			if err != nil {
				return err
			}
			if err := write(keep, r, w, short); err != nil {
				return err
			}
			lost := w.add(r, short, whole)
			n := tokens.Estimate(short)
			fmt.Printf(" %6d %4d%% %3d/%-3d", n, n*100/max(whole, 1), len(r.facts)-len(lost), len(r.facts))
			if w == ways[0] {
				for _, fact := range lost {
					defer fmt.Printf("%s: helve lost %q\n", r.name, fact)
				}
			}
		}
		fmt.Println()
	}
	for _, w := range ways {
		fmt.Printf("%s: %.1f%% of the tokens in the median, %.1f%% of outputs of 1 to 8 KB, %.1f%% of longer ones, %d of %d facts\n",
			w.name, median(w.shares), median(w.short8), median(w.long8), w.facts, facts)
	}
	return nil
}

// add counts what a way kept of an output, and returns the facts that it lost.
func (w *way) add(r recorded, short string, whole int) (lost []string) {
	for _, fact := range r.facts {
		if strings.Contains(short, fact) {
			w.facts++
		} else {
			lost = append(lost, fact)
		}
	}
	share := tokens.Estimate(short) * 1000 / max(whole, 1)
	w.shares = append(w.shares, share)
	switch {
	case len(r.text) > 8<<10:
		w.long8 = append(w.long8, share)
	case len(r.text) >= 1<<10:
		w.short8 = append(w.short8, share)
	}
	return lost
}

// median returns a median in percent.
func median(shares []int) float64 {
	if len(shares) == 0 {
		return 0
	}
	slices.Sort(shares)
	return float64(shares[len(shares)/2]) / 10
}

// write keeps an output and what a way left of it.
func write(dir string, r recorded, w *way, short string) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	name := filepath.Join(dir, strings.ReplaceAll(r.name, " ", "-"))
	return errors.Join(os.WriteFile(name+".raw", []byte(r.text), 0o644), os.WriteFile(name+"."+w.name, []byte(short), 0o644))
}

// juice has tokenjuice reduce an output.
func juice(program string, r recorded) (string, error) {
	in, err := json.Marshal(map[string]any{"toolName": "exec", "command": r.command, "argv": strings.Fields(r.command), "combinedText": r.text, "exitCode": r.status})
	if err != nil {
		return "", err
	}
	c := exec.CommandContext(context.Background(), program, "reduce-json")
	c.Stdin = bytes.NewReader(in)
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("tokenjuice on %s: %w", r.name, err)
	}
	var answer struct {
		Text string `json:"inlineText"`
	}
	err = json.Unmarshal(out, &answer)
	return answer.Text, err
}
