package bus_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store/nats"
)

// natsServer starts a server in this process, and returns what opens a bus on it, as one
// host each.
func natsServer(t *testing.T) func(host string) *bus.Bus {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	return func(host string) *bus.Bus {
		dir, err := state.Open(t.TempDir(), t.TempDir(), state.Options{})
		if err != nil {
			t.Fatal(err)
		}
		kept, err := nats.Open(nats.Options{URL: "nats://" + s.Addr().String() + "/bus"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = kept.Close() })
		return bus.New(kept, time.Now).WithMedia(dir, host)
	}
}

// Hosts that share a server: they send beside each other, what is the same once, and
// receivers on both share the messages.
func TestHosts(t *testing.T) {
	const senders, each = 3, 4
	open := natsServer(t)
	here, there := open("here"), open("there")
	var running sync.WaitGroup
	for sender := range senders {
		for _, b := range []*bus.Bus{here, there} { // both send the same
			running.Go(func() {
				for n := range each {
					m := message(fmt.Sprintf("%d-%d", sender, n))
					m.To, m.DedupeKey = fmt.Sprint(sender), fmt.Sprint(n)
					if _, err := b.Send(t.Context(), m); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	running.Wait()
	var mu sync.Mutex
	got := map[string][]string{} // contents by conversation
	for _, b := range []*bus.Bus{here, there} {
		running.Go(func() {
			for {
				messages, err := b.Receive(t.Context(), bus.ReceiveOptions{Consumer: "c", Max: 3})
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				for _, m := range messages {
					got[m.To] = append(got[m.To], m.Content)
				}
				total := len(slices.Concat(got["0"], got["1"], got["2"]))
				mu.Unlock()
				if unknown, err := b.Ack(t.Context(), "c", ids(messages)...); len(messages) > 0 && (err != nil || len(unknown) > 0) {
					t.Error(unknown, err)
				}
				if total >= senders*each || err != nil {
					return
				}
			}
		})
	}
	running.Wait()
	want := map[string][]string{}
	for sender := range senders {
		for n := range each {
			to := fmt.Sprint(sender)
			want[to] = append(want[to], fmt.Sprintf("%d-%d", sender, n))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A file that was sent on one host is read on another.
func TestFileOfAnotherHost(t *testing.T) {
	open := natsServer(t)
	here, there := open("here"), open("there")
	f, err := here.Keep(t.Context(), "a.bin", strings.NewReader(strings.Repeat("\x00\xff", 128<<10)))
	if err != nil || f.Far() {
		t.Fatal(f, err)
	}
	m := message("see")
	m.Media = []bus.File{f}
	if _, err := here.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	got, err := there.Receive(t.Context(), bus.ReceiveOptions{Consumer: "c"})
	if err != nil || len(got) != 1 || got[0].Media[0].Kept == "" || got[0].Media[0].Kept == f.Kept {
		t.Fatal(got, err)
	}
}
