// Command dialogues draws conversations between a model that does what each hint says and
// the tools read, grep, edit, patch, move and undo, while a person changes the file, takes
// changes back, formats it and switches branches. None may end in a loop of hints, nor with
// a change elsewhere than the model meant.
//
//	scripts/bench dialogues [-n dialogues] [-seed first] [-helve program] [-show]
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/pkg/testing/dialogue"
)

func main() {
	n := flag.Int("n", 1000, "have so many dialogues")
	seed := flag.Uint64("seed", 1, "seed of the first")
	helve := flag.String("helve", "", "the program (default: build it)")
	show := flag.Bool("show", false, "show the steps")
	flag.Parse()
	if err := bench(context.Background(), *n, *seed, *helve, *show); err != nil {
		fmt.Fprintln(os.Stderr, "dialogues:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, n int, seed uint64, helve string, show bool) error {
	dir, err := os.MkdirTemp("", "helve-dialogues-")
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
	calls, failed := 0, 0
	for i := range n {
		root := filepath.Join(dir, fmt.Sprint(i))
		if err := os.Mkdir(root, 0o700); err != nil {
			return err
		}
		log, err := dialogue.Run(root, seed+uint64(i), func(tool string, args any) ([]byte, error) {
			calls++
			return call(ctx, helve, root, tool, args)
		})
		if err != nil {
			failed++
			fmt.Printf("seed %d: %v\n", seed+uint64(i), err)
		}
		if show {
			fmt.Println(strings.Join(log, "\n"))
		}
		if err := errors.Join(os.RemoveAll(root), os.RemoveAll(root+".home")); err != nil {
			return err
		}
	}
	fmt.Printf("%d dialogues, %d calls, %d ended in a loop or in the wrong place\n", n, calls, failed)
	if failed > 0 {
		return fmt.Errorf("%d dialogues failed", failed)
	}
	return nil
}

// call runs one call as a process.
func call(ctx context.Context, helve, root, tool string, args any) ([]byte, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, helve, tool, string(raw))
	c.Dir = root
	c.Env = append(os.Environ(), "HELVE_HOME="+root+".home", "HELVE_ROOT="+root, "HELVE_SESSION=model")
	out, err := c.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(out) > 0 {
		err = nil // the document says what was wrong
	}
	return out, err
}
