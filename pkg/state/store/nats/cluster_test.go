package nats

import (
	"context"
	"encoding/json"
	"net"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/helve-dev/helve/pkg/state/store"
)

// cluster is three servers in processes of their own, by the names they have among
// themselves.
type cluster map[string]*ownProcess

func newCluster(t *testing.T) cluster {
	t.Helper()
	var free []net.Listener
	var routes []string
	for range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		free = append(free, l)
		routes = append(routes, "nats://"+l.Addr().String())
	}
	c := cluster{}
	for _, l := range free {
		name := l.Addr().String()
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		c[name] = newMember(t, name+" "+strings.Join(routes, ","))
	}
	return c
}

// leader returns the server that leads the stream of a store, and how often it is kept.
func (c cluster) leader(t *testing.T, s *Store) (leader *ownProcess, replicas int) {
	t.Helper()
	var answer struct {
		Config  streamConfig
		Cluster struct{ Leader string }
	}
	if err := s.try(t.Context(), func(ctx context.Context, l *link) error {
		m, err := l.ask(ctx, s.names.api("STREAM.INFO"), nil)
		if err != nil {
			return err
		}
		return json.Unmarshal(m.Data, &answer)
	}); err != nil {
		t.Fatal(err)
	}
	leader = c[answer.Cluster.Leader]
	if leader == nil {
		t.Fatalf("%+v", answer)
	}
	return leader, answer.Config.Replicas
}

// TestLeaderKilled kills the leader of the stream while several send. Nothing is lost or
// sent twice, and nobody fails: not those who know its address alone, nor one who begins
// while there is no leader.
func TestLeaderKilled(t *testing.T) {
	c := newCluster(t)
	var all []string
	for _, p := range c {
		all = append(all, p.address)
	}
	watched := fresh(t, strings.Join(all, ","), "team")
	put(t, watched, "k", "v") // waits for the cluster to have leaders
	leader, replicas := c.leader(t, watched)
	if replicas != clusterReplicas {
		t.Errorf("%d replicas", replicas)
	}
	bell, err := watched.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const workers, each = 3, 40
	var wait sync.WaitGroup
	work := func(s *Store, times int) {
		wait.Go(func() {
			for range times {
				began := time.Now()
				if err := s.Update(t.Context(), func(tx store.Tx) error {
					_, err := count(tx)
					return err
				}); err != nil {
					t.Errorf("after %v: %v", time.Since(began), err)
					return
				}
			}
		})
	}
	for range workers {
		work(fresh(t, leader.address, "team"), each)
	}
	for found(t, watched, "20") == nil {
		<-bell
	}
	leader.kill()
	work(fresh(t, strings.Join(all, ","), "team"), 1)
	wait.Wait()
	counted(t, watched, workers*each+1)
}

// TestLameDuck has a server ask its clients to go elsewhere: they do so while it still
// serves them.
func TestLameDuck(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a server is asked to stop by a signal")
	}
	c := newCluster(t)
	var member *ownProcess
	for _, member = range c {
		break
	}
	s := fresh(t, member.address, "team")
	put(t, s, "k", "v")
	bell, err := s.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	old := s.link
	if err := server.ProcessSignal(server.Command("ldm"), strconv.Itoa(member.cmd.Process.Pid)); err != nil {
		t.Fatal(err)
	}
	<-old.leaving
	put(t, s, "k", "w")
	if s.link == old || old.IsClosed() || s.link.ConnectedAddr() == member.address {
		t.Errorf("the client stays at %s", s.link.ConnectedAddr())
	}
	for get(t, s, "k") != "w" {
		<-bell
	}
}
