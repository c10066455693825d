// Command store compares how long a process takes to keep a message and end: alone, and
// beside others that do the same at once. The programs take turns within one run; each
// is a process of its own that starts, opens its store, writes one message so that it
// stays, and ends. After it, every store must have every message once; that none was
// lost is checked first and the times are printed only then.
//
// The programs are helve as an agent calls it; the stores without the rest of helve, that
// of one machine and that of several, with a server of NATS on the loopback; SQLite (built
// in a module of its own), a file of lines with a lock as the least that is possible, and
// a process that does nothing.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	var b bench
	flag.StringVar(&b.dir, "dir", "", "directory of the stores, on the file system to measure (default: a temporary one)")
	flag.IntVar(&b.alone, "alone", 60, "puts of each program without others beside them")
	flag.IntVar(&b.others, "others", 100, "how many processes put beside each one")
	flag.IntVar(&b.bursts, "bursts", 3, "how often so many processes start at once")
	flag.Parse()
	if err := b.run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "store:", err)
		os.Exit(1)
	}
}

type bench struct {
	dir                   string
	alone, others, bursts int
}

func (b *bench) run(ctx context.Context, out io.Writer) (err error) {
	b.dir, err = os.MkdirTemp(b.dir, "helve-store-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	programs, stop, err := b.programs(ctx)
	if err != nil {
		return err
	}
	defer stop()
	for round := range b.alone {
		for i := range programs {
			// Nobody is always the one after the same neighbour.
			p := programs[(i+round)%len(programs)]
			took, err := p.put(ctx)
			if err != nil {
				return err
			}
			p.alone = append(p.alone, took)
		}
	}
	for round := range b.bursts {
		for i := range programs {
			if err := programs[(i+round)%len(programs)].burst(ctx, b.others+1); err != nil {
				return err
			}
		}
	}
	for _, p := range programs {
		if err := p.check(ctx); err != nil {
			return err
		}
	}
	return b.print(out, programs)
}

// print writes the table. The ratios are those of the medians, to the first program's.
func (b *bench) print(out io.Writer, programs []*program) error {
	var table bytes.Buffer
	fmt.Fprintf(&table, "one put\tp50\tp90\tmax\tratio\tbeside %d: p50\tp90\tmax\tratio\t\n", b.others)
	var base *program
	for _, p := range programs {
		if base == nil {
			base = p
		}
		fmt.Fprintf(&table, "%s\t%s\t%.2f\t%s\t%.2f\t\n", p.name, quantiles(p.alone), ratio(p.alone, base.alone), quantiles(p.beside), ratio(p.beside, base.beside))
	}
	aligned := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if _, err := table.WriteTo(aligned); err != nil {
		return err
	}
	if err := aligned.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "in ms; %d puts alone and %d bursts of %d processes for each program; no message was lost or doubled\n", b.alone, b.bursts, b.others+1)
	return err
}

func quantiles(times []time.Duration) string {
	var all []string
	for _, q := range []float64{0.5, 0.9, 1} {
		all = append(all, fmt.Sprintf("%.1f", float64(quantile(times, q))/float64(time.Millisecond)))
	}
	return strings.Join(all, "\t")
}

func ratio(times, base []time.Duration) float64 {
	return float64(quantile(times, 0.5)) / float64(quantile(base, 0.5))
}
