package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// programs builds the programs to compare. The ratios are relative to the first.
func (b *bench) programs(ctx context.Context) (all []*program, stop func(), err error) {
	helve, put, sqlite := filepath.Join(b.dir, "helve.exe"), filepath.Join(b.dir, "put.exe"), filepath.Join(b.dir, "sqlite.exe")
	if err := build(ctx, helve, ".", "."); err != nil {
		return nil, nil, err
	}
	if err := build(ctx, put, "scripts", "./benchmarks/store/put"); err != nil {
		return nil, nil, err
	}
	if err := build(ctx, sqlite, "scripts/benchmarks/store/sqlite", "."); err != nil {
		return nil, nil, err
	}
	server := filepath.Join(b.dir, "nats-server.exe")
	if err := build(ctx, server, ".", "github.com/nats-io/nats-server/v2"); err != nil {
		return nil, nil, err
	}
	url, stop, err := serve(ctx, server, filepath.Join(b.dir, "nats"))
	if err != nil {
		return nil, nil, err
	}
	// bare is a program that takes a verb, its directory, and the id.
	bare := func(name, binary, verb, ids string) *program {
		dir := filepath.Join(b.dir, verb+filepath.Base(binary)+".d")
		return &program{
			name: name,
			argv: func(id string) []string { return []string{binary, verb, dir, id} },
			ids:  func(ctx context.Context) ([]string, error) { return lines(ctx, binary, ids, dir) },
			dir:  dir,
		}
	}
	shared := bare("the store on a server of NATS", put, "nats", "nats-ids")
	shared.argv = func(id string) []string { return []string{put, "nats", url, id} }
	shared.ids = func(ctx context.Context) ([]string, error) { return lines(ctx, put, "nats-ids", url) }
	whole := bare("helve message", put, "bus", "bus-ids")
	whole.argv = func(id string) []string {
		return []string{helve, "message", "--root", filepath.Join(whole.dir, "workspace"), "--session", id, "--channel", "bench", "--to", "all", "--content", id + strings.Repeat(" a word", 30)}
	}
	whole.env = []string{"HELVE_HOME=" + whole.dir}
	nothing := bare("a process that does nothing", put, "nothing", "")
	nothing.ids = nil
	all = []*program{
		whole,
		bare("the store of helve", put, "bolt", "bolt-ids"),
		shared,
		bare("a locked file of lines, synchronised", put, "jsonl", "jsonl-ids"),
		bare("SQLite, WAL, synchronous=FULL", sqlite, "put", "ids"),
		nothing,
	}
	for _, p := range all {
		if err := os.MkdirAll(filepath.Join(p.dir, "workspace"), 0o700); err != nil {
			stop()
			return nil, nil, err
		}
	}
	return all, stop, nil
}

// build compiles a package of the module in a directory as a release does.
func build(ctx context.Context, to, module, pkg string) error {
	c := exec.CommandContext(ctx, "go", "build", "-C", module, "-trimpath", "-ldflags=-s -w", "-o", to, pkg)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, out)
	}
	return nil
}
