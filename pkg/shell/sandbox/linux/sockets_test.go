//go:build linux && (amd64 || arm64)

package linux

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// outer are the listeners of the machine, which no command reaches.
type outer struct {
	TCP, TCP6      int
	Path, Abstract string
}

// listenOutside makes them, and returns how many connections each got.
func listenOutside(t *testing.T) (o outer, reached *atomic.Int32) {
	t.Helper()
	reached = &atomic.Int32{}
	o.Path, o.Abstract = filepath.Join(t.TempDir(), "s"), fmt.Sprintf("@helve-outer-%d-%s", os.Getpid(), newMark())
	for _, c := range [...]struct {
		network, address string
		port             *int
	}{{"tcp4", "127.0.0.1:0", &o.TCP}, {"tcp6", "[::1]:0", &o.TCP6}, {"unix", o.Path, nil}, {"unix", o.Abstract, nil}} {
		l, err := net.Listen(c.network, c.address)
		if err != nil && c.network == "tcp6" {
			continue // not everywhere
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		if c.port != nil {
			*c.port = l.Addr().(*net.TCPAddr).Port
		}
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				reached.Add(1)
				_ = conn.Close()
			}
		}()
	}
	return o, reached
}

// echo accepts one connection, answers a byte with the next one, and dials it.
func echo(network, address string) error {
	l, err := net.Listen(network, address)
	if err != nil {
		return err
	}
	defer func() { _ = l.Close() }() // what it had to do is done
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		b := make([]byte, 1)
		_, _ = c.Read(b)
		b[0]++
		_, _ = c.Write(b)
		_ = c.Close()
	}()
	c, err := net.DialTimeout(network, l.Addr().String(), 10*time.Second)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }() // all is read
	if _, err := c.Write([]byte("a")); err != nil {
		return err
	}
	if b, err := io.ReadAll(c); err != nil || string(b) != "b" {
		return fmt.Errorf("%q, %w", b, err)
	}
	return nil
}

// rawSocket makes a socket and uses it.
func rawSocket(family, kind, protocol int, use func(fd int) error) error {
	fd, err := unix.Socket(family, kind, protocol)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return use(fd)
}

type socketProbe struct {
	name  string
	works bool
	local bool // only with a loopback
	try   func() error
}

// socketProbes are what programs do with sockets, and what none may.
func socketProbes(o outer) []socketProbe {
	dial := func(network, address string) func() error {
		return func() error {
			c, err := net.DialTimeout(network, address, 5*time.Second)
			if err == nil {
				_ = c.Close()
			}
			return err
		}
	}
	stream := func(use func(fd int) error) func() error {
		return func() error { return rawSocket(unix.AF_INET, unix.SOCK_STREAM, 0, use) }
	}
	at := func(ip [4]byte, port int) *unix.SockaddrInet4 { return &unix.SockaddrInet4{Addr: ip, Port: port} }
	here := [4]byte{127, 0, 0, 1}
	return []socketProbe{
		{"a server", true, true, func() error { return echo("tcp4", "127.0.0.1:0") }},
		{"a server of the newer protocol", true, true, func() error { return echo("tcp6", "[::1]:0") }},
		{"a server for everybody", true, true, func() error { return echo("tcp", ":0") }},
		{"a server for everybody, by the older protocol", true, true, func() error { return echo("tcp4", "0.0.0.0:0") }},
		{"requests", true, true, func() error {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }))
			defer s.Close()
			for range 3 {
				r, err := http.Get(s.URL)
				if err != nil {
					return err
				}
				_ = r.Body.Close()
			}
			return nil
		}},
		{"the same port again", true, true, func() error {
			l, err := net.Listen("tcp4", "127.0.0.1:0")
			if err != nil {
				return err
			}
			address := l.Addr().String()
			return first(l.Close(), echo("tcp4", address))
		}},
		{"a socket without an address listens", true, true, stream(func(fd int) error {
			if err := unix.Listen(fd, 1); err != nil {
				return err
			}
			if a, err := unix.Getsockname(fd); err != nil || a.(*unix.SockaddrInet4).Addr != here {
				return fmt.Errorf("it listens at %v: %w", a, err)
			}
			return nil
		})},
		{"a socket with a path", true, false, func() error { return echo("unix", "path.sock") }},
		{"a socket with an absolute path", true, false, func() error {
			dir, err := os.Getwd()
			return first(err, echo("unix", dir+"/plain/absolute.sock"))
		}},
		{"a socket in the temporary directory", true, false, func() error { return echo("unix", os.Getenv("TMPDIR")+"/t.sock") }},
		{"a socket by a link", true, false, func() error { return first(os.Symlink("plain", "way"), echo("unix", "way/s.sock")) }},
		{"a socket beside something hidden", true, false, func() error { return echo("unix", "sub/deep/s.sock") }},
		{"packets", true, false, func() error { return echo("unixpacket", "packet.sock") }},
		{"a socket with a name", true, false, func() error { return echo("unix", fmt.Sprintf("@helve-inner-%d", os.Getpid())) }},
		{"a port of the machine", false, false, dial("tcp4", fmt.Sprint("127.0.0.1:", o.TCP))},
		{"a port of the machine, by everybody's address", false, false, dial("tcp4", fmt.Sprint("0.0.0.0:", o.TCP))},
		{"a port of the machine, by a mapped address", false, false, func() error {
			return rawSocket(unix.AF_INET6, unix.SOCK_STREAM, 0, func(fd int) error {
				return unix.Connect(fd, &unix.SockaddrInet6{Port: o.TCP, Addr: [16]byte{10: 0xff, 11: 0xff, 12: 127, 15: 1}})
			})
		}},
		{"a port of the machine, by the newer protocol", false, false, dial("tcp6", fmt.Sprintf("[::1]:%d", o.TCP6))},
		{"a port of the machine, without waiting", false, false, func() error {
			return rawSocket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0, func(fd int) error {
				if err := unix.Connect(fd, at(here, o.TCP)); err != unix.EINPROGRESS {
					return err
				}
				return nil
			})
		}},
		{"a port of the machine, with data at once", false, false, stream(func(fd int) error {
			return unix.Sendto(fd, []byte("x"), unix.MSG_FASTOPEN, at(here, o.TCP))
		})},
		{"a port of the machine, bound first", false, false, stream(func(fd int) error {
			return first(unix.Bind(fd, at(here, 0)), unix.Connect(fd, at(here, o.TCP)))
		})},
		{"another address of the loopback", false, false, dial("tcp4", fmt.Sprint("127.0.0.2:", o.TCP))},
		{"the internet", false, false, dial("tcp4", "1.1.1.1:80")},
		{"an address for everybody of another kind", false, false, stream(func(fd int) error { return unix.Bind(fd, at([4]byte{10, 0, 0, 1}, 0)) })},
		{"datagrams", false, false, func() error { return rawSocket(unix.AF_INET, unix.SOCK_DGRAM, 0, func(int) error { return nil }) }},
		{"datagrams with paths", false, false, func() error { return rawSocket(unix.AF_UNIX, unix.SOCK_DGRAM, 0, func(int) error { return nil }) }},
		{"raw packets", false, false, func() error {
			return rawSocket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP, func(int) error { return nil })
		}},
		{"another protocol", false, false, func() error {
			return rawSocket(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP, func(int) error { return nil })
		}},
		{"the kernel's messages", false, false, func() error { return rawSocket(unix.AF_NETLINK, unix.SOCK_RAW, 0, func(int) error { return nil }) }},
		{"a path of the machine", false, false, dial("unix", o.Path)},
		{"a path of the machine by a link", false, false, func() error { return first(os.Symlink(o.Path, "outer.sock"), dial("unix", "outer.sock")()) }},
		{"a path of the machine by /proc", false, false, dial("unix", "/proc/self/root"+o.Path)},
		{"a name of the machine", false, false, dial("unix", o.Abstract)},
		{"a path outside", false, false, func() error { return echo("unix", filepath.Dir(o.Path)+"/mine") }},
		{"a path outside by a link", false, false, func() error { return first(os.Symlink(filepath.Dir(o.Path), "out"), echo("unix", "out/mine")) }},
		{"a path that others obey", false, false, func() error { return echo("unix", ".git/hooks/pre-commit") }},
		{"a path that is hidden", false, false, func() error { return echo("unix", "s.pem") }},
	}
}

// trySockets tries all and prints what is not as it should be.
func trySockets(text string) int {
	var arg struct {
		Outer outer
		Local bool
	}
	if err := json.Unmarshal([]byte(text), &arg); err != nil {
		fmt.Println(err)
	}
	all := socketProbes(arg.Outer)
	for _, p := range all {
		if p.local && !arg.Local {
			p.works, p.try = false, func() error { return rawSocket(unix.AF_INET, unix.SOCK_STREAM, 0, func(int) error { return nil }) }
		}
		if err := p.try(); (err == nil) != p.works {
			fmt.Printf("%s: %v\n", p.name, err)
		}
	}
	fmt.Println("tried", len(all))
	return 0
}

// TestSockets has the sockets of commands under each version of Landlock.
func TestSockets(t *testing.T) {
	if !support.Sockets {
		t.Skip("nobody can give sockets addresses here")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o, reached := listenOutside(t)
	versions := abis(t)
	for _, abi := range slices.Compact([]int{versions[0], versions[len(versions)-1]}) {
		for _, network := range []sandbox.Network{sandbox.Local, sandbox.NoNetwork} {
			p, s := veiledProfile(t), support
			s.LandlockABI = abi
			p.Network, p.Readable = network, append(p.Readable, program)
			text, err := json.Marshal(map[string]any{"Outer": o, "Local": network == sandbox.Local})
			if err != nil {
				t.Fatal(err)
			}
			got := runOn(t, s, sandbox.Landlock, p, nil, program, "__sockets", string(text))
			if want := fmt.Sprintf("tried %d\n", len(socketProbes(o))); got.out != want || got.sb.Report().Network != network {
				t.Errorf("version %d, network %s: %s", abi, got.sb.Report().Network, got.out)
			}
			for _, word := range []string{"no_loopback", "no_unix_sockets"} {
				if slices.Contains(got.sb.Report().Degraded, word) {
					t.Errorf("version %d: %s", abi, word)
				}
			}
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("the machine was reached %d times", n)
	}
}

// TestSocketWords has a machine on which no descriptor can be copied.
func TestSocketWords(t *testing.T) {
	s := support
	s.Sockets = false
	for _, c := range []struct {
		abi     int
		network sandbox.Network
		want    string
	}{
		{4, sandbox.Local, "no_loopback no_unix_sockets"}, {7, sandbox.NoNetwork, "no_unix_sockets"}, {9, sandbox.Local, "no_loopback"}, {9, sandbox.Full, ""},
	} {
		s.LandlockABI, s.Seccomp = c.abi, true
		p := newProfile(t)
		p.Network = c.network
		sb, err := newConfined(p, s, sandbox.Landlock)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, word := range sb.Report().Degraded {
			if strings.HasPrefix(word, "no_loopback") || strings.HasPrefix(word, "no_unix") {
				got = append(got, word)
			}
		}
		if strings.Join(got, " ") != c.want || c.network == sandbox.Local && sb.Report().Network != sandbox.NoNetwork {
			t.Errorf("%+v: %q, network %s", c, got, sb.Report().Network)
		}
	}
}

// swapAddress connects to a port of its own while another thread changes the address to one
// of the machine.
func swapAddress(text string) int {
	var o outer
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		fmt.Println(err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	go func() {
		for {
			if c, err := l.Accept(); err == nil {
				_ = c.Close()
			}
		}
	}()
	address := unix.RawSockaddrInet4{Family: unix.AF_INET, Addr: [4]byte{127, 0, 0, 1}}
	port := (*[2]byte)(unsafe.Pointer(&address.Port))
	word := (*uint32)(unsafe.Pointer(&address)) // the family and the port
	with := func(number int) uint32 {
		binary.BigEndian.PutUint16(port[:], uint16(number))
		return *word
	}
	other, own := with(o.TCP), with(l.Addr().(*net.TCPAddr).Port)
	var done atomic.Bool
	go func() {
		for !done.Load() {
			atomic.StoreUint32(word, other)
			atomic.StoreUint32(word, own)
		}
	}()
	connected := 0
	for range 100 {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		if err != nil {
			fmt.Println(err)
			return 1
		}
		if _, _, errno := unix.Syscall(unix.SYS_CONNECT, uintptr(fd), uintptr(unsafe.Pointer(&address)), unsafe.Sizeof(address)); errno == 0 {
			connected++
		}
		unix.Close(fd)
	}
	done.Store(true)
	fmt.Println("connected", connected > 0)
	return 0
}

// TestSwappedAddress has the bytes of an address change under the hands of who reads them.
func TestSwappedAddress(t *testing.T) {
	if !support.Sockets || support.LandlockABI == 0 {
		t.Skip("nobody can give sockets addresses here")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o, reached := listenOutside(t)
	p := veiledProfile(t)
	p.Network, p.Readable = sandbox.Local, append(p.Readable, program)
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	if got := run(t, sandbox.Landlock, p, program, "__swap", string(text)); got.out != "connected true\n" || reached.Load() != 0 {
		t.Errorf("%s, the machine was reached %d times", got.out, reached.Load())
	}
}

// TestListeners has the kernel list who listens, by sock_diag(7) and by the tables.
func TestListeners(t *testing.T) {
	name := fmt.Sprintf("helve-listeners-%d", os.Getpid())
	for network, address := range map[string]string{"tcp4": "127.0.0.1:0", "tcp6": "[::1]:0", "unix": "@" + name} {
		var plain net.ListenConfig
		plain.SetMultipathTCP(false) // of which no command has a socket
		l, err := plain.Listen(t.Context(), network, address)
		if err != nil && network == "tcp6" {
			continue // not everywhere
		}
		if err != nil {
			t.Fatal(err)
		}
		raw, err := l.(syscall.Conn).SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		var want socketID
		err = raw.Control(func(fd uintptr) {
			var st unix.Stat_t
			if err := unix.Fstat(int(fd), &st); err != nil {
				t.Error(err)
			}
			want = idOf(int(fd), st.Ino)
		})
		if err != nil || want.cookie == 0 {
			t.Fatal(want, err)
		}
		list := func() (all, table []socketID) {
			if network == "unix" {
				return namesakes([]byte(name)), named("/proc/net/unix", "@"+name)
			}
			port := uint16(l.Addr().(*net.TCPAddr).Port)
			return listeners(port), append(listening("/proc/net/tcp", port), listening("/proc/net/tcp6", port)...)
		}
		if all, table := list(); !slices.Equal(all, []socketID{want}) || !slices.Equal(table, []socketID{{inode: want.inode}}) {
			t.Errorf("%s: %v and %v, want %v", network, all, table, want)
		}
		s := &sockets{shared: filepath.Join(t.TempDir(), "shared"), profile: sandbox.Profile{Session: "one 2\n"}}
		write(t, s.shared, fmt.Sprintf("1 2 \"\"\n%d %d %q\n", want.inode, want.cookie, s.profile.Session))
		for _, other := range []string{"", "one", "one 2", "2\n"} {
			if (&sockets{shared: s.shared, profile: sandbox.Profile{Session: other}}).isOurs(want) {
				t.Errorf("%s: a listener is of session %q, too", network, other)
			}
		}
		reused := socketID{want.inode, want.cookie + 1}
		if !s.allOurs([]socketID{want}) || !s.isOurs(socketID{inode: want.inode}) || s.isOurs(reused) || s.allOurs([]socketID{want, reused}) || s.allOurs(nil) {
			t.Errorf("%s: who listens is mistaken", network)
		}
		s = &sockets{}
		s.ours.Store(want.inode, want.cookie)
		if !s.isOurs(want) || s.isOurs(reused) {
			t.Errorf("%s: an inode is taken for a socket", network)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if all, table := list(); len(all)+len(table) > 0 {
			t.Errorf("%s: %v and %v after its end", network, all, table)
		}
	}
}

// TestAnnounced bounds the file of listeners, and takes a command's out at its end.
func TestAnnounced(t *testing.T) {
	shared := filepath.Join(t.TempDir(), "shared")
	other, own := &sockets{shared: shared, root: -1}, &sockets{shared: shared, root: -1}
	listen := func(s *sockets, id socketID) {
		s.ours.Store(id.inode, id.cookie)
		s.announce(id)
	}
	listen(other, socketID{1, 1})
	listen(own, socketID{2, 2})
	listen(other, socketID{3, 3})
	if !own.isOurs(socketID{1, 1}) || !other.isOurs(socketID{2, 2}) {
		t.Error("commands do not know each other's listeners")
	}
	own.close()
	if left := read(t, shared); left != "1 1 \"\"\n3 3 \"\"\n" {
		t.Errorf("%q is left", left)
	}
	write(t, shared, strings.Repeat("5 5 \"\"\n", mostListeners-1)+"6 6 \"\"\n")
	listen(other, socketID{7, 7})
	if text := read(t, shared); strings.Count(text, "\n") != mostListeners || !strings.HasSuffix(text, "5 5 \"\"\n6 6 \"\"\n7 7 \"\"\n") {
		t.Errorf("%d bytes, at the end %q", len(text), text[max(0, len(text)-20):])
	}
	other.close()
	if (&sockets{}).hears(socketID{5, 5}) || (&sockets{shared: shared + "/none"}).hears(socketID{5, 5}) {
		t.Error("listeners without a file")
	}
}

// FuzzInet changes addresses: what is used is always one of the loopback.
func FuzzInet(f *testing.F) {
	for _, raw := range [][]byte{{2, 0, 0, 80, 127, 0, 0, 1, 15: 0}, {2, 0, 0, 80, 0, 0, 0, 0, 15: 0}, {10, 0, 0, 80, 27: 0}, {10, 0, 0, 80, 23: 1, 27: 0}, {10, 0, 18: 0xff, 19: 0xff, 20: 127, 23: 1, 27: 0}, {1, 0}} {
		f.Add(raw, true)
		f.Add(raw, false)
	}
	f.Fuzz(func(t *testing.T, raw []byte, six bool) {
		if len(raw) < 2 {
			return
		}
		domain := unix.AF_INET
		if six {
			domain = unix.AF_INET6
		}
		local, port, ok := inet(raw, domain)
		if !ok {
			return
		}
		ip := net.IP(local[4:8])
		if six {
			ip = net.IP(local[8:24])
		}
		if !ip.IsLoopback() || family(local) != domain || port != binary.BigEndian.Uint16(raw[2:]) || len(local) != len(raw) {
			t.Errorf("%v: %v", raw, local)
		}
	})
}

// FuzzTables reads tables that somebody else has filled.
func FuzzTables(f *testing.F) {
	f.Add("  0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1\n", uint16(0x1F90), "x")
	f.Add("0: 2 00000000 00010000 0001 01 12 @x\n", uint16(1), "@x")
	f.Fuzz(func(t *testing.T, text string, port uint16, name string) {
		path := filepath.Join(t.TempDir(), "table")
		write(t, path, text)
		if got := len(listening(path, port)) + len(named(path, name)); got > 2*strings.Count(text, "\n")+2 {
			t.Errorf("%d", got)
		}
	})
}
