// Command calls compares calls over one session, helve call --ndjson, with as many
// processes, in turns within one run, and shows whether the memory of the session
// grows. It says nothing about what the tools do.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	calls := flag.Int("calls", 1000, "make so many calls each way")
	growth := flag.Float64("max-growth", 0, "fail if the session's peak memory after all calls is more than this many times that after 100 (0: only report)")
	flag.Parse()
	if err := bench(context.Background(), os.Stdout, max(*calls, 4), *growth); err != nil {
		fmt.Fprintln(os.Stderr, "calls:", err)
		os.Exit(1)
	}
}

// kind is one kind of call, and how long its calls took.
type kind struct {
	tool, args string
	session    []time.Duration
	processes  []time.Duration
}

// peak is the session's peak memory after so many calls.
type peak struct {
	calls int
	bytes int64
}

func bench(ctx context.Context, out io.Writer, calls int, growth float64) error {
	dir, err := os.MkdirTemp("", "helve-calls-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory
	w := world{helve: filepath.Join(dir, "helve.exe"), home: filepath.Join(dir, "home"), root: filepath.Join(dir, "workspace")}
	if err := w.prepare(ctx); err != nil {
		return err
	}
	s, err := w.open(ctx)
	if err != nil {
		return err
	}
	defer s.stop()
	kinds := []kind{
		{tool: "read", args: `{"path":"small.txt"}`},
		{tool: "grep", args: `{"pattern":"line 7"}`},
		{tool: "ls", args: `{}`},
		{tool: "write", args: `{"path":"note.txt","content":"a note\n","mode":"append"}`},
	}
	var peaks []peak
	for i := range calls {
		k := &kinds[i%len(kinds)]
		if err := w.both(ctx, s, k, i/len(kinds)%2 == 0); err != nil {
			return fmt.Errorf("call %d, %s: %w", i+1, k.tool, err)
		}
		if n := i + 1; n == 1 || n == 100 || n == calls {
			bytes, err := s.peak()
			if err != nil {
				return err
			}
			peaks = append(peaks, peak{n, bytes})
		}
	}
	if err := s.close(); err != nil {
		return err
	}
	if _, err := io.WriteString(out, table(calls, kinds, peaks)); err != nil {
		return err
	}
	first, last := peaks[min(1, len(peaks)-1)], peaks[len(peaks)-1]
	if grown := float64(last.bytes) / float64(max(first.bytes, 1)); growth > 0 && grown > growth {
		return fmt.Errorf("the session's memory grew to %.2f times that after %d calls", grown, first.calls)
	}
	return nil
}

// world is the environment of the calls. The state lies outside of the workspace, as in
// real use.
type world struct{ helve, home, root string }

func (w world) prepare(ctx context.Context) error {
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", w.helve, "github.com/helve-dev/helve")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	if err := os.Mkdir(w.root, 0o755); err != nil {
		return err
	}
	var small strings.Builder
	for i := range 20 {
		fmt.Fprintf(&small, "line %d of a small file\n", i)
	}
	return os.WriteFile(filepath.Join(w.root, "small.txt"), []byte(small.String()), 0o644)
}

// both makes one call each way, and checks that it did what it is timed for.
func (w world) both(ctx context.Context, s *session, k *kind, sessionFirst bool) error {
	for _, inSession := range []bool{sessionFirst, !sessionFirst} {
		if !inSession {
			c := w.command(ctx, k.tool, k.args)
			began := time.Now()
			out, err := c.Output()
			k.processes = append(k.processes, time.Since(began))
			if err == nil && !strings.HasPrefix(string(out), `{"ok":true`) {
				err = fmt.Errorf("it printed %s", out)
			}
			if err != nil {
				return fmt.Errorf("the process: %w", err)
			}
			continue
		}
		took, err := s.call(k.tool, k.args)
		if err != nil {
			return fmt.Errorf("the session: %w", err)
		}
		k.session = append(k.session, took)
	}
	return nil
}

func (w world) command(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, w.helve, args...)
	c.Dir = w.root
	c.Env = append(os.Environ(), "HELVE_ROOT=", "HELVE_SESSION=", "HELVE_HOME="+w.home)
	return c
}

// session is a process that answers line by line.
type session struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func (w world) open(ctx context.Context) (*session, error) {
	c := w.command(ctx, "call", "--ndjson", "--content", "json")
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &session{c, in, bufio.NewReader(out)}, c.Start()
}

func (s *session) call(tool, args string) (time.Duration, error) {
	quoted, err := json.Marshal(args)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if _, err := fmt.Fprintf(s.in, `{"id":"1","type":"function","function":{"name":%q,"arguments":%s}}`+"\n", tool, quoted); err != nil {
		return 0, err
	}
	line, err := s.out.ReadString('\n')
	took := time.Since(began)
	if err != nil {
		return 0, err
	}
	if !strings.Contains(line, `{\"ok\":true`) {
		return 0, fmt.Errorf("it answered %s", line)
	}
	return took, nil
}

// peak returns the most memory that the session has had so far, in bytes; 0 where
// the system does not show it.
func (s *session) peak() (int64, error) {
	if runtime.GOOS != "linux" {
		return 0, nil
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kib << 10, err
		}
	}
	return 0, errors.New("/proc has no VmHWM")
}

// close ends the session as a host does.
func (s *session) close() error {
	if err := s.in.Close(); err != nil {
		return err
	}
	return s.command.Wait()
}

// stop ends the session if an error left it running.
func (s *session) stop() {
	if s.command.ProcessState == nil {
		_ = s.command.Process.Kill()
		_ = s.command.Wait()
	}
}

func table(calls int, kinds []kind, peaks []peak) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d calls each way, %s %s/%s\n", calls, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(&b, "%-8s%12s%9s%12s%9s%8s\n", "call", "session", "90%", "process", "90%", "ratio")
	var all kind
	for _, k := range kinds {
		b.WriteString(k.row(k.tool))
		all.session, all.processes = append(all.session, k.session...), append(all.processes, k.processes...)
	}
	b.WriteString(all.row("all"))
	fmt.Fprintf(&b, "in all  %9.2f s%21.2f s%17.2f\n", sum(all.session).Seconds(), sum(all.processes).Seconds(), float64(sum(all.processes))/float64(sum(all.session)))
	for _, p := range peaks {
		if p.bytes > 0 {
			fmt.Fprintf(&b, "peak memory of the session after %4d calls: %5.1f MiB\n", p.calls, float64(p.bytes)/(1<<20))
		}
	}
	return b.String()
}

// row shows medians and the times that nine in ten calls keep to.
func (k kind) row(name string) string {
	return fmt.Sprintf("%-8s%9.2f ms%6.2f ms%9.2f ms%6.2f ms%8.2f\n", name,
		milliseconds(quantile(k.session, 0.5)), milliseconds(quantile(k.session, 0.9)),
		milliseconds(quantile(k.processes, 0.5)), milliseconds(quantile(k.processes, 0.9)),
		float64(quantile(k.processes, 0.5))/float64(quantile(k.session, 0.5)))
}

func quantile(times []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[int(q*float64(len(sorted)-1))]
}

func sum(times []time.Duration) (all time.Duration) {
	for _, t := range times {
		all += t
	}
	return all
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
