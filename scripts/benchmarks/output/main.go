// Command output compares what is left of recorded outputs of programs, and how many
// of the facts about failures: by package output, by the beginning and the end alone,
// and by the Node package tokenjuice, if its program is named.
//
//	scripts/bench output [-tokenjuice PATH]
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
	flag.Parse()
	if err := compare(*tokenjuice); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// recorded is an output with the facts that must be kept.
type recorded struct {
	name, command, text string
	status              int
	facts               []string
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
	name   string
	short  func(r recorded) (string, error)
	shares []int // of the tokens, in per mille
	facts  int
}

func compare(tokenjuice string) error {
	files, err := filepath.Glob("pkg/shell/output/testdata/*.txt")
	if err != nil {
		return err
	}
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
	all := 0
	for _, file := range files {
		if strings.HasPrefix(filepath.Base(file), "doc-") {
			continue // from a program's documentation, not recorded
		}
		r, err := read(file)
		if err != nil {
			return err
		}
		whole := tokens.Estimate(r.text)
		all += len(r.facts)
		fmt.Printf("%-26s %8d", r.name, whole)
		for _, w := range ways {
			short, err := w.short(r)
			if err != nil {
				return err
			}
			kept := 0
			for _, fact := range r.facts {
				if strings.Contains(short, fact) {
					kept++
				}
			}
			n := tokens.Estimate(short)
			w.facts += kept
			w.shares = append(w.shares, n*1000/max(whole, 1))
			fmt.Printf(" %6d %4d%% %3d/%-3d", n, n*100/max(whole, 1), kept, len(r.facts))
		}
		fmt.Println()
	}
	for _, w := range ways {
		slices.Sort(w.shares)
		fmt.Printf("%s: %.1f%% of the tokens in the median, %d of %d facts\n", w.name, float64(w.shares[len(w.shares)/2])/10, w.facts, all)
	}
	return nil
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
