//go:build linux && (amd64 || arm64)

package linux

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// mapUsers maps ids to themselves in the user namespace of a child: for root all ids,
// so that files keep their owners, and for others their own. See
// user_namespaces(7).
func mapUsers(pid int) error {
	proc := "/proc/" + strconv.Itoa(pid)
	for _, f := range [...][2]string{
		{"/uid_map", identityMap("/proc/self/uid_map", unix.Geteuid())},
		{"/setgroups", "deny"},
		{"/gid_map", identityMap("/proc/self/gid_map", unix.Getegid())},
	} {
		fd, err := unix.Open(proc+f[0], unix.O_WRONLY|unix.O_CLOEXEC, 0)
		if err == nil {
			_, err = unix.Write(fd, []byte(f[1]))
			unix.Close(fd)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f[0][1:], err)
		}
	}
	return nil
}

// identityMap returns the lines of such a map.
func identityMap(file string, own int) string {
	if unix.Geteuid() == 0 {
		if lines := parseIDMap(file); lines != "" {
			return lines
		}
	}
	return fmt.Sprintf("%d %d 1\n", own, own)
}

// parseIDMap returns lines that map all ids of a file such as /proc/self/uid_map, ""
// when it cannot be read.
func parseIDMap(file string) string {
	data, err := readAll(file, 64<<10)
	if err != nil {
		return ""
	}
	var lines strings.Builder
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) != 3 {
			return ""
		}
		inside, err1 := strconv.ParseUint(f[0], 10, 32)
		size, err2 := strconv.ParseUint(f[2], 10, 32)
		if err1 != nil || err2 != nil {
			return ""
		}
		fmt.Fprintf(&lines, "%d %d %d\n", inside, inside, size)
	}
	return lines.String()
}
