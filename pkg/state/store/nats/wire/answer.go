package wire

import "context"

// Answer is where the answers to a question arrive. Whoever asked closes it.
type Answer struct {
	conn     *Conn
	token    string
	subjects []string
	ring     chan struct{}
	queue    []Message // under conn.mu, as is err
	err      error
}

// Next waits for the next message. The error is [LostError], [PermissionError] or
// the context's.
func (a *Answer) Next(ctx context.Context) (Message, error) {
	for {
		a.conn.mu.Lock()
		if len(a.queue) > 0 {
			m := a.queue[0]
			a.queue = a.queue[1:]
			a.conn.mu.Unlock()
			return m, nil
		}
		err, lost := a.err, a.conn.err
		a.conn.mu.Unlock()
		if err != nil {
			return Message{}, err
		}
		if lost != nil {
			return Message{}, &LostError{lost}
		}
		select {
		case <-a.ring:
		case <-a.conn.done:
		case <-ctx.Done():
			return Message{}, ctx.Err()
		}
	}
}

// Close drops what still arrives.
func (a *Answer) Close() {
	a.conn.mu.Lock()
	defer a.conn.mu.Unlock()
	delete(a.conn.answers, a.token)
}

// Bell is a subscription of which only that something came is of interest.
type Bell struct {
	C       chan struct{} // has room for one value
	id      uint64
	subject string
	err     error // under the mutex of the connection
}

// Err says why a bell will never ring: the server refused it.
func (c *Conn) Err(b *Bell) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return b.err
}
