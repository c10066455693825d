package nats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// machine is a host: a state directory and a workspace of its own, and a way to the
// server.
type machine struct {
	binary    string
	home      string
	workspace string
	url       string
}

// built builds helve.
func built(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the binary")
	}
	binary := filepath.Join(t.TempDir(), "helve.exe")
	c := exec.Command("go", "build", "-trimpath", "-o", binary, "../../../..")
	c.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

func newMachine(t *testing.T, binary, server string) *machine {
	return &machine{binary, t.TempDir(), t.TempDir(), "nats://" + server + "/team"}
}

// answer is what helve prints.
type answer struct {
	OK    bool
	Data  json.RawMessage
	Error struct{ Code, Message string }
}

func (m *machine) command(args ...string) *exec.Cmd {
	c := exec.Command(m.binary, args...)
	c.Dir = m.workspace
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "HELVE") {
			c.Env = append(c.Env, entry)
		}
	}
	c.Env = append(c.Env, "HELVE_HOME="+m.home, "HELVE_STORE_URL="+m.url)
	return c
}

// run runs helve.
func (m *machine) run(t *testing.T, args ...string) (a answer) {
	t.Helper()
	c := m.command(args...)
	var said bytes.Buffer
	c.Stderr = &said
	out, _ := c.Output() // the answer says whether it failed
	if err := json.Unmarshal(out, &a); err != nil {
		t.Errorf("%v: %v %s%s", args, err, out, said.String())
	}
	return a
}

// send sends a message, again with its key while the server cannot be reached, as a host
// does.
func (m *machine) send(t *testing.T, to, content string) {
	t.Helper()
	arguments := fmt.Sprintf(`{"channel":"test","to":%q,"content":%q,"dedupe_key":%q}`, to, content, to+content)
	for range 100 {
		a := m.run(t, "message", arguments)
		if a.OK {
			return
		}
		if a.Error.Code != "unavailable" {
			t.Errorf("message %s: %+v", arguments, a.Error)
			return
		}
	}
	t.Errorf("message %s is not sent", arguments)
}

// received takes messages, as one consumer on whichever host, until there are none.
func (m *machine) received(t *testing.T) (all []string) {
	t.Helper()
	for {
		var got struct {
			Messages []struct{ To, Content string }
		}
		a := m.run(t, "messages", "recv", "--consumer", "bot", "--ack", "--max", "100")
		if err := json.Unmarshal(a.Data, &got); err != nil || !a.OK {
			t.Fatalf("%v %+v", err, a)
		}
		if len(got.Messages) == 0 {
			return all
		}
		for _, one := range got.Messages {
			all = append(all, one.To+" "+one.Content)
		}
	}
}

// TestTwoHosts sends on one host and receives on the other.
func TestTwoHosts(t *testing.T) {
	binary := built(t)
	server := newProcess(t)
	p := newProxy(t, server.address)
	here, there := newMachine(t, binary, server.address), newMachine(t, binary, p.address)

	// Who waits is woken by what is sent elsewhere.
	waiting := there.command("messages", "recv", "--consumer", "bot", "--wait", "10m", "--ack")
	var got bytes.Buffer
	waiting.Stdout, waiting.Stderr = &got, os.Stderr
	if err := waiting.Start(); err != nil {
		t.Fatal(err)
	}
	here.send(t, "1", "hello")
	if err := waiting.Wait(); err != nil || !strings.Contains(got.String(), `"content":"hello"`) {
		t.Fatalf("%v %s", err, got.String())
	}

	// Nothing is lost or doubled by connections that are cut, nor by a server that is
	// killed and starts again with its directory.
	var want []string
	for i := range 12 {
		from := there
		switch i {
		case 3, 9:
			from = here
		case 6:
			server.kill()
			server.start()
		default:
			p.plan(plan{toClient: i%2 == 0, after: 300 * i})
		}
		content := fmt.Sprint("m", i)
		from.send(t, "2", content)
		want = append(want, "2 "+content)
	}
	p.plan()
	if got := here.received(t); !slices.Equal(got, want) {
		t.Errorf("received %q, want %q", got, want)
	}
	if got := there.received(t); len(got) > 0 {
		t.Errorf("%q are received twice", got)
	}
}

// TestTwoHostsRunJobs has schedulers on both hosts look at the same moment for jobs that
// are due: each job runs on one of them.
func TestTwoHostsRunJobs(t *testing.T) {
	binary := built(t)
	address := inProcess(t)
	here, there := newMachine(t, binary, address), newMachine(t, binary, address)
	var want []string
	for i := range 4 {
		content := fmt.Sprint("job", i)
		if a := here.run(t, "cron", "add", fmt.Sprintf(`{"message":%q,"at":"2026-01-01T00:00:00Z","allow_past":true,"channel":"test","to":"9"}`, content)); !a.OK {
			t.Fatalf("%+v", a)
		}
		want = append(want, "9 "+content)
	}
	look := func() {
		var both sync.WaitGroup
		for _, m := range []*machine{here, there} {
			both.Go(func() {
				if a := m.run(t, "cron", "tick"); !a.OK {
					t.Errorf("%+v", a)
				}
			})
		}
		both.Wait()
	}
	var got []string
	for len(got) < len(want) && !t.Failed() { // a moment that is past is the next second
		look()
		got = append(got, there.received(t)...)
	}
	look()
	got = append(got, there.received(t)...)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("received %q, want %q", got, want)
	}
}
