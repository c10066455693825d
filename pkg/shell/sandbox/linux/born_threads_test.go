//go:build linux && (amd64 || arm64)

package linux

import (
	"encoding/binary"
	"os"
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// plantsByThreads change what a call names while it is made.
func plantsByThreads() []plant {
	return []plant{
		{"two threads that swap the name", func() error {
			return swapping("README", func(path *byte) error {
				return rawOpen(unix.SYS_OPENAT, atCWD, uintptr(unsafe.Pointer(path)), flags, 0o644)
			})
		}},
		{"two threads that swap the new name", func() error {
			return swapping("README", func(path *byte) error {
				if err := put("x", evil); err != nil {
					return err
				}
				from := []byte("x\x00")
				return rawNone(unix.SYS_RENAMEAT2, atCWD, uintptr(unsafe.Pointer(&from[0])), atCWD, uintptr(unsafe.Pointer(path)))
			})
		}},
		{"two threads that swap the name of a link", func() error {
			return swapping("README", func(path *byte) error {
				from := []byte("x\x00")
				_, _ = put("x", evil), unix.Unlink("README")
				return rawNone(unix.SYS_LINKAT, atCWD, uintptr(unsafe.Pointer(&from[0])), atCWD, uintptr(unsafe.Pointer(path)))
			})
		}},
		{"two threads that swap the directory", func() error {
			if err := first(os.Mkdir("d", 0o755), os.Mkdir(".vscode", 0o755)); err != nil {
				return err
			}
			var stop atomic.Bool
			defer stop.Store(true)
			go func() {
				for !stop.Load() {
					_ = unix.Renameat2(unix.AT_FDCWD, "d", unix.AT_FDCWD, "e", 0)
					_ = unix.Renameat2(unix.AT_FDCWD, "e", unix.AT_FDCWD, "d", 0)
					_ = unix.Renameat2(unix.AT_FDCWD, "d", unix.AT_FDCWD, ".vscode", unix.RENAME_EXCHANGE)
					_ = unix.Renameat2(unix.AT_FDCWD, "d", unix.AT_FDCWD, ".vscode", 0)
				}
			}()
			for range 300 {
				_ = open("d/tasks.json", flags) // d may have another name
			}
			return nil
		}},
	}
}

// oldPlants use the calls that only some architectures have.
func oldPlants() (ways []plant) {
	if runtime.GOARCH == "amd64" {
		name := []byte(".envrc\x00")
		at := uintptr(unsafe.Pointer(&name[0]))
		ways = append(ways, plant{"the old calls", func() error {
			return first(rawOpen(2, at, flags, 0o644), rawOpen(85, at, 0o644), put("x", evil), put("y", evil), rawNone(82, text("x"), at), rawNone(86, text("y"), at))
		}})
	}
	return ways
}

// swapping makes a call many times with a name that another thread swaps all the time.
func swapping(harmless string, call func(*byte) error) error {
	names := [2]uint64{binary.NativeEndian.Uint64([]byte((harmless + "\x00\x00\x00")[:8])), binary.NativeEndian.Uint64([]byte(".envrc\x00\x00"))}
	path := new(uint64)
	*path = names[0]
	var stop atomic.Bool
	defer stop.Store(true)
	go func() {
		for i := 0; !stop.Load(); i++ {
			atomic.StoreUint64(path, names[i%2])
		}
	}()
	for range 300 {
		_ = call((*byte)(unsafe.Pointer(path))) // whatever it hits
	}
	return nil
}
