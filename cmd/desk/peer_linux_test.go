package desk

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// connect returns both ends of a connection of this machine.
func connect(t *testing.T) (client, server net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	client, err = net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	server, err = l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return client, server
}

// The process at the other end is found, and is this one, which helve did not start.
func TestForeign(t *testing.T) {
	t.Setenv("HELVE", "")
	client, server := connect(t)
	if why := foreign(server); !why.IsZero() {
		t.Errorf("%s", why.In(fault.English))
	}
	proc := os.DirFS("/proc")
	s, ok := socketOf(proc, netip.MustParseAddrPort(client.LocalAddr().String()), netip.MustParseAddrPort(server.LocalAddr().String()))
	if holders, _ := holdersOf(proc, s.inode); !ok || s.uid != os.Getuid() || !slices.Equal(holders, []int{os.Getpid()}) {
		t.Errorf("%v %+v: %v", ok, s, holders)
	}
	_ = client.Close()
	if why := foreign(server); why.IsZero() {
		t.Error("a connection that nobody holds is somebody's")
	}
}

// The tables write addresses in the order of the machine, of IPv6 in words.
func TestIs(t *testing.T) {
	word := func(b ...byte) string { // of a little-endian machine, as all are that tests run on
		slices.Reverse(b)
		text := ""
		for _, one := range b {
			text += strconv.FormatUint(uint64(one)>>4, 16) + strconv.FormatUint(uint64(one)&15, 16)
		}
		return text
	}
	a := netip.MustParseAddrPort("127.0.0.1:8080")
	for text, want := range map[string]bool{
		word(127, 0, 0, 1) + ":1F90": true,
		word(0, 0, 0, 0) + word(0, 0, 0, 0) + word(0, 0, 255, 255) + word(127, 0, 0, 1) + ":1F90": true,
		word(127, 0, 0, 1) + ":1F91": false, word(127, 0, 0, 2) + ":1F90": false, word(127, 0, 0, 1): false, "zz:1F90": false, "01:1F90": false, ":": false, "": false,
	} {
		if is(text, a) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
