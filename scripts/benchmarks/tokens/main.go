// Tokens compares the estimate of package tokens with tokenizers: o200k_base,
// cl100k_base and the one that Anthropic has published, from the Node packages
// gpt-tokenizer and @anthropic-ai/tokenizer in the directory -modules. Each directory
// named is a group of texts; without any, those of this repository are compared.
//
//	scripts/bench tokens -modules /path/to/node_modules [DIR ...]
//
// With -definitions it compares what "helve schema --cost" estimates, in every format,
// and counts the definitions of other MCP servers beside them; see definitions.go. With
// -answers it counts the answers of the tools for files; see answers.go.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/files/tokens"
)

// piece is the number of characters of a text that are compared at once.
const piece = 4000

//go:embed count.mjs
var script string

func main() {
	modules := flag.String("modules", os.Getenv("HELVE_NODE_MODULES"), "directory with the Node packages")
	definitions := flag.Bool("definitions", false, "count the definitions of tools; the arguments are commands that start further MCP servers")
	answered := flag.Bool("answers", false, "count the answers of the tools for files")
	helve := flag.String("helve", "", "with -answers, the program (default: build it)")
	flag.Parse()
	if *answered {
		if err := compareAnswers(context.Background(), *modules, *helve); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if *definitions {
		if err := compareDefinitions(*modules, flag.Args()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	dirs := flag.Args()
	if len(dirs) == 0 {
		dirs = []string{"pkg/tools", "pkg/html/parse", "pkg/shell/output/testdata", "testdata/golden", "scripts"}
	}
	if err := compare(*modules, dirs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func compare(modules string, dirs []string) error {
	fmt.Printf("%-28s %6s   %-20s %-20s %-20s\n", "estimate / tokens", "texts", "o200k_base", "cl100k_base", "Anthropic")
	var all [3][]float64
	for _, dir := range dirs {
		texts, err := read(dir)
		if err != nil {
			return err
		}
		counts, err := count(modules, texts)
		if err != nil {
			return err
		}
		var ratios [3][]float64
		for i, text := range texts {
			for k := range ratios {
				r := float64(tokens.Estimate(text)) / float64(counts[i][k])
				ratios[k], all[k] = append(ratios[k], r), append(all[k], r)
			}
		}
		show(filepath.Base(dir), ratios)
	}
	show("all", all)
	return nil
}

// show prints the fifth percentile, the median and the 95th.
func show(name string, ratios [3][]float64) {
	fmt.Printf("%-28s %6d  ", name, len(ratios[0]))
	for _, r := range ratios {
		slices.Sort(r)
		at := func(percent int) float64 { return r[(len(r)-1)*percent/100] }
		if len(r) > 0 {
			fmt.Printf(" %.2f %.2f %.2f      ", at(5), at(50), at(95))
		}
	}
	fmt.Println()
}

// read returns the texts below a directory, in pieces.
func read(dir string) (texts []string, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || !utf8.Valid(data) {
			return err
		}
		for chars := []rune(string(data)); len(chars) > 0; {
			n := min(len(chars), piece)
			if n >= piece/8 {
				texts = append(texts, string(chars[:n]))
			}
			chars = chars[n:]
		}
		return nil
	})
	return texts, err
}

// count returns how many tokens the texts have by each tokenizer.
func count(modules string, texts []string) (counts [][3]int, err error) {
	if modules == "" {
		return nil, errors.New("name the directory with the Node packages: -modules DIR")
	}
	program, err := os.CreateTemp(filepath.Dir(modules), "count-*.mjs")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(program.Name()) }()
	if _, err := program.WriteString(script); err != nil {
		return nil, err
	}
	if err := program.Close(); err != nil {
		return nil, err
	}
	input, err := json.Marshal(texts)
	if err != nil {
		return nil, err
	}
	node := exec.CommandContext(context.Background(), "node", program.Name())
	node.Stdin, node.Stderr = bytes.NewReader(input), os.Stderr
	out, err := node.Output()
	if err != nil {
		return nil, err
	}
	return counts, json.Unmarshal(out, &counts)
}
