package desk

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
)

// foreign says why the process at the other end of a connection of this machine may not
// use the desk: another user has it, or helve started it. What cannot be found out counts
// as that.
func foreign(c net.Conn) fault.Text {
	unknown := fault.T("it cannot be found out which process is at the other end of the connection")
	client, err1 := netip.ParseAddrPort(c.RemoteAddr().String())
	server, err2 := netip.ParseAddrPort(c.LocalAddr().String())
	if errors.Join(err1, err2) != nil {
		return unknown
	}
	proc := os.DirFS("/proc")
	s, ok := socketOf(proc, client, server)
	if !ok {
		return unknown
	}
	if me := os.Getuid(); s.uid != me && s.uid != 0 && me != 0 {
		return fault.T("only the user who started the desk can use it")
	}
	holders, hidden := holdersOf(proc, s.inode)
	if len(holders) == 0 { // such as the other end of a tunnel, which other users' processes cannot look into
		holders = hidden
	}
	if slices.ContainsFunc(holders, func(pid int) bool { return approval.Belongs(pid) && exists(proc, pid) }) {
		return startedByHelve()
	}
	return fault.Text{}
}

func exists(proc fs.FS, pid int) bool {
	_, err := fs.Stat(proc, strconv.Itoa(pid))
	return err == nil
}

// socket is the other end of a connection.
type socket struct {
	uid   int
	inode string
}

// socketOf finds the socket that is bound to client and connected to server, in the tables
// that proc_net_tcp(5) describes. A socket of IPv6 can have an address of IPv4.
func socketOf(proc fs.FS, client, server netip.AddrPort) (socket, bool) {
	for _, table := range []string{"self/net/tcp", "self/net/tcp6"} {
		data, err := fs.ReadFile(proc, table)
		if err != nil {
			continue // a system without IPv6
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		for lines.Scan() {
			f := strings.Fields(lines.Text())
			if len(f) < 10 || !is(f[1], client) || !is(f[2], server) {
				continue
			}
			if uid, err := strconv.Atoi(f[7]); err == nil && f[9] != "0" { // 0: nobody holds it any more
				return socket{uid, f[9]}, true
			}
		}
	}
	return socket{}, false
}

// is reports whether an address of the tables is a: words of four bytes in the order of
// the machine, in hexadecimal, and the port.
func is(text string, a netip.AddrPort) bool {
	address, port, ok := strings.Cut(text, ":")
	raw, err := hex.DecodeString(address)
	number, err2 := strconv.ParseUint(port, 16, 16)
	if !ok || errors.Join(err, err2) != nil || len(raw)%4 != 0 {
		return false
	}
	for i := 0; i < len(raw); i += 4 {
		binary.NativeEndian.PutUint32(raw[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	found, ok := netip.AddrFromSlice(raw)
	return ok && found.Unmap() == a.Addr().Unmap() && uint16(number) == a.Port()
}

// holdersOf returns the processes that hold a socket, and those that do not let this one
// look.
func holdersOf(proc fs.FS, inode string) (holders, hidden []int) {
	entries, err := fs.ReadDir(proc, ".")
	if err != nil {
		return nil, nil
	}
	name := "socket:[" + inode + "]"
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		dir := e.Name() + "/fd"
		files, err := fs.ReadDir(proc, dir)
		if errors.Is(err, fs.ErrPermission) {
			hidden = append(hidden, pid)
		}
		for _, f := range files {
			if to, err := fs.ReadLink(proc, dir+"/"+f.Name()); err == nil && to == name {
				holders = append(holders, pid)
				break
			}
		}
	}
	return holders, hidden
}
