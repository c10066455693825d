package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// program is something that keeps a message for each process that it is run in.
type program struct {
	name string
	argv func(id string) []string
	dir  string // where it keeps them
	env  []string
	// ids lists what its store has, in the order it came in; nil if it keeps nothing.
	ids           func(context.Context) ([]string, error)
	kept          []string // what it said that it has kept
	alone, beside []time.Duration
}

// put runs the program once.
func (p *program) put(ctx context.Context) (time.Duration, error) {
	c := p.command(ctx, p.argv(p.next()))
	began := time.Now()
	out, err := c.CombinedOutput()
	took := time.Since(began)
	if err != nil {
		return 0, fmt.Errorf("%s: %w: %.500s", p.name, err, out)
	}
	return took, nil
}

// next is the id of another message, which must be there at the end.
func (p *program) next() string {
	id := fmt.Sprintf("m%d", len(p.kept))
	p.kept = append(p.kept, id)
	return id
}

func (p *program) command(ctx context.Context, argv []string) *exec.Cmd {
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Env = append(os.Environ(), p.env...)
	return c
}

// held is a shell that says that it is ready, and becomes a program when its input ends.
const held = `echo ready; read -r line; exec "$@" </dev/null`

// burst runs the program n times at once: all are ready before the first may go. Starting
// them one after the other would let the first ones end before the last ones begin. Times
// are measured from the common start to the end of each.
func (p *program) burst(ctx context.Context, n int) error {
	gate, open, err := os.Pipe()
	if err != nil {
		return err
	}
	defer gate.Close()
	defer open.Close()
	commands, outs := make([]*exec.Cmd, n), make([]*bufio.Reader, n)
	for i := range n {
		c := p.command(ctx, append([]string{"sh", "-c", held, "sh"}, p.argv(p.next())...))
		c.Stdin = gate
		out, err := c.StdoutPipe()
		if err != nil {
			return err
		}
		if err := c.Start(); err != nil {
			return err
		}
		commands[i], outs[i] = c, bufio.NewReader(out)
	}
	for _, out := range outs {
		if line, err := out.ReadString('\n'); err != nil || line != "ready\n" {
			return fmt.Errorf("the shell said %q: %w", line, err)
		}
	}
	times, errs := make([]time.Duration, n), make([]error, n)
	var running sync.WaitGroup
	began := time.Now()
	if err := open.Close(); err != nil {
		return err
	}
	for i, c := range commands {
		running.Go(func() {
			out, err := io.ReadAll(outs[i])
			err = errors.Join(err, c.Wait())
			times[i] = time.Since(began)
			if err != nil {
				errs[i] = fmt.Errorf("%s: %w: %.500s", p.name, err, out)
			}
		})
	}
	running.Wait()
	p.beside = append(p.beside, times...)
	return errors.Join(errs...)
}

// check compares what was kept with what is there.
func (p *program) check(ctx context.Context) error {
	if p.ids == nil {
		return nil
	}
	got, err := p.ids(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	there := map[string]int{}
	for _, id := range got {
		there[id]++
	}
	var wrong []string
	for _, id := range p.kept {
		if there[id] != 1 {
			wrong = append(wrong, fmt.Sprintf("%s is there %d times", id, there[id]))
		}
		delete(there, id)
	}
	for id := range there {
		wrong = append(wrong, id+" was never sent")
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s lost or doubled messages: %s", p.name, strings.Join(wrong, ", "))
	}
	return nil
}

// lines runs a command and returns the lines it prints.
func lines(ctx context.Context, argv ...string) ([]string, error) {
	out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", argv, err)
	}
	return strings.Fields(string(out)), nil
}

func quantile(times []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[int(q*float64(len(sorted)-1))]
}
