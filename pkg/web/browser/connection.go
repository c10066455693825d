package browser

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// maxOutbox limits the bytes that wait for a browser that reads nothing.
const maxOutbox = 4 << 20

var errGone = errors.New("the browser has ended")

// message is a message of the protocol in either direction: a call, its answer, or an
// event. See https://chromedevtools.github.io/devtools-protocol.
type message struct {
	ID      int64           `json:"id,omitzero"`
	Session string          `json:"sessionId,omitzero"`
	Method  string          `json:"method,omitzero"`
	Params  json.RawMessage `json:"params,omitzero"`
	Result  json.RawMessage `json:"result,omitzero"`
	Error   *protocolError  `json:"error,omitzero"`
}

// protocolError is the browser's answer to a call that it refuses.
type protocolError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *protocolError) Error() string { return e.Message }

// connection makes calls of the protocol. The browser's messages come to received; what is
// for the browser is read from it.
type connection struct {
	in splitter // only the goroutine that calls received

	mu      sync.Mutex
	outbox  []byte
	written chan struct{} // holds a token when the outbox is not empty
	last    int64
	waiting map[int64]chan message
	listen  map[string]func(message) // by session; "" is the browser itself
	err     error                    // why it ended
	gone    chan struct{}            // closed then
}

func newConnection() *connection {
	return &connection{
		in: splitter{most: maxMessage}, written: make(chan struct{}, 1), waiting: map[int64]chan message{},
		listen: map[string]func(message){}, gone: make(chan struct{}),
	}
}

// call makes a call and decodes its result into result, unless that is nil.
func (c *connection) call(ctx context.Context, session, method string, params, result any) error {
	answer, id, err := c.post(session, method, params)
	if err != nil {
		return err
	}
	defer func() {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}()
	select {
	case m := <-answer:
		switch {
		case m.Error != nil:
			return m.Error
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-c.gone:
		return c.why()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// tell makes a call whose result does not matter.
func (c *connection) tell(session, method string, params any) {
	_, id, err := c.post(session, method, params)
	if err == nil {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}
}

func (c *connection) post(session, method string, params any) (answer chan message, id int64, err error) {
	m := message{Session: session, Method: method}
	if params != nil {
		if m.Params, err = json.Marshal(params); err != nil {
			return nil, 0, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, 0, c.err
	}
	c.last++
	m.ID = c.last
	data, err := json.Marshal(m)
	if err != nil {
		return nil, 0, err
	}
	if len(c.outbox)+len(data) > maxOutbox {
		c.fail(errGone)
		return nil, 0, c.err
	}
	c.outbox = append(append(c.outbox, data...), 0)
	select {
	case c.written <- struct{}{}:
	default:
	}
	answer = make(chan message, 1)
	c.waiting[m.ID] = answer
	return answer, m.ID, nil
}

// on has a func called with each event of a session, in their order; nil is none. It must
// not wait for the browser.
func (c *connection) on(session string, event func(message)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if event == nil {
		delete(c.listen, session)
		return
	}
	c.listen[session] = event
}

// received takes a piece of what the browser says.
func (c *connection) received(piece []byte) {
	if c.why() != nil {
		return
	}
	if err := c.in.add(piece, c.take); err != nil {
		c.end(err)
	}
}

func (c *connection) take(data []byte) {
	var m message
	if json.Unmarshal(data, &m) != nil {
		return // what is no message answers nothing
	}
	c.mu.Lock()
	answer, event := c.waiting[m.ID], c.listen[m.Session]
	if m.ID != 0 {
		delete(c.waiting, m.ID)
	}
	c.mu.Unlock()
	switch {
	case m.ID != 0 && answer != nil:
		answer <- m // it holds one, and is sent one
	case m.ID == 0 && event != nil:
		event(m)
	}
}

// Read returns what is for the browser. It ends with the connection.
func (c *connection) Read(p []byte) (int, error) {
	for {
		c.mu.Lock()
		if n := copy(p, c.outbox); n > 0 {
			c.outbox = c.outbox[n:]
			c.mu.Unlock()
			return n, nil
		}
		c.outbox = nil
		c.mu.Unlock()
		select {
		case <-c.written:
		case <-c.gone:
			return 0, io.EOF
		}
	}
}

// end ends the connection. The first reason counts.
func (c *connection) end(why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fail(why)
}

// fail is end with the lock held.
func (c *connection) fail(why error) {
	if c.err == nil {
		c.err = why
		close(c.gone)
	}
}

// why returns why the connection has ended; nil if it has not.
func (c *connection) why() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}
