package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// tests is a test binary and how to run it.
type tests struct {
	dir    string   // of the binary and of what the tests write
	source string   // the directory of the package
	skip   []string // tests that are left out; some fail without a change
	slow   []string // tests that run only when the others notice nothing
	limit  time.Duration
}

// What is in the directory of tests.
const (
	binaryName = "tests"
	tempName   = "temp"
	homeName   = "home"
)

// slowTest limits the time of a test that runs with every change.
const slowTest = time.Second

// sound runs the tests without a change: failing tests are left out, slow ones come last,
// and a change may take five times as long.
func (t *tests) sound() error {
	for range 3 {
		began := time.Now()
		out, err := t.once("", "-test.v", "-test.skip="+exactly(t.skip))
		if err == nil {
			t.limit = 5*time.Since(began) + 10*time.Second
			t.slow = slow(out)
			return nil
		}
		failed := names(topFailure, out)
		if len(failed) == 0 {
			return fmt.Errorf("the tests fail without a change: %w\n%s", err, out)
		}
		fmt.Println("without a change these fail, and are left out:", strings.Join(failed, " "))
		t.skip = append(t.skip, failed...)
	}
	return errors.New("each time other tests fail without a change")
}

// The lines in which a test binary says what became of a test, and how long it took.
var (
	topFailure = regexp.MustCompile(`(?m)^--- FAIL: ([^ /]+)`)
	topPass    = regexp.MustCompile(`(?m)^--- PASS: ([^ /]+) \((\S+)\)`)
)

func names(line *regexp.Regexp, out []byte) []string {
	var all []string
	for _, m := range line.FindAllSubmatch(out, -1) {
		all = append(all, string(m[1]))
	}
	return all
}

// slow returns the tests that took long in an output.
func slow(out []byte) []string {
	var all []string
	for _, m := range topPass.FindAllSubmatch(out, -1) {
		if took, err := time.ParseDuration(string(m[2])); err == nil && took > slowTest {
			all = append(all, string(m[1]))
		}
	}
	return all
}

// exactly returns a pattern that matches names, and nothing if there are none.
func exactly(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// run returns how the tests fail with a change; "" is not at all.
func (t *tests) run(mutant string) string {
	rest := append(slices.Clip(t.skip), t.slow...)
	why := t.noticed(mutant, "-test.skip="+exactly(rest))
	if why == "" && len(t.slow) > 0 {
		why = t.noticed(mutant, "-test.run="+exactly(t.slow))
	}
	return why
}

func (t *tests) noticed(mutant, which string) string {
	out, err := t.once(mutant, "-test.failfast", which)
	switch found := topFailure.FindSubmatch(out); {
	case err == nil:
		return ""
	case errors.Is(err, context.DeadlineExceeded):
		return "noticed (too slow)"
	case found != nil:
		return "noticed: " + string(found[1])
	}
	return "noticed (crash)"
}

// once runs tests with a change, or with none if mutant is "".
func (t *tests) once(mutant string, flags ...string) ([]byte, error) {
	for _, name := range []string{tempName, homeName} {
		dir := filepath.Join(t.dir, name)
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
		// Other users write to a directory for temporary files, too.
		if name == tempName {
			if err := os.Chmod(dir, fs.ModeSticky|0o777); err != nil {
				return nil, err
			}
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), t.limit)
	defer cancel()
	c := confined(ctx, t.dir, append([]string{"-test.count=1", "-test.timeout=" + (t.limit + time.Minute).String()}, flags...))
	c.Dir = t.source
	c.Env = append(c.Env, "MUTANT="+mutant)
	c.WaitDelay = 5 * time.Second // what a test left running may hold the pipe
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.Bytes(), err
}

// unconfined returns the command that runs the tests of a directory.
func unconfined(ctx context.Context, dir string, flags []string) *exec.Cmd {
	c := exec.CommandContext(ctx, filepath.Join(dir, binaryName), flags...)
	c.Env = append(os.Environ(), "TMPDIR="+filepath.Join(dir, tempName), "HOME="+filepath.Join(dir, homeName))
	return c
}
