package job

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
)

// The jobs of a session share a network, and so do its other commands while a job runs: a
// server in the background is reached by what comes later. No process serves the network.
// Each supervisor keeps it open, and says in a file beside the record of its job by which
// names: it lasts until the last of them ends, however that comes about.

// network is the content of that file.
type network struct {
	Session string            `json:"session"`
	Holder  process.ID        `json:"holder"`
	Machine string            `json:"machine"`
	User    sandbox.Namespace `json:"user"`
	Net     sandbox.Namespace `json:"net"`
}

func networkOf(id string) string { return jobsDir + "/" + id + ".net" }

// Loopback opens the network of the jobs of a session; nil if none runs in one.
func (s *Store) Loopback(session string) *sandbox.Loopback {
	l, _ := s.network(session)
	return l
}

// network opens the network of the jobs of a session, and returns the jobs that have it with
// the processes that run them.
func (s *Store) network(session string) (l *sandbox.Loopback, holders map[int]string) {
	names, err := s.dir.List(jobsDir)
	if err != nil {
		return nil, nil
	}
	machine := ""
	holders = map[int]string{}
	var shared string
	for _, name := range names { // the oldest comes first
		id, ok := strings.CutSuffix(name, ".net")
		if !ok || !isID(id) {
			continue
		}
		var n network
		data, err := s.dir.ReadFile(jobsDir + "/" + name)
		if err != nil || json.Unmarshal(data, &n) != nil || n.Session != session {
			continue
		}
		if machine = cmp.Or(machine, process.Machine()); n.Machine != machine || !n.Holder.Alive() {
			continue // its supervisor was killed, or is of another container
		}
		if l == nil {
			if l, err = native.Find(n.Holder.PID, n.User, n.Net); err != nil {
				l = nil
				continue
			}
			shared = n.Net.Name
		}
		if n.Net.Name == shared {
			holders[n.Holder.PID] = id
		}
	}
	return l, holders
}

// share has others find the network of a job. Without one, or where it cannot be written,
// the job has it for itself.
func (s *Store) share(r *Record, l *sandbox.Loopback) {
	if l == nil {
		return
	}
	n := network{Session: r.Session, Holder: process.This(), Machine: process.Machine()}
	var err error
	if n.User, n.Net, err = native.Names(l); err != nil || n.Machine == "" {
		return
	}
	if data, err := schema.Marshal(n); err == nil {
		_ = s.dir.WriteFile(networkOf(r.ID), data)
	}
}

// unshare takes back what share wrote.
func (s *Store) unshare(id string) { _ = s.dir.Remove(networkOf(id)) }

// mostServers limits the servers that a text names.
const mostServers = 5

// Listening says what listens in the network of the jobs of a session; it is empty if none
// runs in one.
func (s *Store) Listening(session string) fault.Text {
	l, holders := s.network(session)
	if l == nil {
		return fault.Text{}
	}
	defer l.Close()
	ports, err := native.Listening(l, slices.Sorted(maps.Keys(holders)))
	if err != nil {
		return fault.Text{}
	}
	var all []string
	for _, at := range ports {
		text := fmt.Sprintf("%d (job %s)", at.Address.Port(), holders[at.Root])
		if holders[at.Root] != "" && !slices.Contains(all, text) && len(all) < mostServers {
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return fault.T("job %s of this session runs and listens on no port: read its output with job", slices.Max(slices.Collect(maps.Values(holders))))
	}
	return fault.T("jobs of this session listen on port %s", strings.Join(all, ", "))
}

// Servers are the servers of the jobs of a session, as a client reaches them.
type Servers struct {
	Open    func() (*state.Dir, error)
	Session string
}

// Any reports whether a job of the session runs in a network of its own.
func (s Servers) Any() bool {
	l := s.loopback()
	l.Close()
	return l != nil
}

func (s Servers) loopback() *sandbox.Loopback {
	dir, err := s.Open()
	if err != nil {
		return nil
	}
	return NewStore(dir).Loopback(s.Session)
}

// Connect connects to an address of the network of the session's jobs.
func (s Servers) Connect(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	l := s.loopback()
	if l == nil {
		return nil, syscall.ECONNREFUSED // the last of them has just ended
	}
	defer l.Close()
	return native.Connect(ctx, l, to)
}

// Listening is [Store.Listening] of the session.
func (s Servers) Listening() fault.Text {
	dir, err := s.Open()
	if err != nil {
		return fault.Text{}
	}
	return NewStore(dir).Listening(s.Session)
}
