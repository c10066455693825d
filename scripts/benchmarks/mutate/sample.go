package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sampled is how many conditions are changed, and which.
type sampled struct {
	size int
	seed uint64
}

// runConditions changes conditions of the chosen packages, each in turn, and lists the
// changes that the package's own tests do not notice.
func runConditions(packages []pkg, chosen []string, wanted *regexp.Regexp, s sampled, list bool) error {
	type place struct {
		pkg pkg
		condition
	}
	var all []place
	for _, p := range packages {
		if !slices.Contains(chosen, p.ImportPath) || len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		found, err := conditions(p)
		if err != nil {
			return err
		}
		for _, c := range found {
			if wanted.MatchString(c.String()) {
				all = append(all, place{p, c})
			}
		}
	}
	total := len(all)
	random := rand.New(rand.NewPCG(s.seed, 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if s.size > 0 {
		all = all[:min(s.size, len(all))]
	}
	if list {
		for _, c := range all {
			fmt.Printf("%s/%s\n", short(c.pkg.ImportPath), c.condition)
		}
		return nil
	}
	if warning := confinement(); warning != "" {
		fmt.Fprintln(os.Stderr, "mutate:", warning)
	}
	tried, unnoticed := 0, 0
	for _, p := range packages {
		var own []condition
		for _, c := range all {
			if c.pkg.ImportPath == p.ImportPath {
				own = append(own, c.condition)
			}
		}
		if len(own) == 0 {
			continue
		}
		n, missed, err := tryConditions(p, own)
		if err != nil {
			return fmt.Errorf("%s: %w", short(p.ImportPath), err)
		}
		tried, unnoticed = tried+n, unnoticed+missed
	}
	fmt.Printf("\n%d of %d conditions changed, %d noticed\n", tried, total, tried-unnoticed)
	if unnoticed > 0 {
		return errors.New("some changes were not noticed")
	}
	return nil
}

// tryConditions runs the tests of a package with each change and returns how many ran
// and how many of them passed all the same.
func tryConditions(p pkg, all []condition) (tried, unnoticed int, err error) {
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	binary := filepath.Join(dir, "tests")
	live, err := build(p, all, dir, binary)
	if err != nil {
		return 0, 0, err
	}
	t := tests{binary: binary, dir: p.Dir, temp: filepath.Join(dir, "temp"), limit: 5 * time.Minute}
	if err := t.sound(); err != nil {
		return 0, 0, err
	}
	for _, n := range slices.Sorted(mapKeys(live)) {
		tried++
		why := t.run(strconv.Itoa(n))
		if why == "" {
			unnoticed++
			why = "NOT NOTICED"
		}
		fmt.Printf("%s/%s: %s\n", short(p.ImportPath), live[n], why)
	}
	return tried, unnoticed, nil
}

func mapKeys[V any](m map[int]V) func(func(int) bool) {
	return func(yield func(int) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// complaint is where the compiler does not accept a change.
var complaint = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: `)

// build compiles the tests of a package with changes, which get the numbers from 1 on,
// and returns those that compile: a value may have a type of its own that is no bool.
func build(p pkg, all []condition, dir, binary string) (map[int]condition, error) {
	live := map[int]condition{}
	for i, c := range all {
		live[i+1] = c
	}
	for {
		overlay, err := changed(p, live, dir)
		if err != nil {
			return nil, err
		}
		c := exec.CommandContext(context.Background(), "go", "test", "-c", "-vet=off", "-overlay="+overlay, "-o", binary, p.ImportPath)
		out, err := c.CombinedOutput()
		if err == nil {
			return live, nil
		}
		dropped := false
		for _, m := range complaint.FindAllSubmatch(out, -1) {
			line, _ := strconv.Atoi(string(m[2])) // digits
			for n, c := range live {
				if filepath.Base(c.file) == filepath.Base(string(m[1])) && c.line <= line && line <= c.line+strings.Count(c.text, "\n") {
					delete(live, n)
					dropped = true
				}
			}
		}
		if !dropped {
			return nil, fmt.Errorf("%w\n%s", err, out)
		}
	}
}

// changed writes the files with the changes and returns the file that go build takes
// in place of the package's own.
func changed(p pkg, live map[int]condition, dir string) (string, error) {
	replace := map[string]string{}
	byFile := map[string]map[int]condition{}
	for n, c := range live {
		if byFile[c.file] == nil {
			byFile[c.file] = map[int]condition{}
		}
		byFile[c.file][n] = c
	}
	for file, own := range byFile {
		source, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		replace[file] = filepath.Join(dir, filepath.Base(file))
		if err := os.WriteFile(replace[file], rewrite(source, own), 0o600); err != nil {
			return "", err
		}
	}
	added := filepath.Join(dir, "mutant_switch.go")
	replace[filepath.Join(p.Dir, "mutant_switch.go")] = added
	if err := os.WriteFile(added, fmt.Appendf(nil, switchFile, p.Name), 0o600); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}

// tests is a test binary and how to run it.
type tests struct {
	binary, dir, temp string
	skip              string // a pattern of tests that fail without a change
	limit             time.Duration
}

// sound runs the tests without a change: what fails then is left out, and a change may
// take five times as long.
func (t *tests) sound() error {
	for range 3 {
		began := time.Now()
		out, err := t.once("")
		if err == nil {
			t.limit = 5*time.Since(began) + 10*time.Second
			return nil
		}
		var failed []string
		for _, m := range topFailure.FindAllSubmatch(out, -1) {
			failed = append(failed, string(m[1]))
		}
		if len(failed) == 0 {
			return fmt.Errorf("the tests fail without a change: %w\n%s", err, out)
		}
		fmt.Println("without a change these fail, and are left out:", strings.Join(failed, " "))
		if t.skip != "" {
			failed = append(failed, t.skip)
		}
		t.skip = "^(" + strings.Join(failed, "|") + ")$"
	}
	return errors.New("each time other tests fail without a change")
}

// topFailure is the line in which a test binary names a test that failed.
var topFailure = regexp.MustCompile(`(?m)^--- FAIL: ([^ /]+)`)

// run returns how the tests fail with a change; "" is not at all.
func (t *tests) run(mutant string) string {
	out, err := t.once(mutant)
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

func (t *tests) once(mutant string) ([]byte, error) {
	if err := os.RemoveAll(t.temp); err != nil {
		return nil, err
	}
	home := filepath.Join(t.temp, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), t.limit)
	defer cancel()
	args := []string{t.binary, "-test.count=1", "-test.timeout=" + (t.limit + time.Minute).String()}
	if t.skip != "" {
		args = append(args, "-test.skip="+t.skip)
	}
	if mutant != "" {
		args = append(args, "-test.failfast")
	}
	c := confined(ctx, t.temp, args)
	c.Dir = t.dir
	c.Env = append(os.Environ(), "MUTANT="+mutant, "TMPDIR="+t.temp, "HOME="+home)
	c.WaitDelay = 5 * time.Second // what a test left running may hold the pipe
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.Bytes(), err
}
