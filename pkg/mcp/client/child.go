package client

import (
	"context"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/shell/run"
)

const (
	// closeGrace limits the time until a server ends after its input is closed. After it
	// the server is asked to end, and killed after run.Grace.
	closeGrace = time.Second
	// stderrTail limits the bytes kept of a server's standard error.
	stderrTail = 8 << 10
)

// child is a server in a process of ours, and the connection to it: one message per line
// on its standard input and output. Package run runs it, confines it, and ends it with
// everything that it started.
type child struct {
	name  string
	probe time.Duration
	most  time.Duration
	ended func(*run.Result)

	input    chan []byte          // lines for the server
	stop     chan struct{}        // closed when it is to get no more of them
	incoming chan jsonrpc.Message // from the server
	gone     chan struct{}        // closed when nobody reads them any more
	done     chan struct{}        // closed when the process has ended, with all that it started
	kill     context.CancelFunc
	stopOnce sync.Once
	goneOnce sync.Once

	taps taps
	out  lines // only the goroutine that streams the output

	mu     sync.Mutex
	stderr tail
	noise  int    // lines that were dropped
	sample []byte // the first of them
	asked  *question
	why    error // that the connection was given up
	result *run.Result
	err    error // of the run
}

// question is a server/discover that is not answered yet.
type question struct {
	id    jsonrpc.ID
	timer *time.Timer
	ping  jsonrpc.ID // asks whether the server runs; set once it was sent
}

// pingID is the id of the only request that is not the library's.
const pingID = "helve-runs"

// newChild returns a server to be started. It is asked whether it runs if it has not
// answered server/discover after probe, and is taken for one that does not know the
// question after at most.
func newChild(name string, probe, most time.Duration, ended func(*run.Result)) *child {
	return &child{
		name: name, probe: probe, most: most, ended: ended, input: make(chan []byte), stop: make(chan struct{}),
		incoming: make(chan jsonrpc.Message, 16), gone: make(chan struct{}), done: make(chan struct{}),
		out: lines{most: maxMessage}, stderr: tail{most: stderrTail},
	}
}

// run starts the command. It goes on until the connection is closed; ctx gives values only.
func (c *child) run(ctx context.Context, command run.Command) {
	ctx, c.kill = context.WithCancel(context.WithoutCancel(ctx))
	command.Stdin, command.Stream, command.Closed = &feed{c: c}, c.printed, c.closedOutput
	command.Split, command.Raw, command.Head, command.Tail = true, true, 1, 1
	command.Timeout, command.Idle, command.Spill = 0, 0, nil
	go func() {
		r, err := run.Run(ctx, command)
		c.kill()
		c.mu.Lock()
		c.result, c.err = r, err
		c.mu.Unlock()
		c.end()
		if c.ended != nil { // before done, so that waiting for the end includes this
			c.ended(r)
		}
		close(c.done)
	}()
}

// Connect returns the connection, for the library.
func (c *child) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID returns "": a pipe has no sessions.
func (c *child) SessionID() string { return "" }

// Read returns the next message of the server, and io.EOF once it has ended.
func (c *child) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.incoming:
		return m, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.gone:
		return nil, io.EOF
	case <-c.done:
	}
	select { // what it said before it ended
	case m := <-c.incoming:
		return m, nil
	default:
		return nil, io.EOF
	}
}

// Write sends a message to the server. One that reads nothing blocks it until ctx is done.
func (c *child) Write(ctx context.Context, m jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	c.taps.sent(ctx, m)
	c.watch(m)
	select {
	case c.input <- append(data, '\n'):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.stop:
		return io.ErrClosedPipe
	}
}

// Close ends the server and returns when nothing of it is left.
func (c *child) Close() error {
	c.end()
	c.goneOnce.Do(func() { close(c.gone) })
	<-c.done
	return nil
}

// end closes the server's input, and ends the server if that does not.
func (c *child) end() {
	c.stopOnce.Do(func() {
		close(c.stop)
		go func() {
			grace := time.NewTimer(closeGrace)
			defer grace.Stop()
			select {
			case <-c.done:
			case <-grace.C:
				c.kill()
			}
		}()
	})
}

// give ends the connection because of what the server did.
func (c *child) giveUp(why error) {
	c.mu.Lock()
	if c.why == nil {
		c.why = why
	}
	c.mu.Unlock()
	c.end()
	c.goneOnce.Do(func() { close(c.gone) })
}

// closedOutput ends a server that has closed its output: it can answer nothing any more.
// Most are about to end, and Read still returns what they said.
func (c *child) closedOutput(stderr bool) {
	if !stderr {
		c.end()
	}
}

// printed takes a piece of what the server prints.
func (c *child) printed(chunk run.Chunk) {
	if chunk.Stderr {
		c.mu.Lock()
		c.stderr.write(chunk.Data)
		c.mu.Unlock()
		return
	}
	select {
	case <-c.gone:
		return
	default:
	}
	if !c.out.add(chunk.Data, c.line) {
		c.giveUp(tooLong(c.name))
		c.kill()
	}
}

// line takes a line of the server's output. What is no message is dropped and counted.
func (c *child) line(line []byte) {
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		c.mu.Lock()
		if c.noise++; c.noise == 1 {
			c.sample = slices.Clone(line[:min(len(line), maxSample)])
		}
		c.mu.Unlock()
		return
	}
	c.taps.received(m)
	if r, ok := m.(*jsonrpc.Response); ok && c.answered(r.ID) {
		return
	}
	c.push(m)
}

func (c *child) push(m jsonrpc.Message) {
	select {
	case c.incoming <- m:
	case <-c.gone:
	case <-c.done: // a late answer to the question
	}
}

// watch answers server/discover for a server that does not: some drop what they do not
// know. The library then shakes hands as older servers do. A server that has not started
// yet is none of them: one that runs answers a ping, in the order of the requests.
func (c *child) watch(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Request)
	if !ok || r.Method != "server/discover" || !r.IsCall() {
		return
	}
	id := r.ID
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = &question{id: id, timer: time.AfterFunc(c.probe, c.ping)}
}

// ping asks a server that is silent whether it runs.
func (c *child) ping() {
	id, err := jsonrpc.MakeID(pingID)
	if err != nil {
		return
	}
	data, err := jsonrpc.EncodeMessage(&jsonrpc.Request{ID: id, Method: "ping"})
	c.mu.Lock()
	if c.asked == nil || err != nil {
		c.mu.Unlock()
		return
	}
	c.asked.ping = id
	c.asked.timer = time.AfterFunc(c.most-c.probe, c.unknown)
	c.mu.Unlock()
	select {
	case c.input <- append(data, '\n'):
	case <-c.stop:
	}
}

// unknown answers the question for a server that does not know it.
func (c *child) unknown() {
	c.mu.Lock()
	q := c.asked
	c.asked = nil
	c.mu.Unlock()
	if q != nil {
		q.timer.Stop()
		c.push(&jsonrpc.Response{ID: q.id, Error: &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no answer"}})
	}
}

// answered takes note of an answer; own says that it is one to the ping, and not the
// library's.
func (c *child) answered(id jsonrpc.ID) (own bool) {
	if id.Raw() == pingID {
		c.unknown()
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked != nil && c.asked.id == id {
		c.asked.timer.Stop()
		c.asked = nil
	}
	return false
}

// failure returns why the server cannot be used any more. It waits until it has ended,
// which takes closeGrace and run.Grace at most; it must be ending.
func (c *child) failure() error {
	<-c.done
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.why != nil:
		return c.why
	case c.result == nil:
		return c.err // it did not start
	case c.result.Ended == run.Canceled:
		return closedItself(c.name, c.said())
	}
	return exited(c.name, c.result, c.said())
}

// ending reports whether the process has ended or is about to.
func (c *child) ending() bool {
	select {
	case <-c.stop:
		return true
	default:
		return false
	}
}

// said returns the end of what the server printed to standard error, without secrets.
// c.mu is held.
func (c *child) said() string {
	return shown(secret.Mask(run.Text(c.stderr.kept, false)), stderrTail)
}

// complaint returns said.
func (c *child) complaint() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.said()
}

// warnings returns a warning about noise that no call was warned of yet.
func (c *child) warnings() []fault.Text {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.noise == 0 {
		return nil
	}
	w := noisy(c.name, c.noise, shown(string(c.sample), maxSample))
	c.noise, c.sample = 0, nil
	return []fault.Text{w}
}

// feed is the server's standard input. Lines come whole.
type feed struct {
	c    *child
	rest []byte
}

func (f *feed) Read(p []byte) (int, error) {
	if len(f.rest) == 0 {
		select {
		case f.rest = <-f.c.input:
		case <-f.c.stop:
			return 0, io.EOF
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}
