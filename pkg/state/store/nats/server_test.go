package nats

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/helve-dev/helve/pkg/state/store"
)

// serveIn, if set, makes the test binary a server on a free port that keeps its data in
// that directory, or on the port of the second word. It prints its address. A third and
// fourth word make it a member of a cluster: where it listens for the others, and all of
// them with commas between.
const serveIn = "HELVE_TEST_NATS_DIR"

func TestMain(m *testing.M) {
	if where := os.Getenv(serveIn); where != "" {
		serve(where)
	}
	os.Exit(m.Run())
}

// serve runs until it is killed.
func serve(where string) {
	words := append(strings.Split(where, " "), "", "", "")
	dir, address, route, routes := words[0], words[1], words[2], words[3]
	o := options(dir)
	if route != "" {
		member(o, route, routes)
	}
	if address != "" {
		_, port, err := net.SplitHostPort(address)
		if err == nil {
			_, err = fmt.Sscan(port, &o.Port)
		}
		for left := 6000; err == nil && left > 0; left-- { // somebody may have the port for a moment
			l, busy := net.Listen("tcp", address)
			if busy == nil {
				err = l.Close()
				break
			}
			time.Sleep(10 * time.Millisecond) //nolint:forbidigo // nobody says when a port is free
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	s, err := start(o)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(s.Addr())
	// Whoever started it holds the other end of its input.
	_, _ = os.Stdin.Read(make([]byte, 1)) // an end is an end
	os.Exit(0)
}

// options are those of a server on a free port of the loopback.
func options(dir string) *server.Options {
	return &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true}
}

func start(o *server.Options) (*server.Server, error) {
	s, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(time.Minute) {
		return nil, fmt.Errorf("the server does not start")
	}
	return s, nil
}

// member makes a server one of a cluster.
func member(o *server.Options, route, routes string) {
	host, port, err := net.SplitHostPort(route)
	if err == nil {
		o.Cluster.Port, err = strconv.Atoi(port)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	o.ServerName, o.Cluster.Name, o.Cluster.Host, o.Routes = route, "team", host, server.RoutesFromStr(routes)
	o.NoSigs, o.LameDuckDuration, o.LameDuckGracePeriod = false, time.Hour, time.Minute
}

// inProcess starts a server in this process, changed by change, and returns its address.
func inProcess(t testing.TB, change ...func(*server.Options)) string {
	t.Helper()
	o := options(t.TempDir())
	for _, f := range change {
		f(o)
	}
	s, err := start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	return s.Addr().String()
}

// ownProcess is a server in a process of its own.
type ownProcess struct {
	t       testing.TB
	dir     string
	address string // once it has run; it stays
	cluster string // the third and fourth word
	cmd     *exec.Cmd
}

func newProcess(t testing.TB) *ownProcess {
	t.Helper()
	return newMember(t, "")
}

func newMember(t testing.TB, cluster string) *ownProcess {
	t.Helper()
	p := &ownProcess{t: t, dir: t.TempDir(), cluster: cluster}
	p.start()
	t.Cleanup(p.kill)
	return p
}

func (p *ownProcess) start() {
	p.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	p.cmd = exec.Command(exe, "-test.run=^$")
	p.cmd.Env = append(os.Environ(), strings.TrimSpace(serveIn+"="+p.dir+" "+p.address+" "+p.cluster))
	stdin, err := p.cmd.StdinPipe() // closed by Wait
	if err != nil {
		p.t.Fatal(err)
	}
	_ = stdin
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	var line [128]byte
	n, err := out.Read(line[:])
	address := strings.TrimSpace(string(line[:n]))
	if _, _, bad := net.SplitHostPort(address); err != nil || bad != nil {
		p.t.Fatalf("the server says %q, %v", address, err)
	}
	p.address = address
}

// kill ends the server without a warning.
func (p *ownProcess) kill() {
	_ = p.cmd.Process.Kill() // it may be dead
	_ = p.cmd.Wait()
}

// at opens the store of a namespace, which others of the test do not use.
func at(t testing.TB, address, namespace string) *Store {
	t.Helper()
	s, err := Open(Options{URL: "nats://" + address + "/" + namespace})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fresh opens a store, which is closed with the test.
func fresh(t testing.TB, address, namespace string) *Store {
	t.Helper()
	s := at(t, address, namespace)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func put(t testing.TB, s store.Store, key, value string) {
	t.Helper()
	if err := s.Update(t.Context(), func(tx store.Tx) error { return tx.Put(key, []byte(value)) }); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, s store.Store, key string) string {
	t.Helper()
	var e store.Entry
	if err := s.View(t.Context(), func(r store.Reader) (err error) {
		e, err = r.Get(key)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return string(e.Value)
}
