package exec

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	quiet "log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/web"
)

// victims are servers of this machine, as host:port, that a command tries to reach. All are
// unlisted but those whose names begin with Listed; Other and Closed would be allowed by their
// addresses, and Far not even by that.
type victims struct {
	Listed, ListedTLS       string // listed.test
	Other, Closed, Far, Six string
	UDP, UDP6               string
	Path, InWorkspace       string
	Abstract                string
	PID                     int
}

// attackVariable has TestAttack attack the servers in it.
const attackVariable = "ATTACKED"

// TestHostile has a command try to get past the hosts that it may reach.
func TestHostile(t *testing.T) {
	v, seen := serveVictims(t)
	call, dir := world(t, config.Exec{Hosts: []string{v.Listed, v.ListedTLS, "*.wild.test:" + portIn(v.Other), "*.wild.test:" + portIn(v.Far), "rebind.test:" + portIn(v.Far)}})
	v.InWorkspace = filepath.Join(dir, "s")
	seen.unix(t, v.InWorkspace)
	provideClient(t, call)
	args, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	j, r := judged(t, call, Args{Argv: []string{os.Args[0], "-test.run=^TestAttack$", "-test.v"}, Env: []string{attackVariable + "=" + string(args)}, Timeout: 120, Raw: true, MaxOutput: 50_000})
	if r.Kind != sandbox.Namespaces {
		t.Skip("no namespaces here")
	}
	call.Judgement = j
	result, err := execute(t.Context(), call, r)
	if err != nil || result.ExitCode != 0 {
		t.Fatalf("%v, %d: %s", err, result.ExitCode, result.Output)
	}
	t.Log(result.Output)
	reached, names := seen.all()
	if len(reached) > 0 {
		t.Errorf("what is not listed was reached:\n%s", strings.Join(reached, "\n"))
	}
	if !slices.Equal(names, []string{"listed.test"}) {
		t.Errorf("the listed server was asked for the names %v", names)
	}
	if n := strings.Count(result.Output, "attack: "); n < 60 {
		t.Errorf("only %d attacks", n)
	}
	for _, want := range []string{"control: plain 200", "control: tunnel 200", "control: tls 200", "control: socks 200", "control: redirect 403"} {
		if !strings.Contains(result.Output, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if i := slices.IndexFunc(result.Denials, func(d Denial) bool { return d.Op == "connect" }); i < 0 || result.Denials[i].Host == "" || result.Denials[i].Port == 0 || result.Denials[i].Fix == "" {
		t.Errorf("the denials are %+v", result.Denials)
	}
	if result.Sandbox.Network != sandbox.Hosts {
		t.Errorf("the network is %s", result.Sandbox.Network)
	}
}

// log holds what reached servers.
type log struct {
	mu      sync.Mutex
	reached []string
	names   []string // that a server with certificates was asked for
	asked   []string // requests of the listed server
}

func (l *log) requests() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.asked)
}

func (l *log) add(where, what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reached = append(l.reached, where+": "+what)
}

func (l *log) all() (reached, names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	slices.Sort(l.names)
	return l.reached, slices.Compact(l.names)
}

// accept notes whatever connects to a listener.
func (l *log) accept(t *testing.T, where string, from net.Listener) {
	t.Helper()
	t.Cleanup(func() { _ = from.Close() })
	go func() {
		for {
			c, err := from.Accept()
			if err != nil {
				return
			}
			l.add(where, c.RemoteAddr().String())
			_ = c.Close()
		}
	}()
}

// unheard skips a test where a machine has no IPv6. Every Linux has the addresses of 127/8.
func unheard(t *testing.T, at string, err error) {
	t.Helper()
	if strings.HasPrefix(at, "[") {
		t.Skip("no IPv6: ", err)
	}
	t.Fatal(err)
}

func (l *log) tcp(t *testing.T, where, at string) string {
	t.Helper()
	from, err := net.Listen("tcp", at)
	if err != nil {
		unheard(t, at, err)
	}
	l.accept(t, where, from)
	return from.Addr().String()
}

func (l *log) unix(t *testing.T, path string) string {
	t.Helper()
	from, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	l.accept(t, path, from)
	return path
}

func (l *log) udp(t *testing.T, where, at string) string {
	t.Helper()
	from, err := net.ListenPacket("udp", at)
	if err != nil {
		unheard(t, at, err)
	}
	t.Cleanup(func() { _ = from.Close() })
	go func() {
		b := make([]byte, 1500)
		for {
			_, a, err := from.ReadFrom(b)
			if err != nil {
				return
			}
			l.add(where, a.String())
		}
	}()
	return from.LocalAddr().String()
}

// portIn returns the port of an address.
func portIn(at string) string {
	_, port, err := net.SplitHostPort(at)
	if err != nil {
		panic(err)
	}
	return port
}

// serveVictims starts the servers.
func serveVictims(t *testing.T) (victims, *log) {
	t.Helper()
	l := new(log)
	v := victims{
		Other: l.tcp(t, "other", "127.0.0.3:0"), Closed: l.tcp(t, "closed", "127.0.0.2:0"), Far: l.tcp(t, "far", "127.0.0.9:0"), Six: l.tcp(t, "six", "[::1]:0"),
		UDP: l.udp(t, "udp", "127.0.0.9:0"), UDP6: l.udp(t, "udp6", "[::1]:0"), Path: l.unix(t, filepath.Join(t.TempDir(), "s")),
		Abstract: l.unix(t, fmt.Sprintf("@helve-hosts-%d", os.Getpid())), PID: os.Getpid(),
	}
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.mu.Lock()
		l.asked = append(l.asked, r.RequestURI)
		l.mu.Unlock()
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://unlisted.test:"+portIn(v.Other)+"/", http.StatusFound)
		}
	})
	serve := func() *httptest.Server {
		s := httptest.NewUnstartedServer(answer)
		_ = s.Listener.Close()
		var err error
		if s.Listener, err = net.Listen("tcp", "127.0.0.2:0"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	plain, secure := serve(), serve()
	secure.Config.ErrorLog = quiet.New(io.Discard, "", 0)
	plain.Start()
	secure.TLS = &tls.Config{MinVersion: tls.VersionTLS12, GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.names = append(l.names, h.ServerName)
		return nil, nil
	}}
	secure.StartTLS()
	v.Listed, v.ListedTLS = "listed.test:"+portIn(plain.Listener.Addr().String()), "listed.test:"+portIn(secure.Listener.Addr().String())
	return v, l
}

// provideClient gives a call a web client for which names lead to this machine.
func provideClient(t *testing.T, call *tool.Call) {
	t.Helper()
	var asked sync.Map
	resolver := lookUp(t, func(name string) string {
		switch {
		case name == "listed.test":
			return "127.0.0.2"
		case name == "unlisted.test", name == "wild.test":
			return "127.0.0.3"
		case name == "rebind.test": // the second time elsewhere
			if _, again := asked.LoadOrStore(name, true); !again {
				return "127.0.0.2"
			}
			return "127.0.0.9"
		case strings.HasSuffix(name, ".wild.test"):
			return "127.0.0.9"
		}
		return ""
	})
	client := web.New(web.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/31")}, Resolver: resolver})
	tool.Provide(call.Env, func() (*web.Client, error) { return client, nil })
}

// lookUp starts a DNS server.
func lookUp(t *testing.T, answer func(name string) string) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	go func() {
		query := make([]byte, 1<<12)
		for {
			n, from, err := server.ReadFrom(query)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(query[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			q := m.Questions[0]
			m.Response, m.Authoritative, m.Additionals = true, true, nil
			found := answer(strings.TrimSuffix(q.Name.String(), "."))
			if found == "" {
				m.RCode = dnsmessage.RCodeNameError
			} else if q.Type == dnsmessage.TypeA {
				m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type}, Body: &dnsmessage.AResource{A: netip.MustParseAddr(found).As4()}}}
			}
			if reply, err := m.Pack(); err == nil {
				_, _ = server.WriteTo(reply, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// TestAttack is the command of TestHostile.
func TestAttack(t *testing.T) {
	text := os.Getenv(attackVariable)
	if text == "" {
		t.Skip("it is for a sandbox")
	}
	a := attacker{T: t, proxy: strings.TrimPrefix(os.Getenv("HTTPS_PROXY"), "http://")}
	if err := json.Unmarshal([]byte(text), &a.victims); err != nil {
		t.Fatal(err)
	}
	a.controls()
	a.requests()
	a.socks()
	a.handshakes()
	a.sockets()
}

type attacker struct {
	*testing.T
	victims
	proxy string
}

// moment limits an attempt.
const moment = 2 * time.Second

// say reports an attempt.
func (a *attacker) say(name string, got any) {
	fmt.Printf("attack: %s: %.80q\n", name, fmt.Sprint(got))
}

// dial connects to the proxy.
func (a *attacker) dial() net.Conn {
	c, err := net.Dial("tcp", a.proxy)
	if err != nil {
		a.Fatal(err)
	}
	if err := c.SetDeadline(time.Now().Add(moment)); err != nil {
		a.Fatal(err)
	}
	return c
}

// raw sends bytes to the proxy and returns the beginning of its answer.
func (a *attacker) raw(text string) string {
	c := a.dial()
	defer func() { _ = c.Close() }()
	if _, err := io.WriteString(c, text); err != nil {
		return err.Error()
	}
	b := make([]byte, 200)
	n, _ := c.Read(b)
	return string(b[:n])
}

// client returns a client that goes through the proxy.
func (a *attacker) client() *http.Client {
	return &http.Client{Timeout: moment, Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // the certificate is the test's
	}}
}

// controls shows that what is listed can be reached.
func (a *attacker) controls() {
	get := func(name, at string) {
		r, err := a.client().Get(at)
		if err != nil {
			fmt.Printf("control: %s %v\n", name, err)
			return
		}
		_ = r.Body.Close()
		fmt.Printf("control: %s %d\n", name, r.StatusCode)
	}
	get("plain", "http://"+a.Listed+"/")
	get("tls", "https://"+a.ListedTLS+"/")
	get("redirect", "http://"+a.Listed+"/away")
	fmt.Printf("control: tunnel %.3s\n", strings.TrimPrefix(a.raw("CONNECT "+a.Listed+" HTTP/1.1\r\nHost: "+a.Listed+"\r\n\r\n"), "HTTP/1.1 "))
	c := a.dial()
	defer func() { _ = c.Close() }()
	_, _ = c.Write(slices.Concat([]byte{5, 1, 0}, socksFor(1, a.Listed)))
	answer := make([]byte, 12)
	_, _ = io.ReadFull(c, answer)
	_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	line, _ := bufio.NewReader(c).ReadString('\n')
	fmt.Printf("control: socks %.3s\n", strings.TrimPrefix(line, "HTTP/1.1 "))
}

// requests asks the proxy for what is not listed.
func (a *attacker) requests() {
	other, far := portIn(a.Other), portIn(a.Far)
	connect := func(to, host string) string { return "CONNECT " + to + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n" }
	get := func(at, host string) string { return "GET " + at + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n" }
	for _, to := range []string{
		a.Other, a.Far, a.Six, a.Closed, "unlisted.test:" + other, "wild.test:" + other, "x.wild.test:" + far, "rebind.test:" + far, "listed.test:" + portIn(a.Closed), "listed.test:22",
		"0x7f000003:" + other, "2130706435:" + other, "0177.0.0.3:" + other, "127.3:" + other, "127。0。0。3:" + other, "[::ffff:127.0.0.3]:" + other, "[::127.0.0.3]:" + other,
		"[64:ff9b::7f00:3]:" + other, "localhost:" + other, "listed.test@127.0.0.3:" + other, "127.0.0.3:" + other + "#listed.test", "listed.test.unlisted.test:" + other,
		"unlisted%2etest:" + other, "listed.test%00.unlisted.test:" + other, "unlisted.test\\.listed.test:" + other, "*.wild.test:" + other, ".wild.test:" + other, "169.254.169.254:80", a.proxy,
	} {
		a.say("CONNECT "+to, a.raw(connect(to, to)))
	}
	for _, text := range []string{
		connect("unlisted.test:"+other, a.Listed), connect(a.Other, a.Listed),
		"CONNECT unlisted.test:" + other + " HTTP/1.0\r\n\r\n",
		"CONNECT / HTTP/1.1\r\nHost: unlisted.test:" + other + "\r\n\r\n",
		get("http://unlisted.test:"+other+"/", a.Listed), get("http://"+a.Other+"/", a.Listed), get("/", "unlisted.test:"+other),
		get("http://listed.test@unlisted.test:"+other+"/", a.Listed), get("http://unlisted.test:"+other+"\\@"+a.Listed+"/", a.Listed),
		get("https://unlisted.test:"+other+"/", a.Listed), get("ftp://unlisted.test:"+other+"/", a.Listed), get("http://rebind.test:"+far+"/", "x"),
		get("//unlisted.test:"+other+"/", "unlisted.test:"+other), get("http://unlisted.test:"+other+"/\t", "x"),
		"GET ws://unlisted.test:" + other + "/ HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
		"GET http://unlisted.test:" + other + "/ HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: unlisted.test:" + other + "\r\n\r\n",
		"TRACE http://unlisted.test:" + other + "/ HTTP/1.1\r\nHost: x\r\nMax-Forwards: 9\r\n\r\n",
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		get("http://"+a.Listed+"/", a.Listed) + get("http://unlisted.test:"+other+"/", a.Listed),
		"POST http://" + a.Listed + "/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get("http://unlisted.test:"+other+"/", "x"),
		connect(a.Listed, a.Listed) + connect("unlisted.test:"+other, "x"),
		"GET http://" + a.Listed + "/ HTTP/1.1\r\nHost: unlisted.test:" + other + "\r\nX-Forwarded-Host: unlisted.test\r\n\r\n",
	} {
		line, _, _ := strings.Cut(text, "\r\n")
		a.say(line, a.raw(text))
	}
}

// socksFor returns a request of SOCKS 5 by name.
func socksFor(command byte, to string) []byte {
	host, port, err := net.SplitHostPort(to)
	if err != nil {
		panic(err)
	}
	number, err := net.LookupPort("tcp", port)
	if err != nil {
		panic(err)
	}
	return slices.Concat([]byte{5, command, 0, 3, byte(len(host))}, []byte(host), []byte{byte(number >> 8), byte(number)})
}

// socks asks the proxy in its other language.
func (a *attacker) socks() {
	at := netip.MustParseAddrPort(a.Other)
	port := []byte{byte(at.Port() >> 8), byte(at.Port())}
	four := at.Addr().As4()
	mapped := netip.AddrFrom16(at.Addr().As16()).As16()
	six := netip.MustParseAddrPort(a.Six)
	own := six.Addr().As16()
	greeting := []byte{5, 1, 0}
	for name, request := range map[string][]byte{
		"IPv4":         slices.Concat(greeting, []byte{5, 1, 0, 1}, four[:], port),
		"IPv6 mapped":  slices.Concat(greeting, []byte{5, 1, 0, 4}, mapped[:], port),
		"IPv6":         slices.Concat(greeting, []byte{5, 1, 0, 4}, own[:], []byte{byte(six.Port() >> 8), byte(six.Port())}),
		"name":         slices.Concat(greeting, socksFor(1, "unlisted.test:"+portIn(a.Other))),
		"address":      slices.Concat(greeting, socksFor(1, a.Other)),
		"number":       slices.Concat(greeting, socksFor(1, "2130706435:"+portIn(a.Other))),
		"bind":         slices.Concat(greeting, socksFor(2, a.Listed)),
		"associate":    slices.Concat(greeting, socksFor(3, a.Listed)),
		"NUL":          slices.Concat(greeting, socksFor(1, "[unlisted.test\x00listed.test]:"+portIn(a.Other))),
		"with a port":  slices.Concat(greeting, socksFor(1, "[unlisted.test:"+portIn(a.Other)+"/@listed.test]:"+portIn(a.Listed))),
		"other port":   slices.Concat(greeting, socksFor(1, "listed.test:"+portIn(a.Closed))),
		"SOCKS 4":      slices.Concat([]byte{4, 1}, port, four[:], []byte{0}),
		"SOCKS 4a":     slices.Concat([]byte{4, 1}, port, []byte{0, 0, 0, 1, 0}, []byte("unlisted.test\x00")),
		"with a login": slices.Concat([]byte{5, 1, 2, 1, 1, 'a', 1, 'b'}, socksFor(1, a.Other)),
	} {
		a.say("SOCKS "+name, a.raw(string(request)))
	}
}

// handshakes asks the listed server for other names.
func (a *attacker) handshakes() {
	for _, c := range []*tls.Config{
		{ServerName: "unlisted.test"}, {ServerName: "unlisted.test", NextProtos: []string{"h2"}}, {ServerName: "unlisted.test", MaxVersion: tls.VersionTLS12},
		{ServerName: "wild.test", NextProtos: []string{"http/1.1"}}, {ServerName: "listed.test.unlisted.test"},
	} {
		c.InsecureSkipVerify = true
		conn := a.dial()
		_, _ = io.WriteString(conn, "CONNECT "+a.ListedTLS+" HTTP/1.1\r\nHost: x\r\n\r\n")
		in := bufio.NewReader(conn)
		for {
			if line, err := in.ReadString('\n'); err != nil || line == "\r\n" {
				break
			}
		}
		a.say("SNI "+c.ServerName, tls.Client(conn, c).Handshake())
		_ = conn.Close()
	}
}

// sockets goes past the proxy.
func (a *attacker) sockets() {
	for network, all := range map[string][]string{
		"tcp":  {a.Other, a.Far, a.Closed, a.Six, "listed.test:80"},
		"udp":  {a.UDP, a.UDP6, "8.8.8.8:53", "127.0.0.53:53"},
		"unix": {a.Path, a.InWorkspace, a.Abstract, "/run/dbus/system_bus_socket", "/var/run/docker.sock"},
	} {
		for _, at := range all {
			c, err := net.DialTimeout(network, at, moment)
			if err == nil {
				_, err = c.Write([]byte("out"))
				_ = c.Close()
			}
			a.say(network+" "+at, err)
		}
	}
	far := netip.MustParseAddrPort(a.Far)
	for _, s := range []struct {
		name                   string
		family, kind, protocol int
		to                     unix.Sockaddr
	}{
		{"raw", unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_RAW, &unix.SockaddrInet4{Addr: far.Addr().As4()}},
		{"ICMP", unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_ICMP, &unix.SockaddrInet4{Addr: far.Addr().As4()}},
		{"MPTCP", unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP, &unix.SockaddrInet4{Port: int(far.Port()), Addr: far.Addr().As4()}},
		{"SCTP", unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_SCTP, &unix.SockaddrInet4{Port: int(far.Port()), Addr: far.Addr().As4()}},
		{"packet", unix.AF_PACKET, unix.SOCK_RAW, 0x300, &unix.SockaddrLinklayer{Protocol: 0x300, Ifindex: 2}},
		{"vsock of the host", unix.AF_VSOCK, unix.SOCK_STREAM, 0, &unix.SockaddrVM{CID: unix.VMADDR_CID_HOST, Port: 22}},
		{"vsock", unix.AF_VSOCK, unix.SOCK_STREAM, 0, &unix.SockaddrVM{CID: 1, Port: 22}},
		{"bluetooth", unix.AF_BLUETOOTH, unix.SOCK_STREAM, 3, &unix.SockaddrRFCOMM{Channel: 1}},
	} {
		fd, err := unix.Socket(s.family, s.kind|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, s.protocol)
		if err == nil {
			if err = unix.Connect(fd, s.to); err == nil || errors.Is(err, unix.EINPROGRESS) {
				_, sent := unix.Write(fd, []byte("out"))
				err = errors.Join(err, sent)
			}
			_ = unix.Close(fd)
		}
		a.say(s.name, err)
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err == nil {
		err = unix.Sendto(fd, []byte("out"), unix.MSG_FASTOPEN, &unix.SockaddrInet4{Port: int(far.Port()), Addr: far.Addr().As4()})
		_ = unix.Close(fd)
	}
	a.say("fast open", err)
	for _, ns := range []string{fmt.Sprintf("/proc/%d/ns/net", a.PID), "/proc/1/ns/net", "/proc/self/ns/net"} {
		fd, err := unix.Open(ns, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err == nil {
			err = unix.Setns(fd, unix.CLONE_NEWNET)
			_ = unix.Close(fd)
		}
		a.say("setns "+ns, err)
	}
	_, _, errno := syscall.RawSyscall(unix.SYS_IO_URING_SETUP, 1, 0, 0)
	a.say("io_uring", errno)
	a.say("a network of its own", unix.Unshare(unix.CLONE_NEWUSER|unix.CLONE_NEWNET))
	a.say("an address", addAddress())
	for _, name := range []string{a.Listed, "unlisted.test:80"} {
		host, _, _ := net.SplitHostPort(name)
		_, err := net.LookupHost(host)
		a.say("look up "+host, err)
	}
}

// addAddress asks for another address for an interface.
func addAddress() error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	var b bytes.Buffer
	b.Write([]byte{28, 0, 0, 0, unix.RTM_NEWADDR, 0, unix.NLM_F_REQUEST | unix.NLM_F_ACK, 4, 1, 0, 0, 0, 0, 0, 0, 0, unix.AF_INET, 8, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})
	if err := unix.Sendto(fd, b.Bytes(), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	answer := make([]byte, 64)
	n, _, err := unix.Recvfrom(fd, answer, 0)
	if err != nil || n < 20 {
		return err
	}
	return syscall.Errno(-int32(answer[16]) & 0xff)
}
