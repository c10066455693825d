package cmd_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestReleaseCode: a process that waits for its next call keeps little of its code in
// memory, and still answers.
func TestReleaseCode(t *testing.T) {
	t.Parallel()
	c := cmdtest.Person(t, cmdtest.Workspace(t), "call", "--ndjson")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	ask := func() {
		t.Helper()
		if _, err := io.WriteString(in, `{"id":"a","function":{"name":"time","arguments":"{}"}}`+"\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, `"tool_call_id":"a"`) {
			t.Fatalf("%q %v", line, err)
		}
	}
	ask()
	size, held := code(t, c.Process.Pid, c.Path)
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for begun := time.Now(); held*2 > size && time.Since(begun) < 20*time.Second; <-look.C {
		size, held = code(t, c.Process.Pid, c.Path)
	}
	if held*2 > size {
		t.Errorf("%d of %d KiB", held, size)
	}
	ask()
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}

// code returns the size of a process's code and how much of it is in memory, in
// KiB; see proc_pid_smaps(5).
func code(t *testing.T, pid int, program string) (size, held int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), " r-xp ")
	if !found || !strings.Contains(rest[:strings.IndexByte(rest, '\n')], program) {
		t.Fatalf("no code of %s in %s", program, text)
	}
	for line := range strings.Lines(rest) {
		if _, err := fmt.Sscanf(line, "Size: %d kB", &size); err == nil {
			continue
		}
		if _, err := fmt.Sscanf(line, "Rss: %d kB", &held); err == nil {
			return size, held
		}
	}
	t.Fatalf("no sizes in %s", rest)
	return 0, 0
}
