//go:build linux && (amd64 || arm64)

package linux

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/workspace"
)

// loopback adds the steps that bring up the only interface of a new network namespace.
func (s *script) loopback() error {
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	fd := new(int32)
	s.call("socket", "", unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0).into = fd
	s.call("lo", "", unix.SYS_IOCTL, 0, unix.SIOCSIFFLAGS, pointer(s, request)).on(fd)
	return nil
}

// hostSockets returns the paths of the sockets of the host's services. To connect to
// one needs no right to write, so a read-only mount does not keep a command from it.
// all is false when there are too many to hide one by one. Those in directories that are
// replaced as a whole are left out, unless they are shown there.
func hostSockets(shown func(path string) bool) (paths []string, all bool) {
	const most, bytes = 256, 1 << 20
	data, err := readAll("/proc/net/unix", bytes)
	if err != nil || len(data) == bytes {
		return nil, false
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		i := strings.IndexByte(line, '/')
		if i < 0 {
			continue
		}
		path := strings.TrimSuffix(line[i:], "\n")
		if (workspace.WithinOS(path, "/run") || workspace.WithinOS(path, "/tmp") || workspace.WithinOS(path, "/var/run")) && !shown(path) {
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil && !seen[real] {
			seen[real] = true
			paths = append(paths, real)
		}
	}
	return paths[:min(len(paths), most)], len(paths) <= most
}
