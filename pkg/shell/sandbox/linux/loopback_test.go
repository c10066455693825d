//go:build linux && (amd64 || arm64)

package linux

import (
	"bufio"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// answering starts a command that says "ready" once it answers connections with a word, and
// stays until the test ends. It returns the sandbox, which shares the network, and the port.
func answering(t *testing.T, join *sandbox.Loopback) (*confined, *process, uint16) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here")
	}
	sb, err := newConfined(sandbox.Profile{
		Filesystem: sandbox.ReadOnly, Network: sandbox.Local, Workspace: t.TempDir(), Shares: true, Loopback: join,
	}, support, sandbox.Namespaces)
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	null, err := sandbox.OpenNull()
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	p, err := sb.Start(sandbox.Command{Path: python, Argv: []string{"python3", "-c", `import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
print(s.getsockname()[1], flush=True)
while True:
    c, _ = s.accept(); c.sendall(b"word\n"); c.close()`}, Dir: "/", Stdin: null, Stdout: w, Stderr: w})
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, _ = p.Finish() // it is to be killed
		sb.Loopback().Close()
		r.Close()
	})
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.ParseUint(strings.TrimSpace(line), 10, 16)
	if err != nil {
		t.Fatal(err)
	}
	return sb, p.(*process), uint16(port)
}

const greet = `import socket, sys
try:
    print(socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5).recv(99).decode().strip())
except OSError as e:
    print(e.strerror)`

// TestLoopback has commands in the network of another one reach what listens there; no
// other command does, and none the machine's own loopback.
func TestLoopback(t *testing.T) {
	if !support.Namespaces {
		t.Skip("no namespaces here: " + support.Reason)
	}
	first, p, port := answering(t, nil)
	shared := first.Loopback()
	if shared == nil {
		t.Fatal("no loopback is handed out")
	}
	second, _, other := answering(t, shared)
	outside, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = outside.Close() }()
	machines := outside.Addr().(*net.TCPAddr).Port
	for _, c := range []struct {
		about string
		in    *sandbox.Loopback
		port  uint16
		want  string
	}{
		{"the network of the first", shared, port, "word"},
		{"that of the second, which is the same", second.Loopback(), port, "word"},
		{"the second's listener", shared, other, "word"},
		{"a network of its own", nil, port, "Connection refused"},
		{"the machine's, from the shared one", shared, uint16(machines), "Connection refused"},
	} {
		p := sandbox.Profile{Filesystem: sandbox.ReadOnly, Network: sandbox.Local, Workspace: t.TempDir(), Loopback: c.in}
		got := run(t, sandbox.Namespaces, p, "python3", "-c", greet, strconv.Itoa(int(c.port)))
		if strings.TrimSpace(got.out) != c.want {
			t.Errorf("%s: %q, want %q", c.about, got.out, c.want)
		}
	}
	// The network none is no network, whatever others have.
	none := run(t, sandbox.Namespaces, sandbox.Profile{Filesystem: sandbox.ReadOnly, Network: sandbox.NoNetwork, Workspace: t.TempDir(), Loopback: shared},
		"python3", "-c", greet, strconv.Itoa(int(port)))
	if strings.TrimSpace(none.out) != "Network is unreachable" {
		t.Errorf("without a network: %q", none.out)
	}

	// This process reaches the network, too.
	for port, want := range map[uint16]string{port: "word\n", uint16(machines): ""} {
		c, err := System{}.Connect(t.Context(), shared, netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port))
		if err != nil {
			if want != "" || !strings.Contains(err.Error(), "refused") {
				t.Errorf("port %d: %v", port, err)
			}
			continue
		}
		got, err := io.ReadAll(c)
		if err != nil || string(got) != want {
			t.Errorf("port %d: %q, %v", port, got, err)
		}
		_ = c.Close()
	}
	if c, err := (System{}).Connect(t.Context(), shared, netip.MustParseAddrPort("[::1]:1")); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("::1: %v, %v", c, err)
	}
	all, err := System{}.Listening(shared, []int{p.pid})
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	for _, l := range all {
		want := map[uint16]int{port: p.pid, other: 0}[l.Address.Port()]
		if l.Root != want || !l.Address.Addr().IsLoopback() {
			t.Errorf("%v, want the root %d", l, want)
		}
	}

	// By its names another process finds it, and nothing else by others.
	user, network, err := System{}.Names(shared)
	if err != nil {
		t.Fatal(err)
	}
	found, err := System{}.Find(os.Getpid(), user, network)
	if err != nil {
		t.Fatal(err)
	}
	found.Close()
	for _, wrong := range []sandbox.Namespace{{Descriptor: user.Descriptor, Name: user.Name}, {Descriptor: network.Descriptor, Name: "net:[1]"}, {Descriptor: 9999, Name: network.Name}} {
		if l, err := (System{}).Find(os.Getpid(), user, wrong); err == nil && wrong.Name != user.Name {
			l.Close()
			t.Errorf("%v is found", wrong)
		}
	}

	// Without its first command the network lasts as long as somebody has it.
	if _, err := p.Finish(); err != nil {
		t.Fatal(err)
	}
	got := run(t, sandbox.Namespaces, sandbox.Profile{Filesystem: sandbox.ReadOnly, Network: sandbox.Local, Workspace: t.TempDir(), Loopback: shared}, "python3", "-c", greet, strconv.Itoa(int(other)))
	if strings.TrimSpace(got.out) != "word" {
		t.Errorf("after the first has ended: %q", got.out)
	}
}
