//go:build linux && (amd64 || arm64)

package linux

import (
	"io/fs"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestMemoryLeft has machines and groups of processes as the kernel describes them.
func TestMemoryLeft(t *testing.T) {
	const info = "MemTotal:       8000 kB\nMemFree:         100 kB\nMemAvailable:   4000 kB\nShmem:   30 kB\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  int64 // -1 is unknown
	}{
		{"nothing is known", nil, -1},
		{"an old kernel", map[string]string{"/proc/meminfo": "MemTotal: 8000 kB\n"}, -1},
		{"no groups", map[string]string{"/proc/meminfo": info}, 4000 << 10},
		{"no limit", map[string]string{"/proc/meminfo": info, "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/memory.max": "max\n", "/sys/fs/cgroup/a/memory.current": "5\n"}, 4000 << 10},
		{"the group's", map[string]string{"/proc/meminfo": info, "/proc/self/cgroup": "1:cpu:/x\n0::/a/b\n",
			"/sys/fs/cgroup/a/b/memory.max": "3000000\n", "/sys/fs/cgroup/a/b/memory.current": "1000000\n", "/sys/fs/cgroup/a/b/memory.stat": "anon 1\ninactive_file 400000\n"}, 2_400_000},
		{"that of one above", map[string]string{"/proc/meminfo": info, "/proc/self/cgroup": "0::/a/b\n",
			"/sys/fs/cgroup/a/memory.max": "2000000", "/sys/fs/cgroup/a/memory.current": "1500000"}, 500_000},
		{"a container's", map[string]string{"/proc/meminfo": info, "/proc/self/cgroup": "0::/../..\n", "/sys/fs/cgroup/memory.max": "2000000", "/sys/fs/cgroup/memory.current": "2500000"}, 0},
		{"nonsense", map[string]string{"/proc/meminfo": info, "/proc/self/cgroup": "0::", "/sys/fs/cgroup/memory.max": "x", "/sys/fs/cgroup/memory.current": ""}, 4000 << 10},
	} {
		got, ok := memoryLeft(func(name string) ([]byte, error) {
			if text, ok := c.files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		})
		if ok != (c.want >= 0) || ok && got != (sandbox.Memory{Left: c.want, Shared: 30 << 10}) {
			t.Errorf("%s: %+v, %t", c.name, got, ok)
		}
	}
}
