// Command peers says when cron expressions run next, by a library for Go: [[zone,
// expression, seconds], …] on standard input, its answers out.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/adhocore/gronx"
	netresearch "github.com/netresearch/go-cron"
	robfig "github.com/robfig/cron/v3"
)

// answers are those of a library: two runs for each question, fewer if there are none,
// null if it refuses the expression or does not come to an end.
type answers struct {
	Name    string
	Runs    [][]int64
	Nanos   int64 // for all of them, with reading the expression
	Refused int
	Endless int // questions without an answer after a second
}

// next returns when an expression runs after an instant, in the zone of the instant.
type next func(after time.Time) (time.Time, error)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(name string) error {
	var questions [][3]any
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		return err
	}
	parse, ok := libraries()[name]
	if !ok {
		return fmt.Errorf("no library %q", name)
	}
	all := answers{Name: name}
	for _, q := range questions {
		loc, err := time.LoadLocation(q[0].(string))
		if err != nil {
			return err
		}
		began := time.Now()
		next, err := parse(q[1].(string))
		if err != nil {
			all.Refused++
			all.Runs = append(all.Runs, nil)
			continue
		}
		answer := make(chan []int64, 1)
		go func() { answer <- twice(next, time.Unix(int64(q[2].(float64)), 0).In(loc)) }()
		select {
		case runs := <-answer:
			all.Nanos += time.Since(began).Nanoseconds()
			all.Runs = append(all.Runs, runs)
		case <-time.After(time.Second):
			all.Endless++ // and goes on until the program ends
			all.Runs = append(all.Runs, nil)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(all)
}

// twice returns two runs after an instant, fewer if there are none.
func twice(next next, at time.Time) []int64 {
	runs := []int64{}
	for range 2 {
		var err error
		if at, err = next(at); err != nil || at.IsZero() {
			break
		}
		runs = append(runs, at.Unix())
	}
	return runs
}

// libraries returns how each reads an expression.
func libraries() map[string]func(string) (next, error) {
	const fields = robfig.SecondOptional | robfig.Minute | robfig.Hour | robfig.Dom | robfig.Month | robfig.Dow | robfig.Descriptor
	plain := robfig.NewParser(fields)
	// Its default joins the two fields of days by "and", unlike cron(8).
	extended := netresearch.NewParser(netresearch.SecondOptional | netresearch.Minute | netresearch.Hour | netresearch.Dom | netresearch.Month |
		netresearch.Dow | netresearch.Descriptor | netresearch.Extended | netresearch.DowOrDom)
	return map[string]func(string) (next, error){
		"robfig": func(text string) (next, error) {
			s, err := plain.Parse(text)
			if err != nil {
				return nil, err
			}
			return func(after time.Time) (time.Time, error) { return s.Next(after), nil }, nil
		},
		"netresearch": func(text string) (next, error) {
			s, err := extended.Parse(text)
			if err != nil {
				return nil, err
			}
			return func(after time.Time) (time.Time, error) { return s.Next(after), nil }, nil
		},
		"gronx": func(text string) (next, error) {
			if !gronx.IsValid(text) {
				return nil, fmt.Errorf("%q is refused", text)
			}
			return func(after time.Time) (time.Time, error) { return gronx.NextTickAfter(text, after, false) }, nil
		},
	}
}
