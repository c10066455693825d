// Package client reaches other servers of the Model Context Protocol, by the protocol's
// official library: it starts one, or connects to it over HTTP, lists its tools and
// calls them. A server is in nobody's way: it has a limited time to start, what it
// prints besides the protocol is dropped, and it ends with all that it started when its
// pool is closed. The package decides nothing about calls: package guard does.
//
// # One call
//
//	Pool.Call
//	  Pool.link          the connection that is kept for the server, or a new one
//	    Pool.connect     starts the command (child) or reaches the address (remote), and
//	                     shakes hands: server/discover, else initialize
//	  link.call          sends the request; the tap keeps the bytes of its result, since
//	                     the library decodes them with a loss
//	  Pool.release       keeps the connection, or ends one that cannot be trusted any more
//
// What is bounded: a message by maxMessage, the start by startTime, the tools of a server
// and what it says of them by the constants in list.go, and a connection without calls by
// idleTime. A call is bounded by its context alone.
package client

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
)

const (
	// startTime limits the time of a handshake, unless the options or the server's record
	// say another, and probeTime the part of it in which a server may ignore the question of new clients,
	// which older servers do not know, before it is asked whether it runs at all.
	startTime = 30 * time.Second
	probeTime = 5 * time.Second
	// idleTime limits the time that a connection is kept without a call.
	idleTime = 5 * time.Minute
	// maxMessage is the largest message of a server, in bytes.
	maxMessage = 16 << 20
)

// Options configure the connections to servers.
type Options struct {
	// Command completes the command that starts a server: its directory, environment and
	// sandbox. The rest is this package's.
	Command func(context.Context, *upstream.Server) (run.Command, error)
	// Ended receives how a server's command ended, such as what the sandbox put back. It may
	// be nil, and so may the result if the command did not start.
	Ended func(*upstream.Server, *run.Result)
	// Transport returns what requests to a server go through: the rules of the network, and
	// the headers that it wants. It follows no redirects.
	Transport func(context.Context, *upstream.Server) (http.RoundTripper, error)
	// Authorization returns the tokens for a server, and logs the person in where it can; nil
	// has none.
	Authorization func(context.Context, *upstream.Server) (auth.OAuthHandler, error)
	// Ask puts to the person what a server asks during a call. Nil asks nobody: servers learn
	// that they cannot ask, and a call that needs it fails.
	Ask     func(context.Context, *upstream.Server, *Question) (*Reply, error)
	Version string        // of helve
	Start   time.Duration // limits the time of a handshake, unless the server's record says another; 0 is startTime
}

// Question is a server's question to the person during a call.
type Question struct {
	Message string
	Schema  json.RawMessage // of the content that it wants, an object; nil for an address
	URL     string          // that it wants the person to open; "" if it wants content
}

// Reply is the person's answer. Members that the content of an accepted reply leaves out
// have the defaults of the schema.
type Reply struct {
	Action  string         // accept, decline or cancel
	Content map[string]any // with accept
}

// Offer is a server's description of itself.
type Offer struct {
	Name, Version, Instructions, Protocol string
	Tools                                 []upstream.Tool
	Resources                             bool         // it has some to read
	Warnings                              []fault.Text // about tools that are left out, and noise
}

// Answer is the result of a call of a tool.
type Answer struct {
	Content    []json.RawMessage // content blocks of the protocol
	Structured json.RawMessage   // nil if there is none
	IsError    bool
	Warnings   []fault.Text
}

// Progress receives how far a call has come; total is 0 if that is unknown.
type Progress func(done, total float64, message string)

// Pool holds connections to servers, each made at the first call and kept for further
// ones until it was idle for a while or the pool is closed. Its methods may be called from
// several goroutines.
type Pool struct {
	Options
	probe, idle time.Duration // see probeTime; a test has less of it

	life context.Context // ends when the pool is closed
	stop context.CancelFunc

	mu     sync.Mutex
	closed bool
	slots  map[string]*slot // by what makes a server that one
	links  sync.WaitGroup   // that have not ended yet
}

// New returns a pool without connections.
func New(o Options) *Pool {
	o.Start = cmp.Or(o.Start, startTime)
	p := &Pool{Options: o, probe: probeTime, idle: idleTime, slots: map[string]*slot{}}
	p.life, p.stop = context.WithCancel(context.Background())
	return p
}
