//go:build linux

package linux

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// oldCalls are calls that only this architecture has.
var oldCalls = [...]uintptr{unix.SYS_KEXEC_FILE_LOAD}

// oldMetadataCalls is empty: this architecture has only newer calls.
var oldMetadataCalls = [...]uintptr{}

// oldMetadataCall matches nothing.
func oldMetadataCall(int32, metadata, *[6]uint64) (metadata, bool) { return metadata{}, false }
