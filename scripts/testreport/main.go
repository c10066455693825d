// Command testreport turns the events of `go test -json` on standard input into what a
// person wants to read: every failure in full, every skipped test with its
// reason, and the totals. It does not run tests. On standard error it says how each
// package did as soon as that has ended.
//
// The exit status is 1 when something failed. With -missing FILE, the names of
// outside programs for want of which tests were skipped are written to FILE,
// one a line, with the number of tests. A test says so by skipping with
// the reason "no NAME".
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	missing := flag.String("missing", "", "write the programs that tests missed to `FILE`")
	flag.Parse()
	r := newReport(os.Stderr)
	err := r.read(os.Stdin)
	if err == nil && *missing != "" {
		err = os.WriteFile(*missing, []byte(r.missing()), 0o644)
	}
	if err == nil {
		_, err = os.Stdout.WriteString(r.String())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		os.Exit(2)
	}
	if r.failed > 0 {
		os.Exit(1)
	}
}

// event is a line of `go test -json`; see `go doc test2json`.
type event struct {
	Action, Package, ImportPath, Test, Output, FailedBuild string
	Elapsed                                                float64 // seconds
}

// unit is a test, a package or a build, whose output is kept until it is known
// whether anybody wants to read it.
type unit struct{ pkg, test string }

type report struct {
	text           strings.Builder // of the failures
	output         map[unit]*strings.Builder
	broken         map[string]bool // the packages that something failed in
	passed, failed int
	skipped        []skip
	ended          io.Writer                 // a line for each package
	tests          map[string]map[string]int // of each package, by how they ended
}

type skip struct {
	unit
	reason string
}

func newReport(ended io.Writer) *report {
	return &report{output: map[unit]*strings.Builder{}, broken: map[string]bool{}, ended: ended, tests: map[string]map[string]int{}}
}

// read consumes the events up to the end. A line that is no event is passed on.
func (r *report) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil {
				r.event(e)
			} else {
				r.text.Write(line)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *report) event(e event) {
	u := unit{cmp.Or(e.Package, e.ImportPath), e.Test}
	switch e.Action {
	case "output", "build-output":
		b := r.output[u]
		if b == nil {
			b = &strings.Builder{}
			r.output[u] = b
		}
		b.WriteString(e.Output)
		return
	case "pass":
		if u.test != "" {
			r.passed++
		}
	case "fail", "build-fail":
		// A package fails because a test or its build has; that counts once.
		if u.test != "" || e.FailedBuild == "" && !r.broken[u.pkg] {
			r.failed++
		}
		if u.test == "" && !r.broken[u.pkg] {
			r.text.WriteString(r.left(u.pkg))
		}
		r.broken[u.pkg] = true
		fmt.Fprintf(&r.text, "%s %s\n%s", u.pkg, u.test, r.said(u))
	case "skip":
		if u.test != "" { // a package without tests is "skipped" too
			r.skipped = append(r.skipped, skip{u, reason(r.said(u))})
		}
	default:
		return
	}
	delete(r.output, u)
	r.count(e)
}

// count counts a test that has ended, or shows the counts of its package when that has.
func (r *report) count(e event) {
	n := r.tests[e.Package]
	switch {
	case e.Test == "" && (n != nil || e.Action == "fail"):
		_, _ = fmt.Fprintf(r.ended, "%s %s %.1f s: %d tests passed, %d failed, %d skipped\n", e.Action, e.Package, e.Elapsed, n["pass"], n["fail"], n["skip"])
	case e.Test != "" && n == nil:
		r.tests[e.Package] = map[string]int{e.Action: 1}
	case e.Test != "":
		n[e.Action]++
	}
}

// left returns what the tests of a package printed after their ends, such as why the process
// ended.
func (r *report) left(pkg string) string {
	var parts []string
	for u, said := range r.output {
		if u.pkg == pkg && u.test != "" {
			parts = append(parts, u.test+"\n"+said.String())
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, "")
}

// said returns the output of the unit so far.
func (r *report) said(u unit) string {
	if b := r.output[u]; b != nil {
		return b.String()
	}
	return ""
}

// reason is the last message of a skipped test. The log that testscript prints
// after it is not one.
func reason(output string) string {
	message := regexp.MustCompile(`^\s*(\S+\.go):\d+: (.*)`)
	last := "no reason given"
	for line := range strings.Lines(output) {
		if m := message.FindStringSubmatch(line); m != nil && m[1] != "testscript.go" {
			last = m[2]
		}
	}
	return last
}

// missing is the list for -missing: "NAME COUNT" lines, by name.
func (r *report) missing() string {
	program := regexp.MustCompile(`^no ([\w.+-]*\w)$`)
	count := map[string]int{}
	for _, s := range r.skipped {
		if m := program.FindStringSubmatch(s.reason); m != nil {
			count[m[1]]++
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(&b, "%s %d\n", name, count[name])
	}
	return b.String()
}

// String is the report: failures first, then what was skipped, then the totals.
func (r *report) String() string {
	var b strings.Builder
	b.WriteString(r.text.String())
	for _, s := range r.skipped {
		fmt.Fprintf(&b, "note: %s %s skipped: %s\n", s.pkg, s.test, s.reason)
	}
	fmt.Fprintf(&b, "note: %d tests passed, %d failed, %d skipped\n", r.passed, r.failed, len(r.skipped))
	return b.String()
}
