// Package native has the sandbox of the system that the program was built for. It alone
// imports the packages of systems; each has a file here that picks it.
package native

import "github.com/helve-dev/helve/pkg/shell/sandbox"

// Probe is [sandbox.System.Probe].
func Probe(c sandbox.Cache) sandbox.Support { return system.Probe(c) }

// New is [sandbox.System.New].
func New(p sandbox.Profile, s sandbox.Support, k sandbox.Kind) (sandbox.Sandbox, error) {
	return system.New(p, s, k)
}

// Keep is [sandbox.System.Keep].
func Keep(start func() (pid int, err error)) (int, error) { return system.Keep(start) }

// Marked is [sandbox.System.Marked].
func Marked(mark string) []int { return system.Marked(mark) }

// Strip is [sandbox.System.Strip].
func Strip(name string) error { return system.Strip(name) }

// ProbeLayers is [sandbox.System.ProbeLayers].
func ProbeLayers(dir string, s sandbox.Support, c sandbox.Cache) bool {
	return system.ProbeLayers(dir, s, c)
}

// Obstacle is [sandbox.System.Obstacle].
func Obstacle() (setting, value, better string) { return system.Obstacle() }
