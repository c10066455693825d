package scan

import (
	"testing"

	"golang.org/x/sys/cpu"
)

// TestAVX2 has the library that asks at the start of a process as its judge.
func TestAVX2(t *testing.T) {
	if got := hasAVX2(); got != cpu.X86.HasAVX2 {
		t.Errorf("%v, and %v by golang.org/x/sys/cpu", got, cpu.X86.HasAVX2)
	}
	if hasAVX2() != cpu.X86.HasAVX2 {
		t.Error("another answer the second time")
	}
}
