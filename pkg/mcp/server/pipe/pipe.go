// Package pipe connects a server of the Model Context Protocol with a client by two
// streams: a message of JSON-RPC a line. It answers what is no message and goes on with
// the next line, and when the client has said all that it will say, every request that
// came before is still answered. It knows nothing of what the messages mean, but how
// requests are cancelled.
//
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
package pipe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/pkg/schema"
)

// maxLine is the most, in bytes, that a message may take.
const maxLine = schema.MaxBytes

// Number is the header in which each call has the number of its arrival, as if it
// had come by HTTP.
const Number = "Helve-Number"

// ordered is the method of the requests whose order counts. Others, such as one that
// listens to changes, may stay open as long as the client.
const ordered = "tools/call"

// Order numbers the calls of a client in the order in which they come: they are handled
// beside each other.
type Order interface {
	// Arrived returns the number of a request that came after all that have one.
	Arrived() (number string)
	// Answered says that a request is answered.
	Answered(number string)
}

// Pipe is a client at the end of two streams. It is a transport for one connection.
type Pipe struct {
	Order Order // nil for requests without numbers; not to be changed once connected

	in  io.Reader
	out io.Writer
	id  string
	log *slog.Logger

	lines   chan line
	writes  chan write
	over    chan struct{} // closed when nothing more is read or written
	close   sync.Once
	changed chan struct{}     // has something when what Read waits for may have come
	queue   []jsonrpc.Message // read, for the next calls of Read; only Read uses it
	ended   bool              // so that no further line comes; only Read sets it

	mu      sync.Mutex
	open    map[jsonrpc.ID]*request // the client's requests that are not answered yet
	asked   map[jsonrpc.ID]bool     // the server's
	failure error                   // why the client could not be read
}

// request is a request of the client.
type request struct {
	method    string
	number    string // of its arrival
	cancelled bool   // the client does not wait for an answer
	batch     *batch // that it came with; nil for none
}

// batch gathers the answers to the requests of one line.
type batch struct {
	left    int // requests without an answer
	answers []json.RawMessage
}

// write is a line that is to be written.
type write struct {
	text []byte
	done chan error
}

var (
	_ mcp.Transport  = (*Pipe)(nil)
	_ mcp.Connection = (*Pipe)(nil)
)

// New returns a transport that reads requests from in and writes responses to out.
// Neither is closed, so that a blocked call of theirs holds up nobody at the end. id is
// the session's, and may be empty.
func New(in io.Reader, out io.Writer, id string, log *slog.Logger) *Pipe {
	return &Pipe{
		in: in, out: out, id: id, log: log,
		lines: make(chan line), writes: make(chan write), over: make(chan struct{}), changed: make(chan struct{}, 1),
		open: map[jsonrpc.ID]*request{}, asked: map[jsonrpc.ID]bool{},
	}
}

// Connect begins to read and write.
func (p *Pipe) Connect(context.Context) (mcp.Connection, error) {
	go func() {
		err := lines(p.in, maxLine, func(l line) bool {
			select {
			case p.lines <- l:
				return true
			case <-p.over:
				return false
			}
		})
		p.mu.Lock()
		p.failure = err
		p.mu.Unlock()
		close(p.lines)
	}()
	go func() {
		for {
			select {
			case w := <-p.writes:
				_, err := p.out.Write(w.text)
				w.done <- err
			case <-p.over:
				return
			}
		}
	}()
	return p, nil
}

// SessionID returns the id of the session; the client does not know it.
func (p *Pipe) SessionID() string { return p.id }

// Close ends the connection: what is not answered yet is cancelled.
func (p *Pipe) Close() error {
	p.close.Do(func() { close(p.over) })
	return nil
}

// Read returns the next message. When there is none any more, it waits until every
// request is answered. An error cancels those that are not.
func (p *Pipe) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if len(p.queue) > 0 {
			next := p.queue[0]
			p.queue = p.queue[1:]
			return next, nil
		}
		if p.ended {
			if done := p.settle(); done {
				return nil, io.EOF
			}
			if len(p.queue) > 0 {
				continue
			}
		}
		incoming := p.lines
		if p.ended {
			incoming = nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-p.over:
			return nil, io.EOF
		case l, ok := <-incoming:
			if !ok {
				p.end()
				continue
			}
			if err := p.take(l); err != nil {
				return nil, err
			}
		case <-p.changed:
		}
	}
}

// end notes that the client says nothing more: what would wait for it does not.
func (p *Pipe) end() {
	p.ended = true
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != nil {
		p.log.Warn("the client cannot be read any more", "err", p.failure)
	}
	for id, r := range p.open {
		if r.method == "subscriptions/listen" { // it has no end but the client's
			if params, err := json.Marshal(map[string]any{"requestId": id.Raw()}); err == nil {
				r.cancelled = true
				p.queue = append(p.queue, &jsonrpc.Request{Method: "notifications/cancelled", Params: params})
			}
		}
	}
}

// settle has the server's requests fail that nobody can answer any more, and reports
// whether all of the client's are answered.
func (p *Pipe) settle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.asked {
		delete(p.asked, id)
		p.queue = append(p.queue, &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the client has closed its end"}})
	}
	return len(p.open) == 0 && len(p.queue) == 0
}

// take takes a line: messages to the queue, and answers to what is none.
func (p *Pipe) take(l line) error {
	all, together := decode(l)
	var of *batch
	if together {
		of = &batch{}
	}
	var refused []*refusal
	p.mu.Lock()
	for _, m := range all {
		switch r := m.refused; {
		case r != nil:
			refused = append(refused, r)
		case m.Message != nil:
			if r := p.admit(m.Message, of); r != nil {
				refused = append(refused, r)
			}
		}
	}
	p.mu.Unlock()
	for _, r := range refused {
		text, err := schema.Marshal(r)
		if err != nil {
			return err
		}
		p.log.Warn("refused what is no message", "why", r.Error.Message)
		if of == nil {
			return p.write(text)
		}
		p.mu.Lock()
		of.answers = append(of.answers, text)
		p.mu.Unlock()
	}
	if of == nil {
		return nil
	}
	return p.complete(of)
}

// admit puts a message into the queue, unless it is not to be handled. p.mu is held.
func (p *Pipe) admit(m jsonrpc.Message, of *batch) *refusal {
	switch m := m.(type) {
	case *jsonrpc.Response:
		if !p.asked[m.ID] {
			p.log.Warn("an answer to nothing that was asked", "id", m.ID.Raw())
			return nil
		}
		delete(p.asked, m.ID)
	case *jsonrpc.Request:
		if m.Method == "notifications/cancelled" && !m.IsCall() && !p.cancel(m) {
			return nil
		}
		if !m.IsCall() {
			break
		}
		if p.open[m.ID] != nil { // its answer would be taken for the other's
			return refuse(nil, jsonrpc.CodeInvalidRequest, "id: a request with the id %v is not answered yet", m.ID.Raw())
		}
		r := &request{method: m.Method, batch: of}
		if p.open[m.ID] = r; of != nil {
			of.left++
		}
		if p.Order != nil && m.Method == ordered {
			r.number = p.Order.Arrived()
			m.Extra = &mcp.RequestExtra{Header: http.Header{Number: {r.number}}}
		}
	}
	p.queue = append(p.queue, m)
	return nil
}

// cancel notes that the client does not wait for an answer, and reports whether there is
// something to cancel. p.mu is held.
func (p *Pipe) cancel(m *jsonrpc.Request) bool {
	var params struct {
		ID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(m.Params, &params) != nil {
		return false
	}
	id, ok := idOf(params.ID)
	if !ok {
		return false
	}
	r := p.open[id]
	if r == nil || r.method == "initialize" { // which cannot be cancelled
		return false
	}
	r.cancelled = true
	return true
}

// Write writes a message. After an error nothing more is written.
func (p *Pipe) Write(_ context.Context, m jsonrpc.Message) error {
	answer, ok := m.(*jsonrpc.Response)
	if !ok {
		if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
			p.ask(r.ID)
		}
		text, err := jsonrpc.EncodeMessage(m)
		if err != nil {
			return err
		}
		return p.write(text)
	}
	text, err := encode(answer)
	if err != nil {
		return err
	}
	p.mu.Lock()
	r := p.open[answer.ID]
	delete(p.open, answer.ID)
	wanted := r != nil && !r.cancelled
	if r != nil && r.number != "" {
		p.Order.Answered(r.number)
	}
	if r != nil && r.batch != nil {
		if r.batch.left--; wanted {
			r.batch.answers = append(r.batch.answers, text)
		}
	}
	p.mu.Unlock()
	defer p.wake()
	switch {
	case r != nil && r.batch != nil:
		return p.complete(r.batch)
	case wanted:
		return p.write(text)
	}
	return nil
}

// encode returns an answer as it is written. An error always has a code of JSON-RPC, and
// does not repeat all that the client sent.
func encode(answer *jsonrpc.Response) ([]byte, error) {
	if answer.Error != nil {
		e := jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest}
		if given := (*jsonrpc.Error)(nil); errors.As(answer.Error, &given) && given.Code != 0 {
			e = *given
		}
		const most = 1000
		if e.Message = answer.Error.Error(); len(e.Message) > most {
			e.Message = strings.ToValidUTF8(e.Message[:most], "") + "…"
		}
		failed := *answer
		failed.Error = &e
		answer = &failed
	}
	return jsonrpc.EncodeMessage(answer)
}

// ask notes a request to the client.
func (p *Pipe) ask(id jsonrpc.ID) {
	p.mu.Lock()
	p.asked[id] = true
	p.mu.Unlock()
	p.wake()
}

// complete writes the answers of a batch if there are all.
func (p *Pipe) complete(b *batch) error {
	p.mu.Lock()
	answers := b.answers
	if b.left > 0 {
		answers = nil
	} else {
		b.answers = nil
	}
	p.mu.Unlock()
	if len(answers) == 0 {
		return nil
	}
	text, err := schema.Marshal(answers)
	if err != nil {
		return err
	}
	return p.write(text)
}

// wake has Read look again.
func (p *Pipe) wake() {
	select {
	case p.changed <- struct{}{}:
	default: // it will anyway
	}
}

// write writes one line.
func (p *Pipe) write(text []byte) error {
	w := write{append(text, '\n'), make(chan error, 1)}
	select {
	case p.writes <- w:
	case <-p.over:
		return io.ErrClosedPipe
	}
	select {
	case err := <-w.done:
		if err != nil {
			_ = p.Close() // it cannot fail
			return fmt.Errorf("writing to the client: %w", err)
		}
		return nil
	case <-p.over:
		return io.ErrClosedPipe
	}
}
