//go:build linux

package linux

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// found is the content of the cache. It is valid for one start of the machine, one user
// and one container.
type found struct {
	Key     string          `json:"key"`
	Support sandbox.Support `json:"support"`
}

// Probe implements [sandbox.System] by building a sandbox.
func (System) Probe(cache sandbox.Cache) sandbox.Support {
	abi, why := landlockABI()
	key := probeKey(abi, why)
	if cache.Load != nil {
		var f found
		if data, err := cache.Load(); err == nil && json.Unmarshal(data, &f) == nil && f.Key == key && key != "" {
			return f.Support
		}
	}
	s := sandbox.Support{LandlockABI: abi, LandlockReason: why, Filtered: isFiltered(), Seccomp: knows(unix.SECCOMP_RET_ERRNO), Broker: knows(unix.SECCOMP_RET_USER_NOTIF)}
	s.Sockets = s.Broker && copies()
	if err := tryNamespaces(s, nil); err != nil {
		s.Reason = cmp.Or(errors.Unwrap(err), err).Error()
	} else {
		s.Namespaces = true
	}
	if data, err := json.Marshal(found{key, s}); err == nil && cache.Store != nil && key != "" {
		_ = cache.Store(data) // without it the next call probes again
	}
	return s
}

// probeKey returns what the result depends on: the start of the machine, the user,
// the container, and what forbids calls there, as far as it costs next to nothing to see: of
// a filter nobody can read more than that there is one. It is "" if that cannot be found out.
func probeKey(abi int, why string) string {
	boot, err := readAll("/proc/sys/kernel/random/boot_id", 64)
	if err != nil {
		return ""
	}
	var key strings.Builder
	key.WriteString(fmt.Sprintf("5 %s %d %d %s %t", strings.TrimSpace(string(boot)), unix.Geteuid(), abi, why, copies()))
	for _, ns := range [...]string{"user", "mnt", "pid"} {
		link, err := os.Readlink("/proc/self/ns/" + ns)
		if err != nil {
			return ""
		}
		key.WriteString(" " + link)
	}
	for _, name := range userNamespaces {
		value, _ := readAll("/proc/sys/"+strings.ReplaceAll(name, ".", "/"), 32) // not every kernel has it
		key.WriteString(" " + strings.TrimSpace(string(value)))
	}
	status := processStatus()
	for _, name := range [...]string{"Seccomp", "Seccomp_filters", "CapEff", "NoNewPrivs"} {
		key.WriteString(" " + status[name])
	}
	label, _ := readAll("/proc/self/attr/current", 256) // an AppArmor profile may forbid namespaces
	return key.String() + " " + strings.TrimRight(string(label), "\n\x00")
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
// started it, as those of most containers do.
func isFiltered() bool { return processStatus()["Seccomp"] == "2" }

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
