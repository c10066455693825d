package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/track"
	"github.com/helve-dev/helve/pkg/workspace"
)

// measureUndo measures what it costs that a command can be undone, in a clean repository
// of so many files: a process that looks at the workspace before and after a command that
// changes nothing, and one that changes a file; then whole calls of helve exec, for a
// command that reads, which is not tracked, and for one that writes. git status in the same
// repository, in turns with them, says how long one look takes a program that knows the
// files already.
func measureUndo(out io.Writer, rounds, files int) (err error) {
	parent, err := os.MkdirTemp("", "exec-benchmark-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(parent)) }()
	dir := filepath.Join(parent, "work")
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("d%d/e%d/file%d.txt", i/1000, i/20%50, i))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(name, fmt.Appendf(nil, "text of file %d\n", i), 0o600); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "gc.auto=0", "commit", "-qm", "1"}, {"gc", "-q"}, {"status"}} {
		if said, err := exec.CommandContext(context.Background(), "git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			return fmt.Errorf("git %q: %w %s", args, err, said)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	helve := filepath.Join(parent, "helve.exe")
	build := exec.CommandContext(context.Background(), "go", "build", "-o", helve, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w %s", err, said)
	}
	for name, below := range map[string]string{"HOME": "home", "XDG_STATE_HOME": "states", "XDG_CONFIG_HOME": "config", "XDG_CACHE_HOME": "cache"} {
		if err := os.Setenv(name, filepath.Join(parent, below)); err != nil {
			return err
		}
	}
	ways := []way{
		{name: "git status", argv: []string{"git", "-C", dir, "status", "--porcelain"}},
		{name: "start", argv: []string{self, "__track", dir, "start"}},
		{name: "nothing changes", argv: []string{self, "__track", dir, "nothing"}},
		{name: "a file changes", argv: []string{self, "__track", dir, "file"}},
		{name: "helve exec, reads", argv: []string{helve, "--root", dir, "exec", "true"}},
		{name: "helve exec, writes", argv: []string{helve, "--root", dir, "exec", "touch x"}},
	}
	for i := range rounds + 3 {
		for j := range ways {
			if err := ways[j].run(i < 3); err != nil {
				return err
			}
		}
	}
	return table(out, fmt.Sprintf("%d files, in ms", files), ways, ways[0].name)
}

// trackOnce is the process that is measured.
func trackOnce(dir, what string) error {
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		return err
	}
	kept, err := state.Open(filepath.Join(filepath.Dir(dir), "state"), root.Dir(), state.Options{})
	if err != nil || what == "start" {
		return err
	}
	w := track.Workspace{Root: root, State: kept, Journal: journal.New(kept, root.Tree(), journal.Options{})}
	ctx := context.Background()
	r, err := w.Begin(ctx, journal.Author{Tool: "exec", Session: "benchmark"})
	if err != nil {
		return err
	}
	if what == "file" {
		if err := os.WriteFile(filepath.Join(dir, "d0/e0/file0.txt"), fmt.Append(nil, time.Now()), 0o600); err != nil {
			return err
		}
	}
	report, err := r.End(ctx)
	if err == nil && (len(report.Changes) == 1) != (what == "file") {
		err = fmt.Errorf("%+v", report)
	}
	return err
}
