//go:build linux && (amd64 || arm64)

package linux

import "golang.org/x/sys/unix"

// unnamed are the flags of open(2) with which nothing gets a name and nothing of a file
// changes: O_PATH and the own bit of O_TMPFILE. changing are those with which it may.
const (
	unnamed  = unix.O_PATH | unix.O_TMPFILE&^unix.O_DIRECTORY
	changing = unix.O_CREAT | unix.O_TRUNC | unix.O_ACCMODE
)

// births are the calls that give a file a name, on all architectures; see also oldBirths.
var births = [...]uintptr{
	unix.SYS_MKDIRAT, unix.SYS_MKNODAT, unix.SYS_SYMLINKAT, unix.SYS_LINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_TRUNCATE,
}

// births hands over the calls of [nursery]. Only registers are looked at, so that a
// program that opens files for reading is never stopped. The flags of openat2 lie in
// memory; programs do without it, as on older kernels.
func (f *filter) births() {
	f.opens(unix.SYS_OPENAT, dataArg2)
	f.oldOpens()
	f.call(unix.SYS_OPENAT2, lack)
	for _, n := range append(births[:], oldBirths[:]...) {
		f.call(n, ask)
	}
}

// opens hands over a call of open(2) if its flags may change something.
func (f *filter) opens(number uintptr, flags uint32) {
	f.on(number, load(flags), unless(unix.BPF_JSET, unnamed, 1), reply(allow), unless(unix.BPF_JSET, changing, 1), reply(ask), reply(allow))
}
