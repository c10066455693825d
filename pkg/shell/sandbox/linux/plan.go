//go:build linux && (amd64 || arm64)

package linux

import (
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// plan is a sandbox of the kind [Namespaces] with its command.
type plan struct {
	Mounts     mounts
	OwnNetwork bool
	Loopback   bool
	Join       *sandbox.Loopback // the network of others instead of its own
	Share      bool              // hand the network out
	Port       uint16
	ABI        int // of Landlock, 0 without it
	Rules      []rule
	Shield     shield
	Path       string
	Argv       []string
	Env        []string
	Dir        string
	Limits     sandbox.Limits
	Probe      bool // build the sandbox, start nothing
}

// replaced are the directories that every sandbox has of its own. The first is the one
// for [Profile.Temp].
var replaced = []string{"/tmp", "/var/tmp", "/run"}

// mostTemp is the size of such a directory, in bytes.
const mostTemp = 1 << 30

// sharedDir is the directory in which programs share memory.
const sharedDir = "/dev/shm"

// plan returns the plan for a command.
func (sb *confined) plan(c sandbox.Command) (plan, error) {
	p := sb.Profile
	m := mounts{Writable: p.Roots(), Replaced: realDirectories(replaced), Size: mostTemp}
	if c.Limits.TempBytes > 0 {
		m.Size = min(m.Size, c.Limits.TempBytes)
	}
	if p.Closed {
		var err error
		if m.Closed, err = closedDirectories(m.Replaced); err != nil {
			return plan{}, fault.System(err, "/")
		}
	}
	for _, dir := range realDirectories(p.Withheld) {
		if isDirectory(dir) && !slices.Contains(slices.Concat(m.Replaced, m.Closed), dir) {
			m.Closed = append(m.Closed, dir)
		}
	}
	if p.Temp != "" && isDirectory(m.Replaced[0]) {
		m.Temp = p.Temp
	}
	m.show(p, c.Path)
	m.Hidden = realPaths(p.Secrets)
	families := allowedFamilies(sandbox.Namespaces, p.Network, sb.Support.LandlockABI)
	if p.Network != sandbox.Full {
		sockets, all := hostSockets(func(path string) bool { return m.needsCover(p, path) })
		m.Hidden = append(m.Hidden, sockets...)
		if !all {
			families = slices.DeleteFunc(families, func(f uint32) bool { return f == unix.AF_UNIX })
			sb.Degrade("no_unix_sockets")
		}
	}
	slices.Sort(m.Hidden)
	m.Hidden = slices.DeleteFunc(slices.Compact(m.Hidden), func(path string) bool { return !m.needsCover(p, path) })
	if p.Preview != nil {
		m.Preview = &overlay{Lower: p.Workspace, Upper: p.Preview.Upper, Work: p.Preview.Work}
	}
	m.Pinned, m.Protected = pins(p)
	local := p.Network.Private()
	pl := plan{
		Mounts: m, OwnNetwork: p.Network != sandbox.Full, Loopback: local, Share: p.Shares && local, Port: p.Port, ABI: sb.Support.LandlockABI, Rules: innerRules(p),
		Shield: shield{Families: families, Births: sb.births()},
		Path:   c.Path, Argv: c.Argv, Env: c.Env, Dir: c.Dir, Limits: c.Limits,
	}
	if p.Loopback != nil && local {
		pl.join(p.Loopback)
	}
	return pl, nil
}

// show adds what stays readable in directories that the sandbox has of its own, and the
// workspace if it is not writable.
func (m *mounts) show(p sandbox.Profile, program string) {
	if p.Filesystem == sandbox.ReadOnly {
		m.Shown = append(m.Shown, p.Workspace)
	}
	var layers []string
	if p.Layers != nil && p.Filesystem == sandbox.Workspace {
		layers = p.Layers.Paths
	}
	readable := realPaths(p.Readable)
	slices.Sort(readable) // what is above others comes first, and shows them
	for _, path := range readable {
		within := func(dir string) bool { return workspace.WithinOS(path, dir) }
		if m.replaces(path) && !slices.ContainsFunc(slices.Concat(m.Shown, m.Writable, layers), within) {
			m.Shown = append(m.Shown, path)
		}
	}
	for _, l := range p.Links {
		within := func(dir string) bool { return workspace.WithinOS(l.Path, dir) }
		if slices.ContainsFunc(m.Closed, within) && !slices.ContainsFunc(slices.Concat(m.Shown, m.Writable, p.LayerPaths()), within) {
			m.Links = append(m.Links, l)
		}
	}
	if p.Network == sandbox.Full {
		// The file may lie in a directory that is replaced.
		if real, err := filepath.EvalSymlinks("/etc/resolv.conf"); err == nil && workspace.WithinOS(real, "/run") {
			m.Shown = append(m.Shown, real)
		}
	}
	if real, ok := replacedProgram(p, program, slices.Concat(m.Replaced, m.Closed)); ok {
		m.Shown = append(m.Shown, real)
	}
}

// needsCover reports whether a path that must not be read has to be covered. In a directory
// of the sandbox's own it is not there, unless it is shown, and something of the command's
// own may be. A directory above the workspace would hide the workspace.
func (m *mounts) needsCover(p sandbox.Profile, path string) bool {
	within := func(dir string) bool { return workspace.WithinOS(path, dir) }
	if m.replaces(path) && !slices.ContainsFunc(slices.Concat(m.Shown, m.Writable, p.LayerPaths()), within) {
		return false
	}
	return !slices.ContainsFunc(append(p.Roots(), p.Workspace), func(root string) bool { return workspace.WithinOS(root, path) })
}

// replacedProgram returns the file of a program that would vanish with the directory
// that it lies in; ok is false for any other.
func replacedProgram(p sandbox.Profile, path string, replaced []string) (real string, ok bool) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || slices.ContainsFunc(append(p.Roots(), p.Workspace), func(root string) bool { return workspace.WithinOS(real, root) }) {
		return "", false
	}
	return real, slices.ContainsFunc(replaced, func(dir string) bool { return workspace.WithinOS(real, dir) })
}

// write adds the steps that build the sandbox around the process that makes them.
func (p *plan) write(s *script, c sandbox.Command) error {
	if err := p.Mounts.write(s); err != nil {
		return err
	}
	if err := s.ownNull(c); err != nil {
		return err
	}
	var set *int32
	if p.ABI >= 2 { // the first version refuses every rename between directories
		set = s.ruleset(p.ABI, p.Rules, false)
	}
	s.limit(p.Limits)
	s.forgetArguments()
	if p.OwnNetwork {
		// This may wait until the kernel has taken another network down, which goes
		// on during the steps before.
		s.call("unshare", "network", unix.SYS_UNSHARE, unix.CLONE_NEWNET)
	}
	if p.Loopback {
		if err := s.loopback(); err != nil {
			return err
		}
	}
	if p.Share {
		s.share()
	}
	if p.Port != 0 {
		s.listen(p.Port)
	}
	s.drop()
	if set != nil {
		s.restrict(set)
	}
	// helve looks for the name when it is run in the sandbox.
	s.call("PR_SET_NAME", "", unix.SYS_PRCTL, unix.PR_SET_NAME, s.text(approval.SandboxName))
	// The child has the memory of this process, which no command may look at.
	s.call("PR_SET_DUMPABLE", "", unix.SYS_PRCTL, unix.PR_SET_DUMPABLE, 0)
	if p.Shield.Births {
		h := new(handing)
		s.filter(p.Shield.code(), listens).into = &h.fd
		s.handOut(h, handFD)
	} else {
		s.filter(p.Shield.code(), 0)
	}
	s.closeFrom(gateFD)
	return nil
}

// innerRules returns the Landlock rules that are a second layer behind the mounts.
// The sandbox's own /dev has only devices that may be used.
func innerRules(p sandbox.Profile) []rule {
	everything := rule{Path: "/", Rights: rightsRead}
	if p.Closed {
		everything.Rights = rightsList // files in it are nobody's directory
	}
	rules := []rule{
		everything, {Path: "/dev", Rights: rightsDevices}, {Path: "/dev/shm", Rights: rightsWrite},
		{Path: "/tmp", Rights: rightsWrite}, {Path: "/var/tmp", Rights: rightsWrite}, {Path: "/run", Rights: rightsWrite},
	}
	if p.Closed {
		shown, closed, err := topDirectories()
		if err != nil {
			closed = nil // then nothing of the machine is readable
		}
		for _, dir := range slices.Concat(shown, closed) {
			if dir != "/dev" {
				rules = append(rules, rule{Path: dir, Rights: rightsRead})
			}
		}
	}
	for _, root := range p.Roots() {
		rules = append(rules, rule{Path: root, Rights: rightsWrite})
	}
	for _, path := range p.LayerPaths() {
		rules = append(rules, rule{Path: path, Rights: rightsWrite})
	}
	return rules
}

// realDirectories resolves the symbolic links of directories and drops duplicates. A
// path that cannot be resolved is kept, so that replacing it reports the error.
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
