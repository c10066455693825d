package sandbox

import (
	"context"
	"net"
	"net/netip"
)

// System has the sandboxes of an operating system. Package native has that of this one.
type System interface {
	// Probe returns what this machine can do. It tries it out unless the cache has the
	// answer.
	Probe(Cache) Support
	// New returns a sandbox for a profile; see [Confine] for its faults.
	New(Profile, Support, Kind) (Sandbox, error)
	// Keep exempts a child of this process from [Process.Finish]. start starts the child
	// and returns its number.
	Keep(start func() (pid int, err error)) (int, error)
	// Marked returns the processes of a command that was started with a mark, as far as
	// this user may see them: those that outlived the process that started it.
	Marked(mark string) []int
	// Abandoned finishes after commands whose helve was stopped before it could: what runs on
	// is ended, protected paths are put back, and what others would obey is moved aside,
	// unless permits allows the path, which is relative to the workspace. dir is the one of
	// [Profile.Lock].
	Abandoned(dir string, permits func(rel string) bool) ([]Abandoned, error)
	// Strip removes the extended attributes that a preview keeps on a path below
	// [Preview.Upper] and on everything in it, so that it can be moved into the workspace.
	Strip(name string) error
	// ProbeLayers reports whether layers can be had with what is written in a directory.
	// It tries it out unless the cache has the answer.
	ProbeLayers(dir string, s Support, cache Cache) bool
	// Obstacle names the setting of the kernel that keeps this process from having user
	// namespaces, as sysctl(8) does, with its value and one that allows them. setting is
	// "" where no setting does: a container or an outer sandbox may refuse them all the
	// same.
	Obstacle() (setting, value, better string)
	// MemoryLeft returns what the machine and the groups of processes (cgroups) that this
	// one is in have left; ok is false where that is not known.
	MemoryLeft() (left Memory, ok bool)
	// LeftOut returns how many entries of directories a command cannot read under a profile
	// that lets them be read, because they lie beside something hidden among too many.
	LeftOut(p Profile, k Kind) int
	// Names returns the names by which others find a loopback in this process.
	Names(*Loopback) (user, net Namespace, err error)
	// Find opens the loopback that a process has open under these names.
	Find(pid int, user, net Namespace) (*Loopback, error)
	// Connect connects to an address of a loopback.
	Connect(context.Context, *Loopback, netip.AddrPort) (net.Conn, error)
	// Listening returns where a loopback is listened at, sorted by port. roots are
	// processes that listeners may descend from.
	Listening(l *Loopback, roots []int) ([]Listening, error)
}

// Sandbox starts a command under a profile. It is for one command at a time.
type Sandbox interface {
	// Report returns what the sandbox enforces.
	Report() Report
	// Start starts a command. Call [Process.Finish] when the command has ended, or to end
	// it.
	Start(Command) (Process, error)
	// Listener returns what accepts connections at the port of the profile, once the
	// command has started; nil without one. The caller closes it.
	Listener() net.Listener
	// Loopback returns the network of a command whose profile says that it shares it, once
	// the command has started; nil without one. The caller closes it.
	Loopback() *Loopback
	// Restored puts back the protected paths that the command changed, and returns them.
	// Call it after [Process.Finish].
	Restored() ([]string, error)
	// Planted moves aside what the command put where other programs execute or obey it.
	// Call it after Restored. The report says if the tree is too large to look at all of it.
	Planted() ([]Moved, error)
	// Changes returns what the command changed in a preview, sorted by path. complete is
	// false when there were more than [MaxChanges].
	Changes() (all []Change, complete bool, err error)
	// Denials returns the refused accesses that the output of a command reports; dir is
	// the directory that it ran in.
	Denials(output, dir string) []Denial
}

// Process is a running command with every process that it starts.
type Process interface {
	// Pid returns the process that all others descend from.
	Pid() int
	// Done returns a channel that is closed when the command itself has ended. What it
	// started may still run.
	Done() <-chan struct{}
	// State returns how the command ended. Call it after Done is closed.
	State() (State, error)
	// Terminate asks the command to end.
	Terminate()
	// Finish ends the command and whatever it left running, and returns the command lines
	// of what was left.
	Finish() ([]string, error)
	// Count returns how many processes the command has now, 1 if the system does not tell.
	Count() int
	// Written returns how many bytes the command and what it started had put on disks, as far
	// as the system tells of each; ok is false if it does not. Reserving room does not count,
	// and on a file system without a disk nothing does.
	Written() (bytes int64, ok bool)
	// Memory returns how many bytes of memory the command and what it started hold that no
	// file could give back, 0 if the system does not tell. What several of them share
	// counts once, with the size of the one that shares most.
	Memory() int64
}

// Memory is the memory of a machine, in bytes.
type Memory struct {
	Left   int64 // what programs may still take
	Shared int64 // what is in shared memory and in file systems that have no disk
}

// Abandoned lists what was finished after a command.
type Abandoned struct {
	Restored []string // see [Sandbox]
	Planted  []Moved
	Alive    []int // processes that could not be ended
}
