package cmd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestEndlessOutput holds the memory of the whole process against what a command
// prints without end.
func TestEndlessOutput(t *testing.T) {
	dir := commands(t)
	c := person(t, dir, "exec", `{"command":"echo first; yes","timeout":2}`)
	var text bytes.Buffer
	c.Stdout = &text
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	// What the system counts for a process as a whole begins with the memory of
	// the one that started it, so the process is asked while it runs.
	kilobytes := 0
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for running := true; running; {
		select {
		case err := <-ended:
			if running = false; err != nil {
				t.Fatal(err)
			}
		case <-look.C:
			kilobytes = max(kilobytes, peak(c.Process.Pid))
		}
	}
	var a answer
	if err := json.Unmarshal(text.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	out, _ := a.Data["output"].(string)
	if !a.OK || !strings.HasPrefix(out, "first\ny\n") || !strings.HasSuffix(out, "\ny\n") || a.Data["truncated"] != true || a.Data["total_bytes"].(float64) < 1<<25 {
		t.Errorf("%.200s… %v of %v bytes", out, len(out), a.Data["total_bytes"])
	}
	if kilobytes == 0 || kilobytes > 20<<10 {
		t.Errorf("%d KiB for %v bytes of output", kilobytes, a.Data["total_bytes"])
	}
	t.Logf("%d KiB for %v bytes of output", kilobytes, a.Data["total_bytes"])
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(a.Data["output_file"].(string))))
	if err != nil || info.Size() < 1<<25 {
		t.Errorf("%v %v", info, err)
	}
}

// peak is the most memory that a process has had, in KiB; 0 once it has ended.
func peak(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kilobytes := 0
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		return 0
	}
	return kilobytes
}
