package scan

import "sync/atomic"

// cpuid runs the CPUID instruction.
func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

// xgetbv reads the extended control register 0: which registers the operating
// system keeps when it switches between threads.
func xgetbv() uint32

// avx2 is unknown until it is asked for.
var avx2 atomic.Uint32

const (
	unknown = iota
	missing
	present
)

// hasAVX2 reports whether the processor has AVX2 and the system lets it be used.
// The packages that know this find out about everything else as well, when the
// process starts: on a virtual machine that takes longer than most searches.
func hasAVX2() bool {
	known := avx2.Load()
	if known == unknown {
		known = detect()
	}
	return known == present
}

// detect asks as Intel's Software Developer's Manual says, volume 1, 14.3 and
// 14.7.1.
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
