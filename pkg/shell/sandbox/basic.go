package sandbox

import (
	"context"
	"errors"
	"net"
	"net/netip"
)

// BasicSystem has the methods of a [System] without previews, layers and namespaces,
// where ending a command needs no look at other processes. A system embeds it.
type BasicSystem struct{}

// Keep starts the child: no other one is killed by [Process.Finish].
func (BasicSystem) Keep(start func() (pid int, err error)) (int, error) { return start() }

// Marked returns nothing: the environment of a process is not looked at.
func (BasicSystem) Marked(string) []int { return nil }

// Abandoned finds nothing: no command leaves anything to finish.
func (BasicSystem) Abandoned(string, func(rel string) bool) ([]Abandoned, error) { return nil, nil }

// Strip does nothing: there are no previews.
func (BasicSystem) Strip(string) error { return nil }

// ProbeLayers returns false: there are no layers.
func (BasicSystem) ProbeLayers(string, Support, Cache) bool { return false }

// Obstacle names nothing: there are no namespaces.
func (BasicSystem) Obstacle() (setting, value, better string) { return "", "", "" }

// LeftOut returns 0: nothing takes time for each entry.
func (BasicSystem) LeftOut(Profile, Kind) int { return 0 }

// MemoryLeft knows nothing.
func (BasicSystem) MemoryLeft() (left Memory, ok bool) { return Memory{}, false }

// Names fails: there are no namespaces.
func (BasicSystem) Names(*Loopback) (user, net Namespace, err error) {
	return user, net, errors.ErrUnsupported
}

// Find fails likewise.
func (BasicSystem) Find(int, Namespace, Namespace) (*Loopback, error) {
	return nil, errors.ErrUnsupported
}

// Connect fails likewise.
func (BasicSystem) Connect(context.Context, *Loopback, netip.AddrPort) (net.Conn, error) {
	return nil, errors.ErrUnsupported
}

// Listening fails likewise.
func (BasicSystem) Listening(*Loopback, []int) ([]Listening, error) {
	return nil, errors.ErrUnsupported
}

// BasicSandbox has the methods of a [Sandbox] in which protected paths cannot change,
// without previews and listeners. The sandbox of a system embeds it.
type BasicSandbox struct{}

// Restored puts nothing back: the kernel keeps protected paths.
func (BasicSandbox) Restored() ([]string, error) { return nil, nil }

// Planted does nothing: nothing is looked for.
func (BasicSandbox) Planted() ([]Moved, error) { return nil, nil }

// Changes returns nothing: there are no previews.
func (BasicSandbox) Changes() (all []Change, complete bool, err error) { return nil, true, nil }

// Listener returns nil: no port is accepted by [Confine].
func (BasicSandbox) Listener() net.Listener { return nil }

// Loopback returns nil: commands share the network of the machine.
func (BasicSandbox) Loopback() *Loopback { return nil }
