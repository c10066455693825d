package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/shell/run"
)

// patience limits the time of one run.
const patience = 3 * time.Minute

// runs makes the projects of real/setup.sh in a temporary directory, and runs there what
// real/runs.txt lists. A run whose output has not the facts that it is listed with, as a
// tool is missing or of another version, is left out.
func runs(dir, tools string) (all []recorded, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	listed, err := list(filepath.Join(dir, "runs.txt"))
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "helve-runs-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if text, status := shell(work, tools, filepath.Join(dir, "setup.sh")); status != 0 {
		return nil, fmt.Errorf("setup.sh: status %d: %s", status, text)
	}
	kinds := map[string]bool{}
	for _, r := range listed {
		r.text, r.status = shell(work, tools, r.command)
		if i := slices.IndexFunc(r.facts, func(f string) bool { return !strings.Contains(r.text, f) && !strings.Contains(r.command, "-json") }); i >= 0 {
			fmt.Printf("left out, as it does not say %q: %s\n", r.facts[i], r.command)
			continue
		}
		kinds[r.tool] = true
		all = append(all, r)
	}
	fmt.Printf("%d runs of %d tools\n", len(all), len(kinds))
	return all, nil
}

// list reads the runs: paragraphs of lines that begin with a word.
func list(file string) (all []recorded, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for i, paragraph := range strings.Split(string(data), "\n\n") {
		var r recorded
		for line := range strings.Lines(paragraph) {
			switch word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); word {
			case "tool":
				r.tool = rest
			case "$":
				r.command = rest
			case "fact":
				r.facts = append(r.facts, rest)
			}
		}
		if r.command != "" {
			r.name = fmt.Sprintf("%02d %s", i, r.tool)
			all = append(all, r)
		}
	}
	return all, nil
}

// shell runs a command line as exec does, without colors, and returns its output.
func shell(dir, tools, command string) (text string, status int) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, "bash", "-c", "exec 2>&1; "+command)
	c.Dir = dir
	c.Env = append(os.Environ(), "TOOLS="+tools, "NO_COLOR=1", "TERM=dumb", "LC_ALL=C.UTF-8", "CI=1",
		"PATH="+filepath.Join(tools, "venv", "bin")+":"+filepath.Join(tools, "node_modules", ".bin")+":"+os.Getenv("PATH"))
	c.WaitDelay = time.Second
	out, err := c.Output()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		return err.Error(), -1
	}
	return run.Text(out, false), c.ProcessState.ExitCode()
}
