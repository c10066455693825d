//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"net"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A socket stays in the network that it was made in. So the child makes one that listens
// on the sandbox's loopback and hands it out, and this process accepts what the command
// connects to, while the command reaches no other network. The child hands out the
// listener of its filter in the same way.

// backlog limits the connections that wait to be accepted.
const backlog = 128

// handing is the message that hands a descriptor out; see SCM_RIGHTS in unix(7).
type handing struct {
	header unix.Msghdr
	vector unix.Iovec
	rights unix.Cmsghdr
	fd     int32
	_      int32 // cmsg(3) aligns what follows, which is nothing
	one    byte
}

// listen adds the steps that make the listener and hand it out.
func (s *script) listen(port uint16) {
	address := &unix.RawSockaddrInet4{Family: unix.AF_INET, Addr: [4]byte{127, 0, 0, 1}}
	big := (*[2]byte)(unsafe.Pointer(&address.Port))
	big[0], big[1] = byte(port>>8), byte(port)
	h := new(handing)
	s.call("socket", "", unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0).into = &h.fd
	s.call("bind", "", unix.SYS_BIND, 0, pointer(s, address), unsafe.Sizeof(*address)).on(&h.fd)
	s.call("listen", "", unix.SYS_LISTEN, 0, backlog).on(&h.fd)
	s.handOut(h, handFD)
}

// handOut adds the step that sends a message, by a socket, whose descriptor a step before has set.
func (s *script) handOut(h *handing, by int) {
	h.rights.Level, h.rights.Type = unix.SOL_SOCKET, unix.SCM_RIGHTS
	h.rights.SetLen(unix.CmsgLen(4))
	h.vector.Base = &h.one
	h.vector.SetLen(1)
	h.header.Iov, h.header.Control = &h.vector, (*byte)(unsafe.Pointer(&h.rights))
	h.header.SetIovlen(1)
	h.header.SetControllen(unix.CmsgSpace(4))
	s.call("sendmsg", "", unix.SYS_SENDMSG, uintptr(by), pointer(s, h), 0)
}

// hand is the pair of sockets that descriptors are handed out by; -1 without one.
type hand struct{ own, child int }

func newHand(pl *plan) (hand, error) {
	if pl.Port == 0 && !pl.Shield.Births && !pl.Share {
		return hand{-1, -1}, nil
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	return hand{pair[0], pair[1]}, err
}

func (h hand) close() {
	if h.own >= 0 {
		unix.Close(h.own)
		unix.Close(h.child)
	}
}

// receive returns the next descriptor, whose name is for errors. It has been sent when the
// command runs.
func (h hand) receive(name string) (*os.File, error) {
	control := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(h.own, make([]byte, 1), control, unix.MSG_CMSG_CLOEXEC|unix.MSG_DONTWAIT)
	if err != nil {
		return nil, err
	}
	messages, err := unix.ParseSocketControlMessage(control[:n])
	if err != nil {
		return nil, err
	}
	for _, m := range messages {
		if fds, err := unix.ParseUnixRights(&m); err == nil && len(fds) == 1 {
			return os.NewFile(uintptr(fds[0]), name), nil
		}
	}
	return nil, errors.New("the sandbox has handed out no " + name)
}

// listener receives what listens on the sandbox's loopback.
func (h hand) listener() (net.Listener, error) {
	f, err := h.receive("listener")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return net.FileListener(f)
}
