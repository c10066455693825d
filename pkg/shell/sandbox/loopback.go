package sandbox

import (
	"net/netip"
	"os"
)

// Loopback is the network of commands that run under [Namespaces] and [Local], with the
// user namespace that it belongs to. While somebody has it open, others can be started in
// it, and it leads nowhere else. Whoever opens it closes it.
type Loopback struct{ User, Net *os.File }

// Close closes a loopback; nil is none.
func (l *Loopback) Close() {
	if l != nil {
		_ = l.User.Close() // neither was written to
		_ = l.Net.Close()
	}
}

// Is reports whether two loopbacks are the same network.
func (l *Loopback) Is(other *Loopback) bool {
	if l == nil || other == nil {
		return l == other
	}
	one, err := l.Net.Stat()
	two, otherErr := other.Net.Stat()
	return err == nil && otherErr == nil && os.SameFile(one, two)
}

// Namespace names a namespace that a process has open.
type Namespace struct {
	Descriptor int    `json:"descriptor"` // of that process
	Name       string `json:"name"`       // as the system gives it, unique until it starts anew
}

// Listening is a TCP port of a loopback that is listened at.
type Listening struct {
	Address netip.AddrPort
	Root    int // the process, of those asked about, that the listener descends from; 0 is none of them
}
