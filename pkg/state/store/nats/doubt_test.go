package nats

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/helve-dev/helve/pkg/state/store"
)

// count adds one to a counter, and a message with its value, which it returns.
func count(tx store.Tx) (m *store.Message, err error) {
	e, err := tx.Get("count")
	if err != nil {
		return nil, err
	}
	n := 0
	if e.Revision != 0 {
		if n, err = strconv.Atoi(string(e.Value)); err != nil {
			return nil, err
		}
	}
	n++
	if err := tx.Put("count", []byte(strconv.Itoa(n))); err != nil {
		return nil, err
	}
	m, _, err = tx.Append("s", strconv.Itoa(n), []byte("of "+strconv.Itoa(n)))
	return m, err
}

// counted checks that exactly so many were counted, each with its message, in order.
func counted(t *testing.T, s store.Store, want int) {
	t.Helper()
	if got := get(t, s, "count"); got != strconv.Itoa(want) {
		t.Errorf("counted %s, want %d", got, want)
	}
	var all []store.Message
	if err := s.View(t.Context(), func(r store.Reader) (err error) {
		all, err = r.Read("s", 0, want+1)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if len(all) != want {
		t.Fatalf("%d messages, want %d", len(all), want)
	}
	for i, m := range all {
		if m.ID != strconv.Itoa(i+1) || string(m.Data) != "of "+m.ID {
			t.Fatalf("message %d is %+v", i+1, m)
		}
	}
}

// stride is how many bytes are between two places to cut. With 1, of which the test takes
// twenty seconds, it holds as well.
const stride = 5

// TestCutAnywhere cuts the connection all along a transaction's exchange, in both
// directions; and the next connection too, which asks what became of it, somewhere.
func TestCutAnywhere(t *testing.T) {
	address := inProcess(t, func(o *server.Options) {
		// A batch that was cut off stays in the server for ten seconds.
		o.JetStreamLimits.MaxBatchInflightPerStream, o.JetStreamLimits.MaxBatchInflightTotal = 5000, 5000
	})
	for name, toClient := range map[string]bool{"from the client": false, "from the server": true} {
		t.Run(name, func(t *testing.T) {
			p := newProxy(t, address)
			space := strconv.FormatBool(toClient)
			s := fresh(t, p.address, space)
			random := rand.New(rand.NewPCG(1, 2))
			done := 0
			for after := 0; ; after += stride {
				var m *store.Message
				runs := 0
				if err := s.Update(t.Context(), func(tx store.Tx) (err error) {
					m, err = count(tx)
					if runs++; runs == 1 {
						p.plan(plan{toClient, after, false}, plan{random.IntN(2) == 0, random.IntN(3000), false})
					}
					return err
				}); err != nil {
					t.Fatalf("cut after %d bytes: %v: %v", after, err, errors.Unwrap(err))
				}
				p.mu.Lock()
				cut := len(p.plans) < 2
				p.plans = nil
				p.mu.Unlock()
				done++
				if id := strconv.Itoa(done); m.ID != id || m.Seq == 0 {
					t.Fatalf("cut after %d bytes: %+v, want id %s", after, m, id)
				}
				if got := found(t, s, m.ID); got == nil || got.Seq != m.Seq {
					t.Fatalf("cut after %d bytes: %+v, but it says %+v", after, got, m)
				}
				if !cut {
					if after < 100 {
						t.Fatalf("the exchange is over after %d bytes", after)
					}
					break
				}
				if after > 5000 {
					t.Fatal("the exchange has no end")
				}
			}
			counted(t, s, done)
		})
	}
}

func found(t *testing.T, s store.Store, id string) (m *store.Message) {
	t.Helper()
	if err := s.View(t.Context(), func(r store.Reader) (err error) {
		m, err = r.Find("s", id)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestLateBytes lets what a client sent arrive after the client has given it up, asked
// what became of it, and done it again. It would overwrite what was written since: only
// the record of the transaction keeps it out.
func TestLateBytes(t *testing.T) {
	p := newProxy(t, inProcess(t))
	s := fresh(t, p.address, "late")
	put(t, s, "blind", "first")
	for i := range 20 {
		p.plan(plan{after: i * 10, hold: true})
		put(t, s, "blind", strconv.Itoa(i))
		put(t, s, "blind", "later")
		if n := p.release(); n != 1 {
			t.Fatalf("%d connections were held", n)
		}
		if got := get(t, s, "blind"); got != "later" {
			t.Fatalf("cut after %d bytes: %s was written late", i*10, got)
		}
	}
}

// TestServerKilled kills the server again and again while several count. Each of them
// counts what it was told is stored.
func TestServerKilled(t *testing.T) {
	server := newProcess(t)
	const workers, each = 4, 12
	var wait sync.WaitGroup
	for range workers {
		s := fresh(t, server.address, "killed")
		wait.Go(func() {
			for range each {
				if err := s.Update(t.Context(), func(tx store.Tx) error {
					_, err := count(tx)
					return err
				}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	watched := fresh(t, server.address, "killed")
	for kills := range 3 {
		bell, err := watched.Watch(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range 4 * (kills + 1) {
			<-bell
		}
		server.kill()
		server.start()
	}
	wait.Wait()
	counted(t, watched, workers*each)
}

// TestWatchAgain cuts the connection of a watch while the server is away for a moment.
func TestWatchAgain(t *testing.T) {
	address := inProcess(t)
	p := newProxy(t, address)
	s, other := fresh(t, p.address, "watch"), fresh(t, address, "watch")
	bell, err := s.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		p.refuse(true)
		p.cut()
		key := "k" + strconv.Itoa(i)
		put(t, other, key, "v")
		p.refuse(false)
		for get(t, s, key) != "v" {
			<-bell
		}
		// The bell rings for what comes after, too.
		put(t, other, key, "w")
		for get(t, s, key) != "w" {
			<-bell
		}
	}
}
