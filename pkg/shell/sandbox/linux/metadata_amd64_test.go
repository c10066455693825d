//go:build linux

package linux

import (
	"encoding/binary"
	"errors"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestOldTimes has times that are none, of a file that the caller may not touch: the
// kernel says which of both is wrong in this order.
func TestOldTimes(t *testing.T) {
	own, _ := self()
	c := &caller{pid: own.pid, uid: 12345}
	for _, tt := range []struct {
		name       string
		size, part int64
		unit       int64
		want       error
	}{
		{"microseconds", 16, 999_999, 1000, unix.EPERM},
		{"a second of microseconds", 16, 1_000_000, 1000, unix.EINVAL},
		{"less than none", 16, -1, 1000, unix.EINVAL},
		{"only seconds", 8, 1 << 40, 0, unix.EPERM},
	} {
		memory := make([]byte, 2*tt.size)
		for i := range 2 {
			part := memory[int64(i)*tt.size:]
			binary.NativeEndian.PutUint64(part, 1)
			binary.NativeEndian.PutUint64(part[tt.size-8:], uint64(tt.part))
		}
		at := uint64(uintptr(unsafe.Pointer(&memory[0])))
		err := setOldTimes(at, uint64(tt.size), tt.unit)(c, &target{})
		runtime.KeepAlive(memory)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	if err := setOldTimes(0, 16, 1000)(c, &target{st: unix.Stat_t{Mode: 0o600}}); !errors.Is(err, unix.EPERM) {
		t.Errorf("now: %v", err)
	}
	if err := setOldTimes(1, 16, 1000)(c, &target{}); !errors.Is(err, unix.EFAULT) {
		t.Errorf("nowhere: %v", err)
	}
}
