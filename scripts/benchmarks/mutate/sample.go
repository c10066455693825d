package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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

// sampled selects the conditions to change.
type sampled struct {
	size int
	seed uint64
	skip string // a pattern of tests that are left out
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
	var results []result
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
		r, err := tryConditions(p, own, s.skip)
		if err != nil {
			return fmt.Errorf("%s: %w", short(p.ImportPath), err)
		}
		results = append(results, r)
	}
	return summarize(results, total)
}

// result counts the changes that the tests of a package ran with, and lists those they
// did not notice.
type result struct {
	pkg       string // its path in the module
	tried     int
	unnoticed []condition
}

// summarize prints what was noticed in each package, and the changes that were not.
func summarize(results []result, total int) error {
	tried, noticed := 0, 0
	fmt.Println()
	for _, r := range results {
		n := r.tried - len(r.unnoticed)
		fmt.Printf("%-24s %3d of %3d noticed\n", r.pkg, n, r.tried)
		tried, noticed = tried+r.tried, noticed+n
	}
	fmt.Printf("%d of %d conditions changed, %d noticed (%.1f %%)\n", tried, total, noticed, 100*float64(noticed)/float64(max(tried, 1)))
	for _, r := range results {
		for _, c := range r.unnoticed {
			fmt.Printf("not noticed: %s/%s\n", r.pkg, c)
		}
	}
	if noticed < tried {
		return errors.New("some changes were not noticed")
	}
	return nil
}

// tryConditions runs the tests of a package with each change.
func tryConditions(p pkg, all []condition, skip string) (r result, err error) {
	r.pkg = short(p.ImportPath)
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Chmod(dir, 0o755); err != nil { // some tests run as another user
		return r, err
	}
	live, err := build(p, all, dir, filepath.Join(dir, binaryName))
	if err != nil {
		return r, err
	}
	t := tests{dir: dir, source: p.Dir, limit: 5 * time.Minute}
	if skip != "" {
		t.skip = []string{skip}
	}
	if err := t.sound(); err != nil {
		return r, err
	}
	for _, n := range slices.Sorted(maps.Keys(live)) {
		r.tried++
		why := t.run(strconv.Itoa(n))
		if why == "" {
			r.unnoticed = append(r.unnoticed, live[n])
			why = "NOT NOTICED"
		}
		fmt.Printf("%s/%s: %s\n", r.pkg, live[n], why)
	}
	return r, nil
}

// complaint matches the position of a change that the compiler does not accept.
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
