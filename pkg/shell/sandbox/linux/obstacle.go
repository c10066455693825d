//go:build linux && (amd64 || arm64)

package linux

import (
	"strings"

	"golang.org/x/sys/unix"
)

// userNamespaces are the settings of the kernel that may forbid user namespaces.
var userNamespaces = [...]string{"user.max_user_namespaces", "kernel.unprivileged_userns_clone", "kernel.apparmor_restrict_unprivileged_userns"}

// Obstacle implements [sandbox.System].
func (System) Obstacle() (setting, value, better string) {
	for _, s := range [...]struct {
		name, forbids, allows string
		root                  bool // it holds for root, too
	}{
		{userNamespaces[0], "0", "15000", true},
		{userNamespaces[1], "0", "1", false},
		{userNamespaces[2], "1", "0", false},
	} {
		if !s.root && unix.Geteuid() == 0 {
			continue
		}
		data, err := readAll("/proc/sys/"+strings.ReplaceAll(s.name, ".", "/"), 32)
		if err == nil && strings.TrimSpace(string(data)) == s.forbids {
			return s.name, s.forbids, s.allows
		}
	}
	return "", "", ""
}
