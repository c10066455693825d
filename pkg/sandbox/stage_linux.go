package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// stageArgument is the first argument of the process that builds a sandbox from
// within.
const stageArgument = "__stage"

// The descriptors of a stage besides the standard ones.
const (
	planFD   = 3 // the plan is read from here
	statusFD = 4 // what happens is written here
)

// plan is what a stage does, from top to bottom.
type plan struct {
	Mounts mounts `json:"mounts"`
	// OwnNetwork is for the one who starts the stage: it is done by then.
	OwnNetwork bool     `json:"-"`
	Loopback   bool     `json:"loopback"`
	ABI        int      `json:"abi"` // of Landlock, 0 to go without
	Rules      []rule   `json:"rules"`
	Shield     shield   `json:"shield"`
	Path       string   `json:"path"`
	Argv       []string `json:"argv"`
	Env        []string `json:"env"`
	Dir        string   `json:"dir"`
	Limits     Limits   `json:"limits"`
	Probe      bool     `json:"probe"` // build it, start nothing
}

// news is one line of what a stage says.
type news struct {
	Failed string `json:"failed,omitempty"` // the sandbox could not be built
	Start  int    `json:"start,omitempty"`  // the errno with which the command did not start
	Ready  bool   `json:"ready,omitempty"`
	Ended  bool   `json:"ended,omitempty"`
	State  State  `json:"state,omitzero"`
	Alone  bool   `json:"alone,omitempty"` // and it left nothing running
}

// Stage must be the first thing that the program does with its arguments. It
// builds a sandbox and runs its command when the program was started for that,
// and then gives the status to exit with.
func Stage(args []string) (status int, handled bool) {
	if len(args) != 1 || args[0] != stageArgument {
		return 0, false
	}
	runtime.LockOSThread() // what it gives up, it gives up for this thread
	say := func(n news) {
		line, err := json.Marshal(n)
		if err != nil {
			line = nil // the parent takes an empty line for a failure
		}
		_, _ = unix.Write(statusFD, append(line, '\n')) // fails only when the parent is gone
	}
	p, err := readPlan()
	if err != nil {
		say(news{Failed: err.Error()})
		return 125, true
	}
	// Nothing of the stage is for the command.
	unix.CloseOnExec(statusFD)
	if err := p.build(); err != nil {
		say(news{Failed: err.Error()})
		return 125, true
	}
	if p.Probe {
		say(news{Ready: true})
		return 0, true
	}
	setLimits(p.Limits)
	pid, err := syscall.ForkExec(p.Path, p.Argv, &syscall.ProcAttr{
		Dir: p.Dir, Env: p.Env, Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		var errno syscall.Errno
		_ = errors.As(err, &errno) // zero if it is none
		say(news{Start: int(errno)})
		return 125, true
	}
	// The output must end with the command and what it started, not with this.
	for fd := range 3 {
		unix.Close(fd)
	}
	say(news{Ready: true})
	stop := make(chan os.Signal, 8)
	signal.Notify(stop, unix.SIGTERM, unix.SIGINT, unix.SIGHUP)
	go func() {
		for range stop {
			_ = unix.Kill(-pid, unix.SIGTERM) // fails only when it has ended
		}
	}()
	reap(pid, say)
	return 0, true
}

// reap is the duty of the first process of a namespace. It ends when nothing is
// left, if it is not killed before.
func reap(command int, say func(news)) {
	for {
		var ws unix.WaitStatus
		pid, err := unix.Wait4(-1, &ws, 0, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return
		case pid == command:
			say(news{Ended: true, State: stateOf(ws), Alone: !hasChildren()})
		}
	}
}

func readPlan() (*plan, error) {
	f := os.NewFile(planFD, "plan")
	defer f.Close()
	var p plan
	if err := json.NewDecoder(f).Decode(&p); err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	return &p, nil
}

// build confines this process.
func (p *plan) build() error {
	if err := p.Mounts.apply(); err != nil {
		return err
	}
	if err := ownNull(); err != nil {
		return err
	}
	if p.Loopback {
		if err := loopbackUp(); err != nil {
			return err
		}
	}
	set := -1
	if p.ABI >= 2 { // the first version refuses renames between directories
		var err error
		if set, err = ruleset(p.ABI, p.Rules, false); err != nil {
			return err
		}
		defer unix.Close(set)
	}
	if err := drop(); err != nil {
		return err
	}
	if set >= 0 {
		if err := restrict(set); err != nil {
			return err
		}
	}
	_, err := install(p.Shield.code(), false)
	return err
}

func setLimits(l Limits) {
	limitProcess(0, l)
}

// loopbackUp brings up the only interface of a new network namespace.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("socket: %w", err)
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request); err != nil {
		return fmt.Errorf("lo: %w", err)
	}
	return nil
}

// identity maps the ids of this process to themselves: all that there are for
// root, so that files keep their owners, and the own one for others.
func identity(file string, own int) []syscall.SysProcIDMap {
	if unix.Geteuid() == 0 {
		if maps := parseIDMap(file); len(maps) > 0 {
			return maps
		}
	}
	return []syscall.SysProcIDMap{{ContainerID: own, HostID: own, Size: 1}}
}

// parseIDMap reads /proc/self/uid_map or gid_map; see user_namespaces(7).
func parseIDMap(file string) []syscall.SysProcIDMap {
	data, err := readAll(file, 64<<10)
	if err != nil {
		return nil
	}
	var maps []syscall.SysProcIDMap
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) != 3 {
			return nil
		}
		inside, err1 := strconv.ParseUint(f[0], 10, 32)
		size, err2 := strconv.ParseUint(f[2], 10, 32)
		if err1 != nil || err2 != nil {
			return nil
		}
		maps = append(maps, syscall.SysProcIDMap{ContainerID: int(inside), HostID: int(inside), Size: int(size)})
	}
	return slices.Clip(maps)
}

// ownNull puts the null device of the sandbox in the place of the host's where a
// standard stream is that: through a descriptor of the host's, its mode could be
// changed for everybody.
func ownNull() error {
	for fd := range 3 {
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFCHR || st.Rdev != unix.Mkdev(1, 3) { // see null(4)
			continue
		}
		own, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", os.DevNull, err)
		}
		err = unix.Dup3(own, fd, 0)
		unix.Close(own)
		if err != nil {
			return fmt.Errorf("standard stream %d: %w", fd, err)
		}
	}
	return nil
}
