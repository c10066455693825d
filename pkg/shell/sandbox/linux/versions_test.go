//go:build linux && (amd64 || arm64)

package linux

import (
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestLandlockVersions has what each version of Landlock knows, by the table in the
// kernel's Documentation/userspace-api/landlock.rst.
func TestLandlockVersions(t *testing.T) {
	const tcp, udp = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP, unix.LANDLOCK_ACCESS_NET_BIND_UDP | unix.LANDLOCK_ACCESS_NET_CONNECT_SEND_UDP
	for _, c := range []struct {
		abi   int
		files uint64 // the last right
		size  uintptr
		net   uint64
		scope bool
	}{
		{1, unix.LANDLOCK_ACCESS_FS_MAKE_SYM, 8, 0, false},
		{2, unix.LANDLOCK_ACCESS_FS_REFER, 8, 0, false},
		{3, unix.LANDLOCK_ACCESS_FS_TRUNCATE, 8, 0, false},
		{4, unix.LANDLOCK_ACCESS_FS_TRUNCATE, 16, tcp, false},
		{5, unix.LANDLOCK_ACCESS_FS_IOCTL_DEV, 16, tcp, false},
		{6, unix.LANDLOCK_ACCESS_FS_IOCTL_DEV, 24, tcp, true},
		{8, unix.LANDLOCK_ACCESS_FS_IOCTL_DEV, 24, tcp, true},
		{9, unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX, 24, tcp, true},
		{10, unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX, 24, tcp | udp, true},
		{11, unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX, 24, tcp | udp, true},
	} {
		for _, refuse := range []bool{true, false} {
			net := c.net
			if !refuse {
				net = 0
			}
			attr, size := rulesetAttr(c.abi, refuse)
			if attr.Handled_access_fs != 2*c.files-1 || size != c.size || attr.Handled_access_net != net || (attr.Scoped != 0) != c.scope {
				t.Errorf("version %d, refusing %t: %+v of %d bytes", c.abi, refuse, attr, size)
			}
		}
	}
}

// TestRulesOfFiles gives a file no right that only a directory can have, and leaves out
// what would have none.
func TestRulesOfFiles(t *testing.T) {
	dir := t.TempDir()
	lay(t, dir, "f=x", "d/")
	for _, c := range []struct {
		rule  rule
		steps int // of the rule
	}{
		{rule{Path: dir + "/f", Rights: rightsRead, File: true}, 3}, {rule{Path: dir + "/f", Rights: rightsRead}, 3}, {rule{Path: dir + "/d", Rights: rightsRead}, 3},
		{rule{Path: dir + "/f", Rights: rightsList}, 0}, {rule{Path: dir + "/d", Rights: rightsList}, 3}, {rule{Path: dir + "/d", Rights: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV}, 0},
	} {
		var s script
		s.ruleset(1, []rule{c.rule}, false)
		if got := len(s.steps) - 1; got != c.steps {
			t.Errorf("%+v: %d steps, want %d", c.rule, got, c.steps)
		}
	}
}

// TestFamilies has the sockets that a command may make.
func TestFamilies(t *testing.T) {
	inet := []uint32{unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}
	both := append([]uint32{unix.AF_UNIX}, inet...)
	for _, c := range []struct {
		kind    sandbox.Kind
		network sandbox.Network
		abi     int
		want    []uint32
	}{
		{sandbox.Namespaces, sandbox.NoNetwork, 0, both}, {sandbox.Namespaces, sandbox.Full, 9, both}, {sandbox.Landlock, sandbox.NoNetwork, 8, nil}, {sandbox.Landlock, sandbox.NoNetwork, 9, both[:1]}, {sandbox.Landlock, sandbox.Full, 8, inet}, {sandbox.Landlock, sandbox.Full, 9, both},
	} {
		if got := allowedFamilies(c.kind, c.network, c.abi); !slices.Equal(got, c.want) {
			t.Errorf("%s, %s, version %d: %v", c.kind, c.network, c.abi, got)
		}
	}
}

// TestResources has no limit for zero, and never a dump of memory.
func TestResources(t *testing.T) {
	core := resource{unix.RLIMIT_CORE, 0}
	for _, c := range []struct {
		limits sandbox.Limits
		want   []resource
	}{
		{sandbox.Limits{}, []resource{core}}, {sandbox.Limits{OpenFiles: 1}, []resource{core, {unix.RLIMIT_NOFILE, 1}}}, {sandbox.Limits{FileBytes: 1}, []resource{core, {unix.RLIMIT_FSIZE, 1}}},
	} {
		if got := resources(c.limits); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v", c.limits, got)
		}
	}
}
