//go:build linux

package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/workspace"
)

// plan is a sandbox with its command, in the order in which it is built.
type plan struct {
	Mounts     mounts
	OwnNetwork bool
	Loopback   bool
	ABI        int // of Landlock, 0 to go without
	Rules      []rule
	Shield     shield
	Path       string
	Argv       []string
	Env        []string
	Dir        string
	Limits     Limits
	Probe      bool // build it, start nothing
}

// replaced are the directories that every sandbox has of its own, empty.
var replaced = []string{"/tmp", "/var/tmp", "/run"}

// plan plans the sandbox of a command.
func (sb *Sandbox) plan(c Command) plan {
	p := sb.profile
	m := mounts{Writable: p.roots(), Replaced: realDirectories(replaced)}
	if p.Filesystem == ReadOnly {
		m.Shown = append(m.Shown, p.Workspace)
	}
	if p.Network == Full {
		// It may be kept where it would be hidden.
		if real, err := filepath.EvalSymlinks("/etc/resolv.conf"); err == nil && workspace.WithinOS(real, "/run") {
			m.Shown = append(m.Shown, real)
		}
	}
	m.Hidden = realPaths(p.Secrets)
	families := socketFamilies(Namespaces, p.Network, sb.support.LandlockABI)
	if p.Network != Full {
		sockets, all := hostSockets()
		m.Hidden = append(m.Hidden, sockets...)
		if !all {
			families = slices.DeleteFunc(families, func(f uint32) bool { return f == unix.AF_UNIX })
			sb.degrade("no_unix_sockets")
		}
	}
	m.Hidden = slices.DeleteFunc(m.Hidden, func(path string) bool {
		// A directory above the workspace cannot be taken away without it.
		return slices.ContainsFunc(append(p.roots(), p.Workspace), func(root string) bool { return workspace.WithinOS(root, path) })
	})
	if p.Preview != nil {
		m.Preview = &layers{Lower: p.Workspace, Upper: p.Preview.Upper, Work: p.Preview.Work}
	}
	m.Pinned, m.Protected = p.pins()
	return plan{
		Mounts: m, OwnNetwork: p.Network != Full, Loopback: p.Network == Local, ABI: sb.support.LandlockABI, Rules: secondRules(p),
		Shield: shield{Families: families},
		Path:   c.Path, Argv: c.Argv, Env: c.Env, Dir: c.Dir, Limits: c.Limits,
	}
}

// write adds the steps that build the sandbox around the process that carries
// them out.
func (p *plan) write(s *script, c Command) error {
	if err := p.Mounts.write(s); err != nil {
		return err
	}
	if err := s.ownNull(c); err != nil {
		return err
	}
	var set *int32
	if p.ABI >= 2 { // the first version refuses renames between directories
		set = s.ruleset(p.ABI, p.Rules, false)
	}
	s.limit(p.Limits)
	s.forgetArguments()
	if p.OwnNetwork {
		// Only now, as this may wait for another network to be taken down, which
		// goes on meanwhile.
		s.call("unshare", "network", unix.SYS_UNSHARE, unix.CLONE_NEWNET)
	}
	if p.Loopback {
		if err := s.loopback(); err != nil {
			return err
		}
	}
	s.drop()
	if set != nil {
		s.restrict(set)
	}
	// The process is a fork of this one, with all that this one knows.
	s.call("PR_SET_DUMPABLE", "", unix.SYS_PRCTL, unix.PR_SET_DUMPABLE, 0)
	s.filter(p.Shield.code())
	s.closeFrom(gateFD)
	return nil
}

// loopback adds that the only interface of a new network namespace is brought up.
func (s *script) loopback() error {
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	fd := new(int32)
	s.call("socket", "", unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0).into = fd
	s.call("lo", "", unix.SYS_IOCTL, 0, unix.SIOCSIFFLAGS, pointer(s, request)).given(fd)
	return nil
}

// ownNull adds that the null device of the sandbox takes the place of the host's
// where a standard stream is that: through a descriptor of the host's, its mode
// could be changed for everybody.
func (s *script) ownNull(c Command) error {
	for target, f := range []*os.File{c.Stdin, c.Stdout, c.Stderr} {
		var st unix.Stat_t
		if err := unix.Fstat(int(f.Fd()), &st); err != nil {
			return fmt.Errorf("standard stream %d: %w", target, err)
		}
		if st.Mode&unix.S_IFMT != unix.S_IFCHR || st.Rdev != unix.Mkdev(1, 3) { // see null(4)
			continue
		}
		own := new(int32)
		s.call("open", os.DevNull, unix.SYS_OPENAT, here, s.text(os.DevNull), unix.O_RDWR|unix.O_CLOEXEC, 0).into = own
		s.call("standard stream", os.DevNull, unix.SYS_DUP3, 0, uintptr(target), 0).given(own)
	}
	return nil
}

// forgetArguments adds that nobody sees the arguments of this process in its
// fork, as far as they still are where the kernel looks for them.
func (s *script) forgetArguments() {
	if len(os.Args) == 0 {
		return
	}
	start := uintptr(unsafe.Pointer(unsafe.StringData(os.Args[0])))
	end := start
	for _, arg := range os.Args {
		if uintptr(unsafe.Pointer(unsafe.StringData(arg))) != end {
			return
		}
		end += uintptr(len(arg)) + 1
	}
	zero := new(int32)
	s.call("open", "/dev/zero", unix.SYS_OPENAT, here, s.text("/dev/zero"), unix.O_RDONLY|unix.O_CLOEXEC, 0).forgive(ifMissing, 1).into = zero
	s.call("read", "/dev/zero", unix.SYS_READ, 0, start, end-start).given(zero)
}

// limit adds limits for the process and what it starts, but where it is held to
// lower ones already.
func (s *script) limit(l Limits) {
	for _, r := range l.resources() {
		s.call("prlimit", "", unix.SYS_PRLIMIT64, 0, uintptr(r.kind), pointer(s, &unix.Rlimit{Cur: r.most, Max: r.most}), 0).forgive(ifPowerless, 0)
	}
}

// filter adds a filter of system calls. It needs no_new_privs.
func (s *script) filter(code []unix.SockFilter) {
	program := &unix.SockFprog{Len: uint16(len(code)), Filter: unsafe.SliceData(code)}
	s.call("seccomp", "", unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, pointer(s, program))
}

// secondRules are the rules of a second layer behind the mounts. In /dev there
// is nothing but what may be used.
func secondRules(p Profile) []rule {
	rules := []rule{
		{Path: "/", Rights: rightsRead}, {Path: "/dev", Rights: rightsDevices}, {Path: "/dev/shm", Rights: rightsWrite},
		{Path: "/tmp", Rights: rightsWrite}, {Path: "/var/tmp", Rights: rightsWrite}, {Path: "/run", Rights: rightsWrite},
	}
	for _, root := range p.roots() {
		rules = append(rules, rule{Path: root, Rights: rightsWrite})
	}
	return rules
}

// realDirectories gives directories without links on the way, each once. One
// that cannot be resolved stays as it is: replacing it tells why.
func realDirectories(dirs []string) []string {
	var all []string
	for _, dir := range dirs {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		if !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	return all
}

// pins gives, for the protected paths below the writable directories, the
// directories above them that must not be renamed, and the paths themselves as
// far as they exist.
func (p Profile) pins() (pinned, protected []string) {
	for _, path := range p.Protected {
		root := ""
		for _, r := range p.roots() {
			if workspace.WithinOS(path, r) && r != path {
				root = r
			}
		}
		if root == "" {
			continue
		}
		var above []string
		for dir := filepath.Dir(path); dir != root && len(dir) > len(root); dir = filepath.Dir(dir) {
			above = append(above, dir)
		}
		slices.Reverse(above)
		for _, dir := range above {
			if !slices.Contains(pinned, dir) && isRealDirectory(dir) {
				pinned = append(pinned, dir)
			}
		}
		if isReal(path) {
			protected = append(protected, path)
		}
	}
	// A mount covers those below it that were there before.
	slices.Sort(pinned)
	slices.Sort(protected)
	return pinned, slices.Compact(protected)
}

func isReal(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	return err == nil && real == path
}

func isRealDirectory(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir() && isReal(path)
}

// hostSockets are the sockets of the host's services that have a path: what
// connects to them needs no right to write, so read-only mounts do not help. all
// is false when there are too many to be taken away one by one.
func hostSockets() (paths []string, all bool) {
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
		if workspace.WithinOS(path, "/run") || workspace.WithinOS(path, "/tmp") || workspace.WithinOS(path, "/var/run") {
			continue // replaced as a whole
		}
		if real, err := filepath.EvalSymlinks(path); err == nil && !seen[real] {
			seen[real] = true
			paths = append(paths, real)
		}
	}
	return paths[:min(len(paths), most)], len(paths) <= most
}
