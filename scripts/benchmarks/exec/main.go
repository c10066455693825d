// Command exec measures what it costs to run "sh -c true": plainly, through the
// runner without a sandbox, in each sandbox of this machine, and with bwrap and
// the same namespaces. The runs are interleaved, so that a busy machine is busy
// for all of them; trust the ratios.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/sandbox"
	"github.com/helve-dev/helve/pkg/shell/run"
)

func main() {
	if status, handled := sandbox.Stage(os.Args[1:]); handled {
		os.Exit(status)
	}
	rounds := flag.Int("n", 200, "how often each way is measured")
	flag.Parse()
	if err := measure(os.Stdout, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type way struct {
	name  string
	once  func() error
	times []time.Duration
}

func measure(out io.Writer, rounds int) error {
	ways, err := all()
	if err != nil {
		return err
	}
	for i := range rounds + 5 {
		for j := range ways {
			start := time.Now()
			if err := ways[j].once(); err != nil {
				return fmt.Errorf("%s: %w", ways[j].name, err)
			}
			if i >= 5 { // the first ones warm up
				ways[j].times = append(ways[j].times, time.Since(start))
			}
		}
	}
	var base time.Duration
	if _, err := fmt.Fprintf(out, "%-28s %9s %9s %9s\n", "sh -c true", "min ms", "p50 ms", "p50 ratio"); err != nil {
		return err
	}
	for _, w := range ways {
		slices.Sort(w.times)
		p50 := w.times[len(w.times)/2]
		if w.name == noSandbox {
			base = p50
		}
		ratio := "-"
		if base > 0 {
			ratio = fmt.Sprintf("%.2f", float64(p50)/float64(base))
		}
		if _, err := fmt.Fprintf(out, "%-28s %9.2f %9.2f %9s\n", w.name, ms(w.times[0]), ms(p50), ratio); err != nil {
			return err
		}
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

const noSandbox = "runner, no sandbox"

func all() ([]way, error) {
	dir, err := os.MkdirTemp("", "exec-benchmark-")
	if err != nil {
		return nil, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	ways := []way{{name: "plain fork and exec", once: func() error { return exec.CommandContext(context.Background(), "sh", "-c", "true").Run() }}}
	env, _ := run.Environment{Parent: os.Environ()}.Build()
	runner := func(box *sandbox.Box) func() error {
		return func() error {
			_, err := run.Run(context.Background(), run.Command{Argv: []string{"sh", "-c", "true"}, Dir: dir, Env: env, Box: box})
			return err
		}
	}
	ways = append(ways, way{name: noSandbox, once: runner(nil)})
	support := sandbox.Probe(sandbox.Cache{})
	for _, tier := range []sandbox.Tier{sandbox.Landlock, sandbox.Namespaces, sandbox.Seatbelt, sandbox.Job} {
		for _, secrets := range []bool{false, true} {
			p := sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: dir}
			name := "runner, " + string(tier)
			if secrets {
				p.Secrets = sandbox.Secrets(home)
				name += ", secrets"
			}
			if box, err := sandbox.New(p, support, tier); err == nil {
				ways = append(ways, way{name: name, once: runner(box)})
			}
		}
	}
	if bwrap, err := exec.LookPath("bwrap"); err == nil {
		args := []string{
			"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--die-with-parent", "--new-session",
			"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/run", "--bind", dir, dir,
			"--chdir", dir, "sh", "-c", "true",
		}
		ways = append(ways, way{name: "bwrap, same namespaces", once: func() error { return exec.CommandContext(context.Background(), bwrap, args...).Run() }})
	}
	return ways, nil
}
