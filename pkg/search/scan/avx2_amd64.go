package scan

import "sync/atomic"

// cpuid runs the CPUID instruction.
func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

// xgetbv reads the extended control register 0, which says what registers the
// operating system saves when it switches threads.
func xgetbv() uint32

// avx2 is unknown until the first call of hasAVX2.
var avx2 atomic.Uint32

const (
	unknown = iota
	missing
	present
)

// hasAVX2 reports whether the processor has AVX2 and the system supports it. Packages
// for this detect all features when the process starts, which takes longer than most
// searches on a virtual machine.
func hasAVX2() bool {
	known := avx2.Load()
	if known == unknown {
		known = detect()
	}
	return known == present
}

// detect follows Intel's Software Developer's Manual, volume 1, 14.3 and 14.7.1.
func detect() uint32 {
	const (
		osxsave = 1 << 27 // leaf 1, ECX
		avx     = 1 << 28
		avx2bit = 1 << 5 // leaf 7, EBX
		xmmYMM  = 0b110  // XCR0
	)
	found := uint32(missing)
	if most, _, _, _ := cpuid(0, 0); most >= 7 {
		_, _, ecx, _ := cpuid(1, 0)
		if ecx&osxsave != 0 && ecx&avx != 0 && xgetbv()&xmmYMM == xmmYMM {
			if _, ebx, _, _ := cpuid(7, 0); ebx&avx2bit != 0 {
				found = present
			}
		}
	}
	avx2.Store(found)
	return found
}
