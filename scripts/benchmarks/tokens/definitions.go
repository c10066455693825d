package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/turn/dialect"
)

// row is a choice of definitions.
type row struct {
	name string
	text string // compact JSON
}

// compareDefinitions prints how many tokens the definitions of helve's tools have by the
// tokenizers, and by the estimate of "helve schema --cost": its parts of o200k_base are
// behind it. Each of commands starts an MCP server, whose definitions are counted in
// OpenAI's format. With gpt-tokenizer 4.0.0, on Linux:
//
//	definitions                        tools  o200k_base cl100k_base Anthropic  estimate
//	coding                                10        2240        2226      2275  2218  0.990
//	reading                                4        1042        1034      1045  1014  0.973
//	web                                    2         378         373       387  382  1.011
//	all                                   17        3058        3035      3110  3043  0.995
//	openai zh                             17        3272        3645      3399  3253  0.994
//	openai --strict en                    17        3448        3371      3418  3379  0.980
//	openai --full en                      17        4756        4729      4851  4764  1.002
//	openai-responses en                   17        3075        3052      3127  3071  0.999
//	anthropic en                          17        2973        2950      3042  2963  0.997
//	gemini en                             17        3117        3106      3185  3118  1.000
//	mcp en                                17        3432        3392      3484  3359  0.979
//	mcp --output en                       17        8604        8156      8632  8437  0.981
//	json-schema en                        17        3262        3239      3365  3284  1.007
//	server-filesystem of MCP              14        1736        1722      1818  1748  1.007
//
// Of the other combinations the estimate is between 0.979 and 1.013 of the tokens.
func compareDefinitions(modules string, commands []string) error {
	var rows []row
	add := func(name string, args ...string) error {
		var out, errs bytes.Buffer
		if status := cmd.Main(append([]string{"schema", "-o", "json"}, args...), strings.NewReader(""), &out, &errs); status != 0 {
			return fmt.Errorf("schema %v: %s%s", args, out.String(), errs.String())
		}
		rows = append(rows, row{name, strings.TrimSuffix(out.String(), "\n")})
		return nil
	}
	for _, set := range []string{"coding", "reading", "web", "all"} {
		if err := add(set, "--toolset", set); err != nil {
			return err
		}
	}
	for _, form := range forms() {
		for _, lang := range []string{"en", "zh"} {
			if err := add(form+" "+lang, append(strings.Fields("--format "+form), "--lang", lang)...); err != nil {
				return err
			}
		}
	}
	for _, command := range commands {
		text, err := served(command)
		if err != nil {
			return fmt.Errorf("%s: %w", command, err)
		}
		rows = append(rows, row{command, text})
	}
	texts := make([]string, len(rows))
	for i, r := range rows {
		texts[i] = r.text
	}
	counts, err := count(modules, texts)
	if err != nil {
		return err
	}
	fmt.Printf("%-34s %5s  %10s %11s %9s  %s\n", "definitions", "tools", "o200k_base", "cl100k_base", "Anthropic", "estimate")
	for i, r := range rows {
		n := tokens.EstimateDefinitions(r.text)
		fmt.Printf("%-34.34s %5d  %10d %11d %9d  %d  %.3f\n", r.name, strings.Count(r.text, `"name":"`), counts[i][0], counts[i][1], counts[i][2], n, float64(n)/float64(counts[i][0]))
	}
	return nil
}

// forms returns the formats, each with the flags that change the definitions most.
func forms() (all []string) {
	for _, format := range dialect.Formats() {
		all = append(all, format, format+" --full")
	}
	return append(all, "openai --strict", "openai-responses --strict", "anthropic --strict", "mcp --output", "json-schema --output")
}

// served returns the definitions of the MCP server that a command line starts.
func served(command string) (string, error) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return "", errors.New("no command")
	}
	ctx, cancel := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		cancel()
		return "", err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		cancel()
		return "", err
	}
	if err := c.Start(); err != nil {
		cancel()
		return "", err
	}
	text, err := ask(in, out)
	cancel()
	_ = c.Wait() // it was killed
	return text, err
}

// ask asks an MCP server for its tools, and returns them in OpenAI's format.
func ask(in io.Writer, out io.Reader) (string, error) {
	_, err := io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`)
	if err != nil {
		return "", err
	}
	for lines := json.NewDecoder(out); ; {
		var answer struct {
			ID     int
			Result struct {
				Tools []struct {
					Name, Description string
					InputSchema       json.RawMessage
				}
			}
		}
		if err := lines.Decode(&answer); err != nil {
			return "", err
		}
		if answer.ID != 2 {
			continue
		}
		type function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		}
		type definition struct {
			Type     string   `json:"type"`
			Function function `json:"function"`
		}
		var all []definition
		for _, t := range answer.Result.Tools {
			all = append(all, definition{"function", function{t.Name, t.Description, t.InputSchema}})
		}
		text, err := json.Marshal(all)
		return string(text), err
	}
}
