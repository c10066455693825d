// Command mutate changes the product's numbers, one at a time, and reports which
// changes the tests notice.
//
// Every number that bounds something is halved: the constants of packages and the
// defaults and bounds in the tags of arguments. The tests of the number's own
// package run with the change (by go test -overlay: the tree stays as it is). If
// they pass, the golden files and scripts of the command line follow, and then the
// packages that depend on it. What no test notices is either a number that nothing
// uses or one that nothing shows; both are listed, and the exit status is then 1.
//
// With -conditions it changes conditions instead: the opposite comparison, < for <=, &&
// for ||, a condition negated, the other truth value returned. A random sample of them
// is compiled into one test binary a package, in which an environment variable chooses
// one, and only the package's own tests run. As root they run where all but a temporary
// directory is read-only: what a test deletes may have changed, too. The packages are,
// if none is named, those that decide what may be done and that change files.
//
//	scripts/bench mutate ./pkg/files/...          the packages there
//	scripts/bench mutate -conditions -sample 300 -seed 2
//	scripts/bench mutate -conditions -sample 30 -seed 2 ./pkg/schema
//	scripts/bench mutate -only 'Timeout' ./...    only numbers whose FILE:NAME matches
//	scripts/bench mutate -list ./...              only lists the numbers
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
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == confineArgument {
		err := becomeConfined(os.Args[2:])
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit):
			os.Exit(max(exit.ExitCode(), 1))
		case err != nil:
			fmt.Fprintln(os.Stderr, "mutate: the tests could not be confined:", err)
			os.Exit(3)
		}
		return
	}
	only := flag.String("only", "", "change only numbers of which FILE:NAME matches this `pattern`")
	list := flag.Bool("list", false, "list the numbers and run nothing")
	own := flag.Bool("own", false, "run the tests of the number's own package and of the one above it, golden files and scripts, and no others")
	flips := flag.Bool("conditions", false, "change conditions instead of numbers")
	var s sampled
	flag.StringVar(&s.skip, "skip", "TestProject", "leave out tests whose names match this `pattern`, with -conditions; TestProject builds everything")
	flag.IntVar(&s.size, "sample", 30, "how many conditions to change; 0 is all")
	flag.Uint64Var(&s.seed, "seed", 1, "which conditions are in the sample")
	limit := flag.Duration("limit", 5*time.Minute, "how long the tests of one package may take")
	flag.Parse()
	wanted, err := regexp.Compile(*only)
	switch {
	case err != nil:
	case *flips:
		err = conditionsOf(flag.Args(), wanted, s, *list)
	default:
		err = run(flag.Args(), wanted, *list, *own, *limit)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func conditionsOf(patterns []string, wanted *regexp.Regexp, s sampled, list bool) error {
	packages, err := load()
	if err != nil {
		return err
	}
	if len(patterns) == 0 {
		patterns = deciding()
	}
	chosen, err := match(patterns)
	if err != nil {
		return err
	}
	return runConditions(packages, chosen, wanted, s, list)
}

// deciding returns the packages whose conditions decide what may be done, what is found
// and how files change.
func deciding() []string {
	return []string{
		"./pkg/files/edit", "./pkg/files/patch", "./pkg/policy", "./pkg/policy/approval", "./pkg/schema", "./pkg/search/ignore",
		"./pkg/shell/classify/...", "./pkg/shell/sandbox", "./pkg/state/journal", "./pkg/workspace",
	}
}

func run(patterns []string, wanted *regexp.Regexp, list, own bool, limit time.Duration) error {
	packages, err := load()
	if err != nil {
		return err
	}
	chosen, err := match(patterns)
	if err != nil {
		return err
	}
	var all []mutation
	for _, p := range packages {
		if !slices.Contains(chosen, p.ImportPath) {
			continue
		}
		found, err := numbers(p)
		if err != nil {
			return err
		}
		for _, m := range found {
			if wanted.MatchString(m.String()) {
				all = append(all, m)
			}
		}
	}
	if list {
		for _, m := range all {
			fmt.Printf("%s: %s -> %s\n", m, m.old, m.new)
		}
		return nil
	}
	t, err := newTrial(packages, limit)
	if err != nil {
		return err
	}
	defer t.close()
	var unnoticed []mutation
	for i, m := range all {
		verdict, err := t.verdict(m, own)
		if err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
		if verdict == "" {
			verdict = "NOT NOTICED"
			unnoticed = append(unnoticed, m)
		}
		fmt.Printf("%d/%d %s: %s -> %s: %s\n", i+1, len(all), m, m.old, m.new, verdict)
	}
	fmt.Printf("\n%d numbers halved, %d noticed\n", len(all), len(all)-len(unnoticed))
	for _, m := range unnoticed {
		fmt.Printf("not noticed: %s: %s\n", m, m.old)
	}
	if len(unnoticed) > 0 {
		return errors.New("some changes were not noticed")
	}
	return nil
}

// pkg is a package as go list describes it.
type pkg struct {
	ImportPath, Name, Dir              string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Deps, TestImports, XTestImports    []string
}

// load returns the packages of the module.
func load() ([]pkg, error) {
	out, err := output("go", "list", "-json=ImportPath,Name,Dir,GoFiles,TestGoFiles,XTestGoFiles,Deps,TestImports,XTestImports", "./...")
	if err != nil {
		return nil, err
	}
	var all []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p pkg
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// match returns the import paths that match the patterns.
func match(patterns []string) ([]string, error) {
	if len(patterns) == 0 {
		patterns = []string{"./cmd/...", "./pkg/..."}
	}
	out, err := output("go", append([]string{"list"}, patterns...)...)
	return strings.Fields(string(out)), err
}

func output(name string, args ...string) ([]byte, error) {
	var errw bytes.Buffer
	c := exec.CommandContext(context.Background(), name, args...)
	c.Stderr = &errw
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, errw.Bytes())
	}
	return out, nil
}

// trial runs tests with a change.
type trial struct {
	packages []pkg
	dir      string // for the changed files
	limit    time.Duration
	sound    map[check]string // what they report without a change; "" if they pass
}

func newTrial(packages []pkg, limit time.Duration) (*trial, error) {
	dir, err := os.MkdirTemp("", "mutate-")
	return &trial{packages, dir, limit, map[check]string{}}, err
}

func (t *trial) close() { _ = os.RemoveAll(t.dir) } // only copies are in it

// verdict returns the first package whose tests notice m, nearest first; "" is none.
func (t *trial) verdict(m mutation, own bool) (string, error) {
	changed := filepath.Join(t.dir, "changed.go")
	if err := os.WriteFile(changed, m.source, 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: changed}})
	if err != nil {
		return "", err
	}
	file := filepath.Join(t.dir, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return "", err
	}
	for _, c := range t.interested(m, own) {
		why := t.noticed(c, file)
		if why == "" {
			continue
		}
		if err := t.passes(c); err != nil {
			return "", err
		}
		return "noticed by " + short(c.pkg) + why, nil
	}
	return "", nil
}

// passes returns an error if tests fail without any change: they notice nothing.
func (t *trial) passes(tests check) error {
	why, known := t.sound[tests]
	if !known {
		why = t.noticed(tests, "")
		t.sound[tests] = why
	}
	if why != "" {
		return fmt.Errorf("the tests of %s fail without a change%s", short(tests.pkg), why)
	}
	return nil
}

// check is tests of one package; without a pattern, all of them.
type check struct{ pkg, pattern string }

// interested returns the tests that a change of m may fail: those of its own
// package and of the one above it, then golden files and scripts, then the packages
// whose tests import it, then the rest that depend on it.
func (t *trial) interested(m mutation, own bool) []check {
	first, near, far := []check(nil), []check(nil), []check(nil)
	for _, p := range t.packages {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		if p.ImportPath == m.pkg {
			first = slices.Insert(first, 0, check{pkg: p.ImportPath})
			continue
		}
		uses := slices.Contains(p.Deps, m.pkg)
		if uses && p.ImportPath == path.Dir(m.pkg) {
			first = append(first, check{pkg: p.ImportPath})
			continue
		}
		if uses && short(p.ImportPath) == "cmd" {
			near = append(near, check{p.ImportPath, "^Test(Golden|Scripts)"})
		}
		switch {
		case own:
		case slices.Contains(p.TestImports, m.pkg) || slices.Contains(p.XTestImports, m.pkg):
			near = append(near, check{pkg: p.ImportPath})
		case uses:
			far = append(far, check{pkg: p.ImportPath})
		}
	}
	return slices.Concat(first, near, far)
}

// failure is the line in which go test names a test that failed.
var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// noticed returns how tests fail with the change of an overlay, or without any: the
// name of one, or that the package does not compile or end. "" is not at all.
func (t *trial) noticed(tests check, overlay string) string {
	ctx, cancel := context.WithTimeout(context.Background(), t.limit)
	defer cancel()
	args := []string{"test", "-count=1", "-vet=off", "-failfast", "-run", tests.pattern}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	c := exec.CommandContext(ctx, "go", append(args, tests.pkg)...)
	out, err := c.CombinedOutput()
	switch {
	case err == nil:
		return ""
	case ctx.Err() != nil:
		return " (too slow)"
	}
	if found := failure.FindSubmatch(out); found != nil {
		return ": " + string(found[1])
	}
	return " (it does not build, or crashes)"
}

// short returns an import path without the module.
func short(importPath string) string {
	if _, rest, ok := strings.Cut(importPath, "/helve/"); ok {
		return rest
	}
	return importPath
}
