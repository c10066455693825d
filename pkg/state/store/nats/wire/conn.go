package wire

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Conn is a connection to a server. Its methods may be called from several goroutines.
// One goroutine of its own reads until the connection ends.
type Conn struct {
	Info Info

	nc    net.Conn
	r     *bufio.Reader
	inbox string // what comes below it are answers; ends with a dot

	writing sync.Mutex // held while bytes are written

	mu      sync.Mutex // guards what follows
	number  uint64     // of the last answer that was asked for, or subscription
	answers map[string]*Answer
	bells   map[uint64]*Bell
	pongs   []chan<- struct{} // who waits for a PONG, in their order
	said    string            // the server's last error that is about the whole connection
	refused error             // why there are no answers: the server refused the inbox
	err     error             // why the connection ended
	done    chan struct{}     // closed when it has ended
}

// Publication is a message to publish. What it has must not contain line ends, except
// the data.
type Publication struct {
	Subject string
	Fields  []Field
	Data    []byte
}

// LostError says that a connection has ended. What was asked before may have been
// carried out.
type LostError struct{ Cause error }

func (e *LostError) Error() string { return "the connection was lost: " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Cause }

// PermissionError says that the server lets this user not use a subject.
type PermissionError struct{ Text string }

func (e *PermissionError) Error() string { return e.Text }

const (
	inboxID      = 1 // of the subscription to the inbox
	writeTimeout = 30 * time.Second
)

var errClosed = errors.New("closed")

func newConn(nc net.Conn, r *bufio.Reader, info Info) *Conn {
	return &Conn{Info: info, nc: nc, r: r, inbox: "_INBOX." + rand.Text() + ".", number: inboxID,
		answers: map[string]*Answer{}, bells: map[uint64]*Bell{}, done: make(chan struct{})}
}

func (c *Conn) start() {
	go c.read()
	// If this fails, so does all that follows.
	_ = c.write(fmt.Appendf(nil, "SUB %s* %d\r\n", c.inbox, inboxID))
}

// Close ends the connection.
func (c *Conn) Close() { c.end(errClosed) }

// Done is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Ask publishes messages, in one go, whose answers go to one place.
func (c *Conn) Ask(all ...Publication) (*Answer, error) {
	a := &Answer{conn: c, ring: make(chan struct{}, 1)}
	for i := range all {
		a.subjects = append(a.subjects, all[i].Subject)
	}
	c.mu.Lock()
	if c.err != nil {
		defer c.mu.Unlock()
		return nil, &LostError{c.err}
	}
	c.number++
	a.token = strconv.FormatUint(c.number, 36)
	a.err = c.refused // which the server may have said before anybody asked
	c.answers[a.token] = a
	c.mu.Unlock()

	var b []byte
	for i := range all {
		b = appendPublish(b, all[i].Subject, c.inbox+a.token, all[i].Fields, all[i].Data)
	}
	if err := c.write(b); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// Listen subscribes to a subject.
func (c *Conn) Listen(subject string) (*Bell, error) {
	b := &Bell{C: make(chan struct{}, 1), subject: subject}
	c.mu.Lock()
	if c.err != nil {
		defer c.mu.Unlock()
		return nil, &LostError{c.err}
	}
	c.number++
	b.id = c.number
	c.bells[b.id] = b
	c.mu.Unlock()
	return b, c.write(fmt.Appendf(nil, "SUB %s %d\r\n", subject, b.id))
}

// Silence ends a subscription.
func (c *Conn) Silence(b *Bell) {
	c.mu.Lock()
	delete(c.bells, b.id)
	c.mu.Unlock()
	_ = c.write(fmt.Appendf(nil, "UNSUB %d\r\n", b.id)) // with the connection, the subscription is gone too
}

// Ping returns when the server has answered: it has then seen all that was sent.
func (c *Conn) Ping(ctx context.Context) error {
	pong := make(chan struct{})
	c.writing.Lock() // the order of those who wait is that of the bytes
	c.mu.Lock()
	c.pongs = append(c.pongs, pong)
	c.mu.Unlock()
	err := c.writeLocked([]byte("PING\r\n"))
	c.writing.Unlock()
	if err != nil {
		return err
	}
	select {
	case <-pong:
		return nil
	case <-c.done:
		return c.lost()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Conn) lost() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &LostError{c.err}
}

func (c *Conn) write(b []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.writeLocked(b)
}

// writeLocked writes while c.writing is held. After an error, part of b may be written,
// and the connection has ended.
func (c *Conn) writeLocked(b []byte) error {
	err := c.nc.SetWriteDeadline(time.Now().Add(writeTimeout))
	if err == nil {
		_, err = c.nc.Write(b)
	}
	if err != nil {
		c.end(err)
		return c.lost()
	}
	return nil
}

// end ends the connection, once.
func (c *Conn) end(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	if c.said != "" {
		cause = fmt.Errorf("%w (the server said: %s)", cause, c.said)
	}
	c.err = cause
	close(c.done)
	_ = c.nc.Close() // nothing is left to lose
}

// read handles what the server sends until the connection ends.
func (c *Conn) read() {
	for {
		op, err := readOperation(c.r)
		if err != nil {
			c.end(err)
			return
		}
		switch op.verb {
		case verbPing:
			// Not from here: who reads must not wait until the server reads.
			go func() { _ = c.write([]byte("PONG\r\n")) }() // its error has ended the connection
		case verbPong:
			c.mu.Lock()
			if len(c.pongs) > 0 {
				close(c.pongs[0])
				c.pongs = c.pongs[1:]
			}
			c.mu.Unlock()
		case verbMsg:
			c.deliver(op)
		case verbErr:
			c.complain(op.text)
		}
	}
}

// deliver hands a message to whoever waits for it.
func (c *Conn) deliver(op operation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if op.sid != inboxID {
		if b := c.bells[op.sid]; b != nil {
			ring(b.C)
		}
		return
	}
	if a := c.answers[strings.TrimPrefix(op.msg.Subject, c.inbox)]; a != nil {
		a.queue = append(a.queue, op.msg)
		ring(a.ring)
	}
}

// complain hands an error of the server to those it is about.
func (c *Conn) complain(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !strings.HasPrefix(strings.ToLower(text), "permissions violation") {
		c.said = text
		return
	}
	_, subject, _ := strings.Cut(text, `"`)
	subject, _, _ = strings.Cut(subject, `"`)
	inbox := strings.HasPrefix(subject, c.inbox)
	if inbox {
		c.refused = &PermissionError{text}
	}
	for _, a := range c.answers {
		for _, s := range a.subjects {
			if s == subject || inbox {
				a.err = &PermissionError{text}
				ring(a.ring)
			}
		}
	}
	for _, b := range c.bells {
		if b.subject == subject {
			b.err = &PermissionError{text}
			ring(b.C)
		}
	}
}

// ring rings a bell with room for one value, which may be there already.
func ring(bell chan<- struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}
