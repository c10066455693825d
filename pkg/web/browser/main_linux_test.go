package browser

import (
	"bytes"
	"os"
	"strconv"
	"testing"
)

// using returns the processes whose arguments or environment name a path.
func using(t *testing.T, path string) (pids []int) {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		for _, file := range [...]string{"cmdline", "environ"} {
			if data, err := os.ReadFile("/proc/" + e.Name() + "/" + file); err == nil && bytes.Contains(data, []byte(path)) {
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids
}
