//go:build linux && (amd64 || arm64)

package linux

import (
	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// limitProcess sets the limits of a process. It fails only if the process has ended.
func limitProcess(pid int, l sandbox.Limits) {
	for _, r := range resources(l) {
		_ = unix.Prlimit(pid, r.kind, &unix.Rlimit{Cur: r.most, Max: r.most}, nil)
	}
}

// resource is a limit of setrlimit(2).
type resource struct {
	kind int
	most uint64
}

// resources returns the limits as the kernel takes them.
func resources(l sandbox.Limits) []resource {
	all := []resource{{unix.RLIMIT_CORE, 0}}
	if l.OpenFiles > 0 {
		all = append(all, resource{unix.RLIMIT_NOFILE, l.OpenFiles})
	}
	if l.FileBytes > 0 {
		all = append(all, resource{unix.RLIMIT_FSIZE, l.FileBytes})
	}
	return all
}

// limit adds the limits of the command. Lower limits that hold already stay.
func (s *script) limit(l sandbox.Limits) {
	for _, r := range resources(l) {
		s.call("prlimit", "", unix.SYS_PRLIMIT64, 0, uintptr(r.kind), pointer(s, &unix.Rlimit{Cur: r.most, Max: r.most}), 0).ignore(ifUnprivileged, 0)
	}
}
