//go:build linux

package linux

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// oldCalls are calls that only this architecture has.
var oldCalls = [...]uintptr{unix.SYS_IOPERM, unix.SYS_IOPL, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_USELIB, unix.SYS_CREATE_MODULE, unix.SYS_MODIFY_LDT}
