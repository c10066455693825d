package server

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/workspace"
)

// patience limits the time in which a call holds back those behind it that touch nothing
// of what it names: most are over by then, and who runs a server waits for nobody.
const patience = 2 * time.Second

// queue keeps the calls of one client in the order in which they came, as a model that
// asks for several at once means them: those that only read go together; one that may
// change something waits for all before it, and those behind it wait for it.
type queue struct {
	mu      sync.Mutex
	places  []*place      // of the calls that are not over, in their order
	changed chan struct{} // closed when a call has come to something; nil if nobody waits
}

// place is the place of a call in a queue.
type place struct {
	queue *queue

	access access
	known  bool // access is: until then the call may do anything
	loose  bool // it holds back only what touches its paths
}

// access is the part of a call that decides what may run beside it.
type access struct {
	reads bool     // it changes nothing
	aside bool     // it may run beside those behind it, such as a sub-agent
	paths []string // absolute, that it names
}

// arrive adds a call at the end.
func (q *queue) arrive() *place {
	q.mu.Lock()
	defer q.mu.Unlock()
	p := &place{queue: q}
	q.places = append(q.places, p)
	return p
}

// enter waits until nothing holds the call back. The fault is canceled.
func (p *place) enter(ctx context.Context, a access) error {
	q := p.queue
	for {
		q.mu.Lock()
		if !p.known {
			if p.access, p.known = a, true; len(a.paths) > 0 { // it touches nothing else, whenever it begins
				time.AfterFunc(patience, p.loosen)
			}
			q.wake()
		}
		if !q.holds(p) {
			q.mu.Unlock()
			time.AfterFunc(patience, p.loosen)
			return nil
		}
		if q.changed == nil {
			q.changed = make(chan struct{})
		}
		changed := q.changed
		q.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return fault.New(fault.Canceled, fault.T("the call was canceled before its turn came")).Because(context.Cause(ctx))
		}
	}
}

// holds reports whether a call before p holds it back. q.mu is held.
func (q *queue) holds(p *place) bool {
	for _, before := range q.places {
		switch {
		case before == p:
			return false
		case before.known && (before.access.aside || before.access.reads && p.access.reads):
		case before.loose && !before.access.touches(p.access):
		default:
			return true
		}
	}
	return false // it has left
}

// touches reports whether two calls name a path in common, or one a path below the other's.
func (a access) touches(b access) bool {
	return slices.ContainsFunc(a.paths, func(one string) bool {
		return slices.ContainsFunc(b.paths, func(other string) bool {
			return workspace.WithinOS(one, other) || workspace.WithinOS(other, one)
		})
	})
}

// loosen lets those behind go on that touch nothing of what the call names: it takes long,
// or waits for a person.
func (p *place) loosen() {
	p.queue.mu.Lock()
	defer p.queue.mu.Unlock()
	p.loose = true
	p.queue.wake()
}

// leave takes the call out. It may be called again.
func (p *place) leave() {
	q := p.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.places, p); i >= 0 {
		q.places = slices.Delete(q.places, i, i+1)
		q.wake()
	}
}

// wake has those that wait look again. q.mu is held.
func (q *queue) wake() {
	if q.changed != nil {
		close(q.changed)
		q.changed = nil
	}
}

// empty reports whether no call is there.
func (q *queue) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.places) == 0
}

// access returns what decides what may run beside a call. A call that cannot be read
// changes nothing.
func (c *call) access() access {
	t, err := c.catalog.For(c.name, c.arguments)
	if err != nil {
		return access{reads: true}
	}
	a := access{reads: t.Risk == policy.Read, aside: t.Parallel}
	var given map[string]json.RawMessage
	if json.Unmarshal(c.arguments, &given) != nil {
		return a
	}
	for name, value := range given {
		f, ok := t.Schema().Field(name)
		if !ok || f.Path == schema.NoPath {
			continue
		}
		var one string
		var several []string
		if json.Unmarshal(value, &several) != nil && json.Unmarshal(value, &one) == nil {
			several = []string{one}
		}
		for _, path := range several {
			a.paths = append(a.paths, c.absolute(path))
		}
	}
	return a
}

// absolute returns a path of the workspace.
func (c *call) absolute(path string) string {
	root, err := c.env.Root()
	if err != nil || filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(root.Dir(), path)
}

// queues are the queues of all clients.
type queues struct {
	mu     sync.Mutex
	of     map[string]*queue // of clients that are no pipe; none of them is empty
	places sync.Map          // the places of calls from pipes, by their numbers
	last   atomic.Uint64
}

// arrivals numbers the requests of a pipe in the order in which they come, and keeps a
// place for each until it is answered.
type arrivals struct {
	all   *queues
	queue queue
}

// Arrived returns the number of a request.
func (a *arrivals) Arrived() string {
	number := strconv.FormatUint(a.all.last.Add(1), 10)
	a.all.places.Store(number, a.queue.arrive())
	return number
}

// Answered says that a request is over.
func (a *arrivals) Answered(number string) {
	if p, ok := a.all.places.LoadAndDelete(number); ok {
		p.(*place).leave()
	}
}

// keep leaves the place of a request to the call, which has not ended when it is answered.
func (a *queues) keep(number string) { a.places.Delete(number) }

// place returns the place of a call: from a pipe by its number, else at the end of its
// client's queue. The call must leave it.
func (a *queues) place(number, client string) (p *place, leave func()) {
	if p, ok := a.places.Load(number); ok {
		return p.(*place), p.(*place).leave
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.of == nil {
		a.of = map[string]*queue{}
	}
	if a.of[client] == nil {
		a.of[client] = &queue{}
	}
	p = a.of[client].arrive()
	return p, func() {
		p.leave()
		a.mu.Lock()
		defer a.mu.Unlock()
		if q := a.of[client]; q != nil && q.empty() {
			delete(a.of, client)
		}
	}
}
