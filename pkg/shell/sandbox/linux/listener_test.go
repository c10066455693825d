//go:build linux && (amd64 || arm64)

package linux

import (
	"io"
	"net"
	"os/exec"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// What listens on this machine's loopback is out of reach, while the caller answers at the
// sandbox's own port.
func TestListener(t *testing.T) {
	if !support.Namespaces {
		t.Skip("no namespaces here: " + support.Reason)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	outside, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = outside.Close() }()
	_, port, err := net.SplitHostPort(outside.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	sb, err := newConfined(sandbox.Profile{Filesystem: sandbox.ReadOnly, Network: sandbox.Local, Port: 3128, Workspace: t.TempDir()}, support, sandbox.Namespaces)
	if err != nil {
		t.Fatal(err)
	}
	if sb.Listener() != nil {
		t.Error("there is a listener before the start")
	}
	null, err := sandbox.OpenNull()
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	p, err := sb.Start(sandbox.Command{
		Path: bash, Argv: []string{"bash", "-c", `(: </dev/tcp/127.0.0.1/` + port + `) 2>/dev/null && exit 3
exec 3<>/dev/tcp/127.0.0.1/3128 || exit 4
echo ping >&3
read answer <&3
[[ $answer == pong ]] || exit 5
ls /proc/self/fd | tr '\n' ' ' >&3`}, Dir: "/", Stdin: null, Stdout: null, Stderr: null,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = p.Finish() }() // Done has been read before
	l := sb.Listener()
	if l == nil {
		t.Fatal("there is no listener")
	}
	defer func() { _ = l.Close() }()
	go func() {
		<-p.Done()
		_ = l.Close() // a command that does not connect fails the test
	}()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	var word [5]byte
	if _, err := io.ReadFull(conn, word[:]); err != nil || string(word[:]) != "ping\n" {
		t.Fatalf("%q, %v", word, err)
	}
	if _, err := io.WriteString(conn, "pong\n"); err != nil {
		t.Fatal(err)
	}
	open, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(open)); got != "0 1 2 3 4" { // 3 is the connection, 4 the directory that ls reads
		t.Errorf("the command has the descriptors %s", got)
	}
	<-p.Done()
	if state, err := p.State(); err != nil || state.ExitCode != 0 {
		t.Errorf("%+v, %v", state, err)
	}
}

// Only a network of its own has a port of its own.
func TestListenerRefused(t *testing.T) {
	for _, c := range []struct {
		kind    sandbox.Kind
		network sandbox.Network
	}{{sandbox.Namespaces, sandbox.Full}, {sandbox.Namespaces, sandbox.NoNetwork}, {sandbox.Landlock, sandbox.Local}, {sandbox.None, sandbox.Local}} {
		all := sandbox.Support{Namespaces: true, LandlockABI: 5, Seccomp: true}
		if _, err := newConfined(sandbox.Profile{Filesystem: sandbox.ReadOnly, Network: c.network, Port: 1, Workspace: "/"}, all, c.kind); !fault.Is(err, fault.SandboxUnavailable) {
			t.Errorf("%s, %s: %v", c.kind, c.network, err)
		}
	}
}
