package process

import (
	"bytes"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func machine() string {
	boot, err := fs.ReadFile(os.DirFS("/proc"), "sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	container, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(boot)) + " " + container
}

// statOf returns the fields of /proc/PID/stat after the name; see proc(5).
func statOf(pid int) []string {
	data, err := fs.ReadFile(os.DirFS("/proc"), strconv.Itoa(pid)+"/stat")
	if err != nil {
		return nil
	}
	i := bytes.LastIndexByte(data, ')')
	return strings.Fields(string(data[i+1:]))
}

// startOf returns when a process started, in the kernel's ticks, 0 if it is gone or has
// ended and nobody has asked how.
func startOf(pid int) uint64 {
	stat := statOf(pid)
	if len(stat) < 20 || stat[0] == "Z" {
		return 0
	}
	start, err := strconv.ParseUint(stat[19], 10, 64)
	if err != nil {
		return 0
	}
	return start
}

// terminate asks the process to end. A descriptor holds the process while still and
// alive make sure that it is the right one.
func (p ID) terminate(still func() bool) error {
	fd, err := unix.PidfdOpen(p.PID, 0)
	if err == unix.ENOSYS {
		if !still() || !p.alive() {
			return nil
		}
		return unix.Kill(p.PID, unix.SIGTERM)
	}
	if err != nil {
		return nil // it has ended
	}
	defer unix.Close(fd)
	if !p.alive() || !still() {
		return nil
	}
	if err := unix.PidfdSendSignal(fd, unix.SIGTERM, nil, 0); err != nil && err != unix.ESRCH {
		return err
	}
	return nil
}
