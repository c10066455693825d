//go:build linux && (amd64 || arm64)

package linux

import (
	"runtime"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// wishes end processes more surely outside of namespaces, and confine nothing. Emulators
// and outer sandboxes refuse them, and a command runs all the same.
type wishes struct {
	Adopts bool // this process becomes the parent of processes whose parents end
	Dies   bool // the kernel kills the command when its thread ends
}

// granted asks for the wishes and returns which of them came true.
var granted = sync.OnceValue(func() (w wishes) {
	w.Adopts = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil
	runtime.LockOSThread() // the signal belongs to the thread, and is set to what it was
	defer runtime.UnlockOSThread()
	var signal int32
	w.Dies = unix.Prctl(unix.PR_GET_PDEATHSIG, uintptr(unsafe.Pointer(&signal)), 0, 0, 0) == nil &&
		unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(signal), 0, 0, 0) == nil
	return w
})

// missing returns the words of a report for the wishes that a kind has and the kernel
// refuses.
func missing(k sandbox.Kind) (words []string) {
	if k == sandbox.Namespaces {
		return nil // there the kernel ends everything with the first process
	}
	w := granted()
	if !w.Adopts {
		words = append(words, "no_subreaper")
	}
	if !w.Dies {
		words = append(words, "no_parent_death_signal")
	}
	return words
}
