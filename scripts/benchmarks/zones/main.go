// Command zones asks when cron expressions run next, in every zone and aimed at the changes of
// its clock, and compares helve's answers with those of two others that have time-zone data
// of their own: npm's croner on Node, and a reading of cron(8) on Python's zoneinfo with PyPI's
// tzdata. It fails for a difference that it cannot explain:
//
//   - other data: the other's clock shows another time than helve's at a moment in question,
//     as its release of the time-zone database is another
//   - midnight: the clock leaps over midnight; croner looks for the run on the day after alone
//
// HELVE_PYTHON is a Python with tzdata, HELVE_NODE_MODULES has croner; -node is a node whose
// data are fresh, such as that of npm's package node.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/schedule/cron"
	"github.com/helve-dev/helve/pkg/schedule/zone"
)

func main() {
	n := flag.Int("n", 20_000, "how many questions")
	seed := flag.Uint64("seed", 1, "of the questions")
	node := flag.String("node", "node", "the node that runs croner")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *n, *seed, *node); err != nil {
		fmt.Fprintln(os.Stderr, "zones:", err)
		os.Exit(1)
	}
}

// question is an expression in a zone, with helve's answer.
type question struct {
	zone, text string
	after      int64
	runs       []int64
}

// answers are those of one of the others.
type answers struct {
	Release string
	Answers []answer
}

// answer is two runs, and how far the clock is ahead at what was asked for and at the runs.
type answer struct {
	runs, ahead []int64
	refused     string
}

// UnmarshalJSON reads a list of them.
func (a *answer) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&a.runs, &a.ahead, &a.refused})
}

func run(ctx context.Context, out io.Writer, n int, seed uint64, node string) error {
	names, err := os.ReadFile("pkg/schedule/zone/names.txt")
	if err != nil {
		return err
	}
	questions, err := ask(rand.New(rand.NewPCG(seed, 20)), strings.Fields(string(names)), n)
	if err != nil {
		return err
	}
	own, system := zone.Releases()
	_, _ = fmt.Fprintf(out, "helve: %d questions, data %s (embedded) and %q (system)\n", n, own, system)
	unexplained := 0
	for _, other := range []struct {
		name string
		argv []string
	}{
		{"croner", []string{node, "scripts/judges/zones.cjs"}},
		{"zoneinfo", []string{os.Getenv("HELVE_PYTHON"), "-B", "scripts/judges/zones.py"}},
	} {
		theirs, err := asked(ctx, other.argv, questions)
		if err != nil {
			return fmt.Errorf("%s: %w", other.name, err)
		}
		unexplained += compare(out, other.name, questions, theirs)
	}
	if unexplained > 0 {
		return fmt.Errorf("%d differences have no explanation", unexplained)
	}
	return nil
}

// asked has another answer the questions.
func asked(ctx context.Context, argv []string, questions []question) (*answers, error) {
	var in [][4]any
	for _, q := range questions {
		in = append(in, [4]any{q.zone, q.text, q.after, q.runs})
	}
	text, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Env = append(os.Environ(), "NODE_PATH="+os.Getenv("HELVE_NODE_MODULES"))
	c.Stdin, c.Stderr = bytes.NewReader(text), os.Stderr
	said, err := c.Output()
	if err != nil {
		return nil, err
	}
	a := &answers{}
	if err := json.Unmarshal(said, a); err != nil {
		return nil, err
	}
	if len(a.Answers) != len(questions) {
		return nil, fmt.Errorf("%d answers to %d questions", len(a.Answers), len(questions))
	}
	return a, nil
}

// compare prints what is the same and what is not, and returns how much has no explanation.
func compare(out io.Writer, name string, questions []question, theirs *answers) (unexplained int) {
	classes, zones := map[string]int{}, map[string]bool{}
	for i, q := range questions {
		class := explain(q, theirs.Answers[i])
		switch classes[class]++; class {
		case "other data":
			zones[q.zone] = true
		case "":
			if unexplained++; unexplained <= 20 {
				_, _ = fmt.Fprintf(out, "  %s %q after %d: %v; %s %v %s\n", q.zone, q.text, q.after, q.runs, name, theirs.Answers[i].runs, theirs.Answers[i].refused)
			}
		}
	}
	_, _ = fmt.Fprintf(out, "%s, data %s:", name, theirs.Release)
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		_, _ = fmt.Fprintf(out, " %q %d", class, classes[class])
	}
	if len(zones) > 0 {
		_, _ = fmt.Fprintf(out, ", other data of %s", strings.Join(slices.Sorted(maps.Keys(zones)), " "))
	}
	_, _ = fmt.Fprintln(out)
	return unexplained
}

// explain returns the class of an answer; "" has no explanation.
func explain(q question, a answer) string {
	if a.refused == "" && slices.Equal(q.runs, a.runs) {
		return "same"
	}
	if strings.Contains(a.refused, "zone") { // one that it has no data of
		return "other data"
	}
	loc, err := zone.Load(q.zone)
	if err != nil || len(a.ahead) != len(q.runs)+len(a.runs) {
		return ""
	}
	for i, at := range slices.Concat(q.runs, a.runs) {
		if zone.StretchAt(at, loc).Offset != a.ahead[i] {
			return "other data"
		}
	}
	for _, at := range q.runs {
		before, after := zone.StretchAt(at-1, loc), zone.StretchAt(at, loc)
		const day = 86_400
		if before.End == at && before.Clock(at-1)/day != after.Clock(at)/day && !slices.Contains(a.runs, at) {
			return "midnight"
		}
	}
	return ""
}

// ask returns questions with helve's answers, most of them aimed at a change of a clock between
// 2020 and 2035.
func ask(r *rand.Rand, names []string, n int) ([]question, error) {
	const first, last = 1577836800, 2051222400
	out := make([]question, 0, n)
	for i := range n {
		name := names[i%len(names)]
		loc, err := zone.Load(name)
		if err != nil {
			return nil, err
		}
		at := first + r.Int64N(last-first)
		if s := zone.StretchAt(at, loc); r.IntN(5) > 0 && s.End < last {
			at = s.End + r.Int64N(5*3600) - 3*3600
		}
		q := question{zone: name, after: at - r.Int64N(30*3600), runs: []int64{}}
		q.text = expression(r, time.Unix(zone.StretchAt(at, loc).Clock(at), 0).UTC())
		e, err := cron.Parse(q.text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.text, err)
		}
		for next := time.Unix(q.after, 0); len(q.runs) < 2; {
			var ok bool
			if next, ok = e.Next(next, loc); !ok {
				break
			}
			q.runs = append(q.runs, next.Unix())
		}
		out = append(out, q)
	}
	return out, nil
}

// expression returns one that runs at about what a clock shows.
func expression(r *rand.Rand, at time.Time) string {
	number := func(v, by, least, greatest int) int { return min(max(v+r.IntN(2*by+1)-by, least), greatest) }
	field := func(v, by, least, greatest int) string {
		a := number(v, by, least, greatest)
		switch r.IntN(8) {
		case 0:
			return fmt.Sprintf("*/%d", 1+r.IntN((greatest-least)/2))
		case 1:
			return fmt.Sprintf("%d-%d", a, number(greatest, (greatest-a)/2, a, greatest))
		case 2:
			return fmt.Sprintf("%d,%d", a, number(v, 3*by, least, greatest))
		case 3:
			return "*"
		}
		return fmt.Sprint(a)
	}
	minute, hour, dom, month, dow := field(at.Minute()/5*5, 30, 0, 59), field(at.Hour(), 1, 0, 23), "*", "*", "*"
	switch r.IntN(10) {
	case 0:
		dom = fmt.Sprint(at.Day())
	case 1:
		dow = fmt.Sprint(int(at.Weekday()))
	case 2:
		month = fmt.Sprint(int(at.Month()))
	case 3:
		dom, dow = fmt.Sprint(at.Day()), fmt.Sprintf("%d,%d", r.IntN(7), r.IntN(8))
	case 4:
		dow = "1-5"
	}
	return strings.Join([]string{minute, hour, dom, month, dow}, " ")
}
