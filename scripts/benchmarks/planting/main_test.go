//go:build linux

package main

import (
	"os/exec"
	"testing"

	"github.com/helve-dev/helve/pkg/testing/planting"
)

// TestSample tries some of the ways in some of the cells, those of every caller among them.
func TestSample(t *testing.T) {
	for _, judge := range planting.Judges {
		if _, err := exec.LookPath(judge); err != nil {
			t.Skip("no " + judge)
		}
	}
	t.Chdir("../../..") // where the benchmark is started
	for i, caller := range [...]string{"exec", "server", "job"} {
		planted, err := measure(t.Output(), t.TempDir(), sample{cells: 1, ways: 12, seed: uint64(i), only: " " + caller + " "})
		if err != nil || planted > 0 {
			t.Errorf("%s: planted by %d ways, %v", caller, planted, err)
		}
	}
}
