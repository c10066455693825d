//go:build linux && (amd64 || arm64)

package linux

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// socketID identifies a socket. An inode is used again once the socket is gone; a cookie is
// not, but kernels without sock_diag(7) list none.
type socketID struct{ inode, cookie uint64 }

// idOf returns what identifies an open socket.
func idOf(fd int, inode uint64) socketID {
	cookie, _ := unix.GetsockoptUint64(fd, unix.SOL_SOCKET, unix.SO_COOKIE) // then the inode alone
	return socketID{inode, cookie}
}

// is reports whether both are the same socket, as far as can be known.
func (s socketID) is(other socketID) bool {
	return s.inode == other.inode && (s.cookie == other.cookie || s.cookie == 0 || other.cookie == 0)
}

// The layouts of sock_diag(7), as offsets and sizes in bytes, and its states.
const (
	diagInetRequest, diagInetPort, diagInetCookie, diagInetInode, diagInetSize = 56, 8, 44, 68, 72
	diagUnixRequest, diagUnixInode, diagUnixCookie, diagUnixSize               = 24, 4, 8, 16
	diagShowName, diagName                                                     = 1, 0
	stateListens                                                               = 10 // of TCP, and of sockets with names
)

// listeners returns the sockets that listen at a port of the machine's own addresses.
func listeners(port uint16) (all []socketID) {
	for _, family := range [...]byte{unix.AF_INET, unix.AF_INET6} {
		request := make([]byte, diagInetRequest)
		request[0], request[1] = family, unix.IPPROTO_TCP
		binary.NativeEndian.PutUint32(request[4:], 1<<stateListens)
		binary.BigEndian.PutUint16(request[diagInetPort:], port)
		err := diagnose(request, func(data []byte) {
			if len(data) >= diagInetSize && binary.BigEndian.Uint16(data[4:]) == port {
				all = append(all, socketID{uint64(binary.NativeEndian.Uint32(data[diagInetInode:])), binary.NativeEndian.Uint64(data[diagInetCookie:])})
			}
		})
		if err != nil { // reading the tables takes longer the more connections there are
			return append(listening("/proc/net/tcp", port), listening("/proc/net/tcp6", port)...)
		}
	}
	return all
}

// namesakes returns the sockets that listen at a name, which has no NUL before it.
func namesakes(name []byte) (all []socketID) {
	request := make([]byte, diagUnixRequest)
	request[0] = unix.AF_UNIX
	binary.NativeEndian.PutUint32(request[4:], 1<<stateListens)
	binary.NativeEndian.PutUint32(request[12:], diagShowName)
	err := diagnose(request, func(data []byte) {
		if len(data) < diagUnixSize {
			return
		}
		for rest := data[diagUnixSize:]; len(rest) >= unix.SizeofRtAttr; {
			size := int(binary.NativeEndian.Uint16(rest))
			if size < unix.SizeofRtAttr || size > len(rest) {
				return
			}
			if text := rest[unix.SizeofRtAttr:size]; binary.NativeEndian.Uint16(rest[2:]) == diagName && len(text) > 0 && text[0] == 0 && bytes.Equal(text[1:], name) {
				all = append(all, socketID{uint64(binary.NativeEndian.Uint32(data[diagUnixInode:])), binary.NativeEndian.Uint64(data[diagUnixCookie:])})
			}
			rest = rest[min(len(rest), (size+3)&^3):]
		}
	})
	if err != nil {
		return named("/proc/net/unix", "@"+strings.ReplaceAll(string(name), "\x00", "@"))
	}
	return all
}

// diagnose has the kernel list sockets by a request of sock_diag(7).
func diagnose(request []byte, each func(data []byte)) error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	message := make([]byte, unix.SizeofNlMsghdr, unix.SizeofNlMsghdr+len(request))
	binary.NativeEndian.PutUint32(message, uint32(cap(message)))
	binary.NativeEndian.PutUint16(message[4:], unix.SOCK_DIAG_BY_FAMILY)
	binary.NativeEndian.PutUint16(message[6:], unix.NLM_F_REQUEST|unix.NLM_F_DUMP)
	if err := unix.Sendto(fd, append(message, request...), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	for buf := make([]byte, 32<<10); ; {
		n, _, err := unix.Recvfrom(fd, buf, 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return err
		}
		messages, err := syscall.ParseNetlinkMessage(buf[:n])
		if err != nil {
			return err
		}
		for _, m := range messages {
			switch m.Header.Type {
			case unix.NLMSG_DONE:
				return nil
			case unix.NLMSG_ERROR:
				return unix.EOPNOTSUPP
			}
			each(m.Data)
		}
	}
}

// maxTable bounds what is read of a table of sockets.
const maxTable = 16 << 20

// listening returns the sockets that listen at a port of the machine's own
// addresses, from one of the tables of proc_net(5). One that cannot be read has a listener
// that nobody has.
func listening(table string, port uint16) (all []socketID) {
	data, err := readAll(table, maxTable)
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	if err != nil || len(data) == maxTable {
		return []socketID{{}}
	}
	const listens = "0A"
	suffix := fmt.Sprintf(":%04X", port)
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) < 10 || f[3] != listens || !strings.HasSuffix(f[1], suffix) {
			continue
		}
		inode, err := strconv.ParseUint(f[9], 10, 64)
		if err != nil {
			inode = 0
		}
		all = append(all, socketID{inode: inode})
	}
	return all
}

// named returns the sockets with a name that listen, from the table of
// proc_net_unix.
func named(table, name string) (all []socketID) {
	data, err := readAll(table, maxTable)
	if err != nil || len(data) == maxTable {
		return nil
	}
	const accepts = "00010000" // __SO_ACCEPTCON
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) < 8 || f[3] != accepts || !strings.HasSuffix(strings.TrimSuffix(line, "\n"), " "+name) {
			continue
		}
		if inode, err := strconv.ParseUint(f[6], 10, 64); err == nil {
			all = append(all, socketID{inode: inode})
		}
	}
	return all
}
