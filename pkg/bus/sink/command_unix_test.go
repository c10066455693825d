//go:build unix

package sink_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/bus/sink"
	"github.com/helve-dev/helve/pkg/fault"
)

// shell returns the sink of a script that has the directory as $1.
func shell(t *testing.T, script string) (s *sink.Command, dir string) {
	t.Helper()
	dir = t.TempDir()
	return &sink.Command{Argv: []string{"sh", "-c", script, "sh", dir}, Dir: dir, Env: os.Environ(), Timeout: time.Minute}, dir
}

func TestCommand(t *testing.T) {
	s, dir := shell(t, `cat > in && printf %s "$HELVE_MESSAGE_ID" > id`)
	if err := s.Deliver(t.Context(), message(id1, "$(touch x) `touch y`")); err != nil {
		t.Fatal(err)
	}
	if got, want := read(t, filepath.Join(dir, "in")), line(id1, "$(touch x) `touch y`"); got != want {
		t.Errorf("the program read %s, want %s", got, want)
	}
	if got := read(t, filepath.Join(dir, "id")); got != id1 {
		t.Errorf("HELVE_MESSAGE_ID is %q", got)
	}
}

// TestCommandOutcomes has programs that end in each way, some of which do not read or
// print without end.
func TestCommandOutcomes(t *testing.T) {
	for _, c := range []struct {
		script string
		code   fault.Code // "" is delivered
		says   string
	}{
		{"exit 0", "", ""},
		{"exec 0<&-; exit 0", "", ""},
		{"yes | head -c 3000000; exit 0", "", ""},
		{"echo busy >&2; exit 75", fault.Unavailable, "(exit status 75): busy"},
		{"echo first; echo key ghp_0123456789012345678901234567890123456 broken; exit 3", fault.IOError, "exit status 3: key [secret] broken"},
		{"exit 1", fault.IOError, "exit status 1"},
		{"kill -9 $$", fault.Unavailable, "SIGKILL"},
	} {
		s, _ := shell(t, c.script)
		err := s.Deliver(t.Context(), message(id1, strings.Repeat("x", 300_000))) // more than a pipe holds
		if c.code == "" {
			if err != nil {
				t.Errorf("%s: %v", c.script, err)
			}
			continue
		}
		if says, _ := failed(t, err, sink.Again, c.code); !strings.HasSuffix(says, c.says) {
			t.Errorf("%s: %s, want %q at the end", c.script, says, c.says)
		}
	}
	s := &sink.Command{Argv: []string{"no-such-program-of-helve"}, Dir: t.TempDir(), Env: os.Environ()}
	failed(t, s.Deliver(t.Context(), message(id1, "x")), sink.Again, fault.NotFound)
}

// TestCommandKilled ends programs whose time is over, with the processes that they
// started and that hold their pipes.
func TestCommandKilled(t *testing.T) {
	const script = `sleep 600 & echo $! > "$1/child"; (trap '' TERM; exec sleep 600) & echo $! > "$1/deaf"; : > "$1/ready"; `
	t.Run("at its end", func(t *testing.T) {
		s, dir := shell(t, script+"exit 0")
		if err := s.Deliver(t.Context(), message(id1, "x")); err != nil {
			t.Fatal(err)
		}
		ended(t, dir)
	})
	t.Run("timeout", func(t *testing.T) {
		s, dir := shell(t, script+"wait")
		for s.Timeout = 100 * time.Millisecond; ; s.Timeout *= 2 { // until it is enough for the script to begin
			failed(t, s.Deliver(t.Context(), message(id1, "x")), sink.Again, fault.Timeout)
			if _, err := os.Stat(filepath.Join(dir, "ready")); err == nil {
				break
			}
		}
		ended(t, dir)
	})
	t.Run("canceled", func(t *testing.T) {
		s, dir := shell(t, script+"wait")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ready := filepath.Join(dir, "ready")
		if err := unix.Mkfifo(ready, 0o600); err != nil {
			t.Fatal(err)
		}
		go func() {
			if _, err := os.ReadFile(ready); err == nil { // it waits until the script opens it
				cancel()
			}
		}()
		failed(t, s.Deliver(ctx, message(id1, "x")), sink.Again, fault.Canceled)
		ended(t, dir)
	})
}

// ended checks that the processes that a script started are gone.
func ended(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"child", "deaf"} {
		pid, err := strconv.Atoi(strings.TrimSpace(read(t, filepath.Join(dir, name))))
		if err != nil {
			t.Fatal(err)
		}
		if err := unix.Kill(pid, 0); err == nil && !zombie(pid) {
			t.Errorf("%s is still there", name)
		}
	}
}

// zombie reports whether a process has ended and only its parent has not asked for its
// status.
func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || strings.Contains(string(stat), ") Z ")
}
