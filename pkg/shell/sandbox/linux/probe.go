//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// Probe implements [sandbox.System] by building a sandbox. The cache is valid for one start
// of the machine, one user and one container.
func (System) Probe(cache sandbox.Cache) sandbox.Support {
	abi, why := landlockABI()
	key := probeKey(abi, why)
	if cache.Load != nil && key != "" {
		if data, err := cache.Load(); err == nil {
			if s, ok := recall(data, key); ok {
				return s
			}
		}
	}
	s := sandbox.Support{LandlockABI: abi, LandlockReason: why, Filtered: isFiltered(), Seccomp: knows(unix.SECCOMP_RET_ERRNO), Broker: knows(unix.SECCOMP_RET_USER_NOTIF)}
	s.Sockets = s.Broker && copies()
	if err := tryNamespaces(s, nil); err != nil {
		s.Reason = cmp.Or(errors.Unwrap(err), err).Error()
	} else {
		s.Namespaces = true
	}
	if cache.Store != nil && key != "" {
		_ = cache.Store(remember(s, key)) // without it the next call probes again
	}
	return s
}

// remembered is the text of a cache: the key and what was found, a line each. To decode JSON
// would take longer than to compute the key.
const remembered = "%s\nnamespaces=%t landlock_abi=%d filtered=%t seccomp=%t broker=%t sockets=%t\n%s\n%s\n"

func remember(s sandbox.Support, key string) []byte {
	return fmt.Appendf(nil, remembered, key, s.Namespaces, s.LandlockABI, s.Filtered, s.Seccomp, s.Broker, s.Sockets, s.Reason, s.LandlockReason)
}

// recall returns what a cache has for a key.
func recall(data []byte, key string) (s sandbox.Support, ok bool) {
	lines := strings.Split(string(data), "\n")
	if len(lines) != 5 || lines[0] != key {
		return s, false
	}
	for field := range strings.FieldsSeq(lines[1]) {
		name, value, _ := strings.Cut(field, "=")
		yes := value == "true"
		switch name {
		case "namespaces":
			s.Namespaces = yes
		case "landlock_abi":
			s.LandlockABI, _ = strconv.Atoi(value) // 0 is none
		case "filtered":
			s.Filtered = yes
		case "seccomp":
			s.Seccomp = yes
		case "broker":
			s.Broker = yes
		case "sockets":
			s.Sockets = yes
		}
	}
	s.Reason, s.LandlockReason = lines[2], lines[3]
	return s, true
}

// probeKey returns what the result depends on: the start of the machine, the user,
// the container, and what forbids calls there, as far as it costs next to nothing to see: of
// a filter nobody can read more than that there is one. It is "" if that cannot be found out.
func probeKey(abi int, why string) string {
	boot := bootID()
	if boot == "" {
		return ""
	}
	key := make([]byte, 0, 512)
	key = fmt.Appendf(key, "6 %s %d %d %s %t", boot, unix.Geteuid(), abi, why, copies())
	dir, err := unix.Open("/proc/self/ns", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	defer unix.Close(dir)
	for _, ns := range [...]string{"user", "mnt", "pid"} {
		var link [64]byte
		n, err := unix.Readlinkat(dir, ns, link[:])
		if err != nil {
			return ""
		}
		key = append(append(key, ' '), link[:n]...)
	}
	for _, name := range userNamespaces {
		value, _ := readAll("/proc/sys/"+strings.ReplaceAll(name, ".", "/"), 32) // not every kernel has it
		key = append(append(key, ' '), bytes.TrimSpace(value)...)
	}
	key = append(key, confinement()...)
	label, _ := readAll("/proc/self/attr/current", 256) // an AppArmor profile may forbid namespaces
	return string(append(append(key, ' '), bytes.TrimRight(label, "\n\x00")...))
}

// bootID identifies this start of the machine; "" if that is not known.
var bootID = sync.OnceValue(func() string {
	id, _ := readAll("/proc/sys/kernel/random/boot_id", 64)
	return string(bytes.TrimSpace(id))
})

// confinement returns what whoever started this process has taken from it: filters,
// capabilities and the gain of privileges. Without a filter the kernel tells so without the
// file of proc_pid_status(5), which takes longer to write than all else.
func confinement() (text []byte) {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var caps [2]unix.CapUserData
	gain, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
	if err == nil {
		err = unix.Capget(&header, &caps[0])
	}
	if err == nil && !isFiltered() {
		return fmt.Appendf(nil, " 0 %x%08x %d", caps[1].Effective, caps[0].Effective, gain)
	}
	status := processStatus()
	for _, name := range [...]string{"Seccomp", "Seccomp_filters", "CapEff", "NoNewPrivs"} {
		text = append(append(text, ' '), status[name]...)
	}
	return text
}

// processStatus returns the lines of proc_pid_status(5) of this process.
func processStatus() map[string]string {
	text, _ := readAll("/proc/self/status", 8<<10) // then nothing is known
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok {
			all[name] = strings.TrimSpace(value)
		}
	}
	return all
}

// isFiltered reports whether system calls of this process go through a filter of whoever
// started it, as those of most containers do. A filter may refuse the call that tells.
func isFiltered() bool {
	mode, err := unix.PrctlRetInt(unix.PR_GET_SECCOMP, 0, 0, 0, 0)
	return err != nil && processStatus()["Seccomp"] == "2" || mode == unix.SECCOMP_MODE_FILTER
}

// tryNamespaces builds a sandbox with everything that a real one has and starts no
// command in it.
func tryNamespaces(s sandbox.Support, layers []overlay) error {
	null, err := sandbox.OpenNull()
	if err != nil {
		return err
	}
	defer null.Close()
	sb := &confined{Confinement: &sandbox.Confinement{
		Profile: sandbox.Profile{Filesystem: sandbox.ReadOnly, Network: sandbox.Local, Workspace: "/"}, Support: s, Kind: sandbox.Namespaces,
	}}
	c := sandbox.Command{Dir: "/", Stdin: null, Stdout: null, Stderr: null}
	pl, err := sb.plan(c)
	if err != nil {
		return err
	}
	pl.Probe = true
	pl.Mounts.Shown = nil // the root needs no mount of its own
	pl.Mounts.Layers = layers
	var p process
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := p.startNamespaces(sb, pl, c); err != nil {
		return err
	}
	unix.Close(p.status)
	p.reapNamespaces()
	return nil
}
