package sandbox

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
)

// replaced are the directories that every sandbox has of its own, empty.
var replaced = []string{"/tmp", "/var/tmp", "/run"}

// stage plans the sandbox of a command.
func (b *Box) stage(c Command) plan {
	p := b.profile
	m := mounts{Writable: p.roots(), Replaced: realDirectories(replaced)}
	if p.Filesystem == ReadOnly {
		m.Shown = append(m.Shown, p.Workspace)
	}
	if p.Network == Full {
		// It may be kept where it would be hidden.
		if real, err := filepath.EvalSymlinks("/etc/resolv.conf"); err == nil && within("/run", real) {
			m.Shown = append(m.Shown, real)
		}
	}
	m.Hidden = realPaths(p.Secrets)
	families := socketFamilies(Namespaces, p.Network, b.support.LandlockABI)
	if p.Network != Full {
		sockets, all := hostSockets()
		m.Hidden = append(m.Hidden, sockets...)
		if !all {
			families = slices.DeleteFunc(families, func(f uint32) bool { return f == unix.AF_UNIX })
			b.degrade("no_unix_sockets")
		}
	}
	m.Hidden = slices.DeleteFunc(m.Hidden, func(path string) bool {
		// A directory above the workspace cannot be taken away without it.
		return slices.ContainsFunc(append(p.roots(), p.Workspace), func(root string) bool { return within(path, root) })
	})
	if p.Preview != nil {
		m.Preview = &layers{Lower: p.Workspace, Upper: p.Preview.Upper, Work: p.Preview.Work}
	}
	m.Pinned, m.Protected = p.pins()
	return plan{
		Mounts: m, OwnNetwork: p.Network != Full, Loopback: p.Network == Local, ABI: b.support.LandlockABI, Rules: stageRules(p),
		Shield: shield{Families: families},
		Path:   c.Path, Argv: c.Argv, Env: c.Env, Dir: c.Dir, Limits: c.Limits,
	}
}

// stageRules are the rules of a second layer behind the mounts.
func stageRules(p Profile) []rule {
	rules := []rule{{"/", rightsRead}, {"/dev/shm", rightsWrite}, {"/tmp", rightsWrite}, {"/var/tmp", rightsWrite}, {"/run", rightsWrite}}
	for _, root := range p.roots() {
		rules = append(rules, rule{root, rightsWrite})
	}
	return append(rules, deviceRules()...)
}

// realDirectories gives directories without links on the way, each once. One
// that cannot be resolved stays as it is: the stage finds out why.
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
			if within(r, path) && r != path {
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
		if within("/run", path) || within("/tmp", path) || within("/var/run", path) {
			continue // replaced as a whole
		}
		if real, err := filepath.EvalSymlinks(path); err == nil && !seen[real] {
			seen[real] = true
			paths = append(paths, real)
		}
	}
	return paths[:min(len(paths), most)], len(paths) <= most
}

// startStage starts this program again to build the sandbox from within.
func (p *Process) startStage(pl plan, c Command) error {
	if err := sealDescriptors(); err != nil {
		return fault.System(err, c.Path)
	}
	planRead, planWrite, err := os.Pipe()
	if err != nil {
		return fault.System(err, c.Path)
	}
	statusRead, statusWrite, err := os.Pipe()
	if err != nil {
		planRead.Close()
		planWrite.Close()
		return fault.System(err, c.Path)
	}
	live.Lock()
	pid, err := syscall.ForkExec("/proc/self/exe", []string{"helve", stageArgument}, &syscall.ProcAttr{
		Dir: "/", Env: []string{},
		Files: []uintptr{c.Stdin.Fd(), c.Stdout.Fd(), c.Stderr.Fd(), planRead.Fd(), statusWrite.Fd()},
		Sys:   stageAttributes(pl),
	})
	if err == nil {
		live.kept = append(live.kept, pid)
	}
	live.Unlock()
	planRead.Close()
	statusWrite.Close()
	if err != nil {
		planWrite.Close()
		statusRead.Close()
		return unavailable(err)
	}
	p.pid = pid
	go func() {
		// A stage that dies early, or gets no whole plan, says so by the other pipe.
		_ = json.NewEncoder(planWrite).Encode(pl) //nolint:errchkjson // see above
		planWrite.Close()
	}()
	return p.follow(bufio.NewReader(statusRead), statusRead, c)
}

func stageAttributes(pl plan) *syscall.SysProcAttr {
	flags := uintptr(unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS)
	if pl.OwnNetwork {
		flags |= unix.CLONE_NEWNET
	}
	return &syscall.SysProcAttr{
		Cloneflags:  flags,
		UidMappings: identity("/proc/self/uid_map", unix.Geteuid()),
		GidMappings: identity("/proc/self/gid_map", unix.Getegid()),
		AmbientCaps: []uintptr{
			unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP, unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID,
		},
		Setsid: true, Pdeathsig: syscall.SIGKILL,
	}
}

// follow reads what the stage says: first whether the command runs, then, in
// the background, how it ended.
func (p *Process) follow(r *bufio.Reader, f *os.File, c Command) error {
	first, err := nextNews(r)
	if err != nil || first.Failed != "" || !first.Ready {
		f.Close()
		p.collectStage()
		switch {
		case err != nil:
			return unavailable(err)
		case first.Failed != "":
			return unavailable(stageError(first.Failed))
		}
		return startFailure(syscall.Errno(first.Start), c)
	}
	go func() {
		defer close(p.ended)
		defer f.Close()
		n, err := nextNews(r)
		switch {
		case err == nil && n.Ended:
			p.state, p.system.alone = n.State, n.Alone
		default: // it was killed with everything in it
			p.state = State{ExitCode: -1, Signal: "SIGKILL"}
		}
	}()
	return nil
}

type stageError string

func (e stageError) Error() string { return string(e) }

func nextNews(r *bufio.Reader) (n news, err error) {
	line, err := r.ReadBytes('\n')
	if err != nil {
		return n, stageError("the process that builds the sandbox ended early")
	}
	return n, json.Unmarshal(line, &n)
}

// finishStage ends the first process of the namespace, and so all of them.
func (p *Process) finishStage() {
	select {
	case <-p.ended:
		if !p.system.alone {
			p.noteLeftovers(true)
		}
	default:
		p.noteLeftovers(false)
	}
	p.collectStage()
	<-p.ended
}

// noteLeftovers remembers what runs below the stage. The first one there is the
// command itself while it has not ended.
func (p *Process) noteLeftovers(ended bool) {
	table := processes()
	tree := []int{p.pid}
	for i := 0; i < len(tree); i++ {
		for _, s := range table {
			if s.parent == tree[i] && s.state != 'Z' {
				tree = append(tree, s.pid)
			}
		}
	}
	for i, pid := range tree {
		if i > 1 || i == 1 && ended {
			p.note(pid)
		}
	}
}

func (p *Process) collectStage() {
	_ = unix.Kill(p.pid, unix.SIGKILL) // fails only when it has ended
	for {
		if _, err := unix.Wait4(p.pid, nil, 0, nil); err != unix.EINTR {
			break
		}
	}
	live.Lock()
	live.kept = slices.DeleteFunc(live.kept, func(pid int) bool { return pid == p.pid })
	live.Unlock()
}
