// Package desk is the server of the page on which a person sees what waits for them and
// what happened, decides, and undoes. It serves this machine alone, and of it only the
// person: see door.go. What a decision is, and what a call does, is not its business.
package desk

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/web/gate"
)

// World is a workspace with what a person may do in it. The commands approve, deny and
// undo do the same by the same methods.
type World interface {
	// Workspace returns the environment of the workspace itself.
	Workspace() *tool.Env
	// Env returns what calls get, and the tools.
	Env() (*tool.Env, *tools.Catalog, error)
	Allow(ctx context.Context, store *approval.Store, id string, scope approval.Scope) (*approval.Request, error)
	Deny(ctx context.Context, store *approval.Store, id, reason string) (*approval.Request, error)
	CarryOut(ctx context.Context, r *approval.Request) (*tool.Tool, guard.Outcome, error)
	Jobs() (*schedule.Jobs, error)
	Agents() (*agent.Jobs, error)
}

// Options are the parts and settings of a desk.
type Options struct {
	Lang    fault.Lang
	Version string
	// Current is the workspace that the page shows first.
	Current World
	// Known lists the workspaces that have a state directory.
	Known func() ([]state.Known, error)
	// Open returns another one of them. It is called once for each.
	Open func(root string) World
	// Idle limits the time that the desk runs while no page is open; 0 is no limit.
	Idle time.Duration
	// Peer says why the process at the other end of a connection may not use the desk; an
	// empty text if it may. Nil asks the system.
	Peer func(net.Conn) fault.Text
	Now  func() time.Time // nil is time.Now
	Log  *slog.Logger
}

// The bounds of what pages make the server hold.
const (
	maxRequests = 64
	maxBody     = 64 << 10 // bytes of a request
	maxHead     = 16 << 10 // bytes of a header
	headTime    = 10 * time.Second
	quietTime   = 2 * time.Minute  // between requests on one connection
	endTime     = 15 * time.Second // for what runs to end, when the desk ends
	// ticketTime is the time during which a ticket can be exchanged for the token.
	ticketTime = time.Minute
)

// Desk is the server.
type Desk struct {
	Options
	token   string
	sum     *gate.Token
	ending  context.Context // ends when the desk does
	end     context.CancelFunc
	running sync.WaitGroup // calls that a person has allowed

	mu      sync.Mutex
	tickets map[string]time.Time // when they expire
	places  map[string]*place    // by the ids of workspaces
	first   *place               // of the current workspace
	pages   int                  // that are open
	left    *time.Timer          // ends a desk without pages; nil if nothing does
}

// New returns a desk with a token of its own.
func New(o Options) (*Desk, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Peer == nil {
		o.Peer = foreign
	}
	d := &Desk{Options: o, token: gate.NewToken(), tickets: map[string]time.Time{}, places: map[string]*place{}}
	d.sum = gate.Sum(d.token)
	d.ending, d.end = context.WithCancel(context.Background())
	var err error
	if d.first, err = d.enter(o.Current); err != nil {
		return nil, err
	}
	return d, nil
}

// Address returns the address of the page for a person who types it or follows it.
func (d *Desk) Address(l net.Listener) string {
	return "http://" + l.Addr().String() + "/#token=" + d.token
}

// Ticket returns an address that opens the page once, and soon: other processes can read
// the arguments of the program that opens it.
func (d *Desk) Ticket(l net.Listener) string {
	ticket := gate.NewToken()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tickets[ticket] = d.Now().Add(ticketTime)
	return "http://" + l.Addr().String() + "/#ticket=" + ticket
}

// exchange returns the token for a ticket, once.
func (d *Desk) exchange(ticket string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	until, ok := d.tickets[ticket]
	delete(d.tickets, ticket)
	if !ok || d.Now().After(until) {
		return "", fault.New(fault.Denied, fault.T("this link was used already, or is too old")).
			WithHint(fault.T("open the address that helve desk printed"))
	}
	return d.token, nil
}

// Serve answers pages until ctx ends, or nobody has had one open for [Options.Idle]. Then
// it cancels the calls that run, and closes the listener.
func (d *Desk) Serve(ctx context.Context, l net.Listener) error {
	defer d.end()
	server := &http.Server{
		Handler: d.handler(), ConnContext: d.connected, ReadHeaderTimeout: headTime, IdleTimeout: quietTime, MaxHeaderBytes: maxHead,
		DisableGeneralOptionsHandler: true, ErrorLog: slog.NewLogLogger(d.Log.Handler(), slog.LevelWarn),
	}
	d.opened(0) // nobody has come yet
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	var err error
	select {
	case err = <-failed:
		err = fault.New(fault.Unavailable, fault.T("the server cannot accept connections: %v", err)).
			WithHint(fault.T("start it again")).Because(err)
	case <-ctx.Done():
	case <-d.ending.Done():
	}
	d.end()
	soon, stop := context.WithTimeout(context.Background(), endTime)
	defer stop()
	closing := server.Shutdown(soon)
	if errors.Is(closing, context.DeadlineExceeded) {
		closing = server.Close()
	}
	d.running.Wait()
	return errors.Join(err, closing)
}

// opened counts pages that are opened, or closed.
func (d *Desk) opened(more int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pages += more
	if d.left != nil {
		d.left.Stop()
		d.left = nil
	}
	if d.pages == 0 && d.Idle > 0 {
		d.left = time.AfterFunc(d.Idle, d.end)
	}
}
