//go:build linux && (amd64 || arm64)

package linux

import (
	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// socketCalls give sockets addresses and peers.
var socketCalls = [...]uintptr{unix.SYS_BIND, unix.SYS_CONNECT, unix.SYS_LISTEN}

// streamFamilies returns the families of which a command may make streams where [sockets]
// serves it: a datagram may have its address with it.
func streamFamilies(n sandbox.Network) []uint32 {
	if n == sandbox.Local {
		return []uint32{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6}
	}
	return []uint32{unix.AF_UNIX}
}

// sockets hands over the calls of [sockets]. A connection that begins with data has its
// address in another call.
func (f *filter) sockets() {
	for _, n := range socketCalls {
		f.call(n, ask)
	}
	f.bits(unix.SYS_SENDTO, dataArg3, unix.MSG_FASTOPEN)
	f.bits(unix.SYS_SENDMSG, dataArg2, unix.MSG_FASTOPEN)
	f.bits(unix.SYS_SENDMMSG, dataArg3, unix.MSG_FASTOPEN)
}

// families allows the sockets of some families, and of others streams of their usual
// protocols.
func (f *filter) families(all, streams []uint32) {
	const kind = 0xf // of the argument, the rest are flags
	masked := unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: kind}
	code := append(make([]unix.SockFilter, 0, 64), load(dataArg0)) // which need not be on the heap
	for _, one := range all {
		code = append(code, unless(unix.BPF_JEQ, one, 1), reply(allow))
	}
	for _, one := range streams {
		ways := []unix.SockFilter{load(dataArg1), masked, unless(unix.BPF_JEQ, unix.SOCK_STREAM, 5), load(dataArg2), unless(unix.BPF_JEQ, 0, 1), reply(allow), unless(unix.BPF_JEQ, unix.IPPROTO_TCP, 1), reply(allow)}
		if one == unix.AF_UNIX {
			ways = []unix.SockFilter{load(dataArg1), masked, unless(unix.BPF_JEQ, unix.SOCK_STREAM, 1), reply(allow), unless(unix.BPF_JEQ, unix.SOCK_SEQPACKET, 1), reply(allow)}
		}
		code = append(code, unless(unix.BPF_JEQ, one, len(ways)+1))
		code = append(append(code, ways...), reply(deny))
	}
	f.on(unix.SYS_SOCKET, append(code, reply(deny))...)
}
