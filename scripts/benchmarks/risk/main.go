// Command risk compares the verdicts of package classify with a labelled corpus: a
// file of lines with the tab-separated columns kind, command as a JSON string and
// expected risk; further columns are ignored. It prints one line a command, and
// exits with 1 if a verdict is milder than the label, or if a command of the kind
// control/read is judged as anything but read.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: risk FILE.tsv")
		os.Exit(2)
	}
	f, err := os.Open(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	milder, err := compare(f, os.Stdout)
	f.Close()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if milder > 0 {
		os.Exit(1)
	}
}

func compare(in io.Reader, out io.Writer) (wrong int, err error) {
	var exact, stricter, total int
	var spent time.Duration
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		columns := strings.Split(lines.Text(), "\t")
		if len(columns) < 3 {
			continue
		}
		want, ok := riskOf(columns[2])
		if !ok {
			continue
		}
		var command string
		if err := json.Unmarshal([]byte(columns[1]), &command); err != nil {
			return 0, fmt.Errorf("%s: %w", columns[1], err)
		}
		start := time.Now()
		v := classify.Classify(command, classify.Options{Root: "/src/project", Home: "/home/user"})
		spent += time.Since(start)
		total++
		mark := "="
		switch {
		case want.Worse(v.Risk), v.Risk.Worse(want) && columns[0] == "control/read":
			mark = "WRONG"
			wrong++
		case v.Risk.Worse(want):
			mark = "+"
			stricter++
		default:
			exact++
		}
		if _, err := fmt.Fprintf(out, "%-5s %-11s %-11s %-60s %v\n", mark, columns[2], v.Risk, clip(columns[1]), v.Flags); err != nil {
			return wrong, err
		}
	}
	_, err = fmt.Fprintf(out, "\n%d commands: %d as labelled, %d stricter, %d wrong; %s a command\n", total, exact, stricter, wrong, spent/time.Duration(max(total, 1)))
	if err != nil {
		return wrong, err
	}
	return wrong, lines.Err()
}

func riskOf(label string) (policy.Risk, bool) {
	r := policy.Risk(label)
	return r, slices.Contains([]policy.Risk{policy.Read, policy.Write, policy.Destructive}, r)
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}
