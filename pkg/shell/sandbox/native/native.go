// Package native has the sandbox of the system that the program was built for. It alone
// imports the packages of systems; each has a file here that picks it.
package native

import (
	"context"
	"net"
	"net/netip"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// Probe calls [sandbox.System.Probe] of this system.
func Probe(c sandbox.Cache) sandbox.Support { return system.Probe(c) }

// New calls [sandbox.System.New] of this system.
func New(p sandbox.Profile, s sandbox.Support, k sandbox.Kind) (sandbox.Sandbox, error) {
	return system.New(p, s, k)
}

// Keep calls [sandbox.System.Keep] of this system.
func Keep(start func() (pid int, err error)) (int, error) { return system.Keep(start) }

// Marked calls [sandbox.System.Marked] of this system.
func Marked(mark string) []int { return system.Marked(mark) }

// Abandoned calls [sandbox.System.Abandoned] of this system.
func Abandoned(dir string, permits func(rel string) bool) ([]sandbox.Abandoned, error) {
	return system.Abandoned(dir, permits)
}

// Strip calls [sandbox.System.Strip] of this system.
func Strip(name string) error { return system.Strip(name) }

// ProbeLayers calls [sandbox.System.ProbeLayers] of this system.
func ProbeLayers(dir string, s sandbox.Support, c sandbox.Cache) bool {
	return system.ProbeLayers(dir, s, c)
}

// MemoryLeft calls [sandbox.System.MemoryLeft] of this system.
func MemoryLeft() (left sandbox.Memory, ok bool) { return system.MemoryLeft() }

// LeftOut calls [sandbox.System.LeftOut] of this system.
func LeftOut(p sandbox.Profile, k sandbox.Kind) int { return system.LeftOut(p, k) }

// Obstacle calls [sandbox.System.Obstacle] of this system.
func Obstacle() (setting, value, better string) { return system.Obstacle() }

// Names calls [sandbox.System.Names] of this system.
func Names(l *sandbox.Loopback) (user, net sandbox.Namespace, err error) { return system.Names(l) }

// Find calls [sandbox.System.Find] of this system.
func Find(pid int, user, net sandbox.Namespace) (*sandbox.Loopback, error) {
	return system.Find(pid, user, net)
}

// Connect calls [sandbox.System.Connect] of this system.
func Connect(ctx context.Context, l *sandbox.Loopback, to netip.AddrPort) (net.Conn, error) {
	return system.Connect(ctx, l, to)
}

// Listening calls [sandbox.System.Listening] of this system.
func Listening(l *sandbox.Loopback, roots []int) ([]sandbox.Listening, error) {
	return system.Listening(l, roots)
}
