// Command queue has many processes edit one file at the same moment, each a line of its own,
// while others keep the processors busy. All must be done, and no line lost.
//
//	scripts/bench queue [-n processes] [-load busy] [-helve program]
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

func main() {
	n := flag.Int("n", 100, "have so many processes")
	load := flag.Int("load", 20, "keep so many others busy")
	helve := flag.String("helve", "", "the program (default: build it)")
	busy := flag.Bool("busy", false, "be one of the busy ones")
	flag.Parse()
	if *busy {
		for { //nolint:staticcheck // it spins until it is killed
		}
	}
	if err := bench(context.Background(), *n, *load, *helve); err != nil {
		fmt.Fprintln(os.Stderr, "queue:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, n, load int, helve string) (err error) {
	dir, err := os.MkdirTemp("", "helve-queue-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory
	if helve == "" {
		helve = filepath.Join(dir, "helve.exe")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", helve, ".").CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	root := filepath.Join(dir, "root")
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "line %d.\n", i)
	}
	if err := errors.Join(os.Mkdir(root, 0o700), os.WriteFile(filepath.Join(root, "a.txt"), []byte(text.String()), 0o600)); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for range load {
		if err := exec.CommandContext(ctx, self, "-busy").Start(); err != nil {
			return err
		}
	}
	began := time.Now()
	var all sync.WaitGroup
	failed := make([]string, n)
	for i := range n {
		all.Go(func() {
			c := exec.CommandContext(ctx, helve, "edit", "a.txt", fmt.Sprintf("line %d.", i), fmt.Sprintf("done %d.", i))
			c.Dir, c.Env = root, append(os.Environ(), "HELVE_HOME="+filepath.Join(dir, "home"))
			if out, err := c.Output(); err != nil {
				failed[i] = fmt.Sprintf("%v: %.200s", err, out)
			}
		})
	}
	all.Wait()
	raw, err := os.ReadFile(filepath.Join(root, "a.txt"))
	if err != nil {
		return err
	}
	done := bytes.Count(raw, []byte("done "))
	fmt.Printf("%d processes beside a load of %d: %d done in %v\n", n, load, done, time.Since(began).Round(time.Millisecond))
	for _, f := range failed {
		if f != "" {
			fmt.Println(f)
		}
	}
	if done < n {
		return fmt.Errorf("%d are not done", n-done)
	}
	return nil
}
