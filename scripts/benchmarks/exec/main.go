// Command exec measures what it costs to run "sh -c true": directly, by a process that
// only runs it, without a sandbox and in each kind that this machine has, and by bwrap
// with the same namespaces; or, with -undo, what it costs that a command can be undone. The runs are interleaved, so that other load on the machine
// is the same for all of them. Trust the ratios, not the times, and those of CPU time more
// than those of wall time.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 4 && os.Args[1] == "__once":
		err = once(os.Args[2], os.Args[3])
	case len(os.Args) == 4 && os.Args[1] == "__track":
		err = trackOnce(os.Args[2], os.Args[3])
	default:
		rounds := flag.Int("n", 200, "how often each way is measured")
		files := flag.Int("undo", 0, "measure instead what undo costs in a repository of so many files")
		flag.Parse()
		if *files > 0 {
			err = measureUndo(os.Stdout, *rounds, *files)
		} else {
			err = measure(os.Stdout, *rounds)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// once is the process that is measured. Like a call of helve, it runs one command.
func once(dir, way string) error {
	c := run.Command{Argv: []string{"sh", "-c", "true"}, Dir: dir}
	c.Env, _ = run.Environment{Parent: os.Environ()}.Build()
	kind, secrets := strings.CutSuffix(way, withSecrets)
	kind, reaching := strings.CutSuffix(kind, withNetwork)
	if kind := sandbox.Kind(kind); kind != sandbox.None {
		home, err := os.UserHomeDir()
		if err != nil {
			return err
		}
		p := sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.Local, Workspace: dir, Temp: dir}
		if secrets {
			p.Secrets = sandbox.Secrets(home)
		}
		if reaching {
			p.Network = sandbox.Full
		}
		support := native.Probe(cache(dir))
		if c.Sandbox, err = native.New(p, support, kind); err != nil {
			return err
		}
	}
	r, err := run.Run(context.Background(), c)
	if err == nil && (r.ExitCode != 0 || r.Sandbox.Kind != sandbox.Kind(kind)) {
		err = fmt.Errorf("%+v", r)
	}
	return err
}

// cache keeps the result of Probe in a file, as helve does.
func cache(dir string) sandbox.Cache {
	name := dir + ".support"
	return sandbox.Cache{
		Load:  func() ([]byte, error) { return os.ReadFile(name) },
		Store: func(b []byte) error { return os.WriteFile(name, b, 0o600) },
	}
}

// Suffixes of ways: with the usual secrets hidden, and with the network of the host. A
// network namespace costs more than everything else, and how much depends on how many
// were taken down recently.
const (
	withSecrets = ", secrets"
	withNetwork = ", host's network"
)

type way struct {
	name string
	argv []string
	wall []time.Duration
	cpu  []time.Duration // of the process and what it waited for
}

// run runs the way once and keeps what it took, unless it only warms up.
func (w *way) run(warm bool) error {
	c := exec.CommandContext(context.Background(), w.argv[0], w.argv[1:]...)
	start := time.Now()
	said, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w %s", w.name, err, said)
	}
	if !warm {
		w.wall = append(w.wall, time.Since(start))
		w.cpu = append(w.cpu, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
	}
	return nil
}

// table prints the least and the median of each way, and the ratios of the medians to those of base.
func table(out io.Writer, title string, ways []way, base string) error {
	var wall, cpu time.Duration
	for _, w := range ways {
		slices.Sort(w.wall)
		slices.Sort(w.cpu)
		if w.name == base {
			wall, cpu = median(w.wall), median(w.cpu)
		}
	}
	if _, err := fmt.Fprintf(out, "%-28s %9s %9s %9s %9s %9s %9s\n", title, "cpu min", "cpu p50", "ratio", "wall min", "wall p50", "ratio"); err != nil {
		return err
	}
	for _, w := range ways {
		if _, err := fmt.Fprintf(out, "%-28s %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f\n", w.name,
			ms(w.cpu[0]), ms(median(w.cpu)), ratio(median(w.cpu), cpu), ms(w.wall[0]), ms(median(w.wall)), ratio(median(w.wall), wall)); err != nil {
			return err
		}
	}
	return nil
}

func median(times []time.Duration) time.Duration { return times[len(times)/2] }

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

func measure(out io.Writer, rounds int) (err error) {
	parent, err := os.MkdirTemp("", "exec-benchmark-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(parent)) }()
	dir := filepath.Join(parent, "work")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	ways, err := all(dir)
	if err != nil {
		return err
	}
	for i := range rounds + 5 {
		for j := range ways {
			if err := ways[j].run(i < 5); err != nil {
				return err
			}
		}
	}
	return table(out, "sh -c true, in ms", ways, string(sandbox.None))
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func all(dir string) ([]way, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	ways := []way{{name: "plain", argv: []string{"sh", "-c", "true"}}}
	add := func(name string) { ways = append(ways, way{name: name, argv: []string{self, "__once", dir, name}}) }
	add(string(sandbox.None))
	support := native.Probe(sandbox.Cache{})
	for _, kind := range []sandbox.Kind{sandbox.Landlock, sandbox.Namespaces, sandbox.Seatbelt, sandbox.Job} {
		p := sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: dir}
		if _, err := native.New(p, support, kind); err == nil {
			add(string(kind))
			add(string(kind) + withSecrets)
		}
		if kind == sandbox.Namespaces && support.Namespaces {
			add(string(kind) + withNetwork)
		}
	}
	return append(ways, others(dir)...), nil
}

// others returns other runners that are installed, with arguments for what the kind
// with namespaces does, as far as they can do it.
func others(dir string) []way {
	var all []way
	add := func(name string, argv ...string) {
		if program, err := exec.LookPath(argv[0]); err == nil {
			all = append(all, way{name: name, argv: append([]string{program}, argv[1:]...)})
		}
	}
	bwrap := []string{
		"bwrap", "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--new-session",
		"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/run", "--bind", dir, dir,
		"--chdir", dir,
	}
	line := []string{"sh", "-c", "true"}
	add("bwrap, same namespaces", slices.Concat(bwrap, []string{"--unshare-net"}, line)...)
	add("bwrap"+withNetwork, slices.Concat(bwrap, line)...)
	add("firejail", slices.Concat([]string{"firejail", "--quiet", "--noprofile", "--net=none", "--private-tmp", "--private-dev", "--caps.drop=all", "--seccomp", "--"}, line)...)
	add("codex sandbox", slices.Concat([]string{"codex", "sandbox", "--"}, line)...)
	return all
}
