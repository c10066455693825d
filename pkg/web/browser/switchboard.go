package browser

import (
	"net"
	"sync"
)

// switchboard passes the connections of the browser to the gateway of the page that is
// shown. Without one they are closed.
type switchboard struct {
	listener net.Listener
	mu       sync.Mutex
	now      *line
}

// line is the listener of one page's gateway.
type line struct {
	board *switchboard
	conns chan net.Conn
	ended chan struct{}
	once  sync.Once
}

func newSwitchboard(l net.Listener) *switchboard {
	s := &switchboard{listener: l}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			now := s.now
			s.mu.Unlock()
			if now == nil {
				_ = c.Close()
				continue
			}
			select {
			case now.conns <- c:
			case <-now.ended:
				_ = c.Close()
			}
		}
	}()
	return s
}

// connect makes a line for the page that is shown next.
func (s *switchboard) connect() *line {
	l := &line{board: s, conns: make(chan net.Conn), ended: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = l
	return l
}

func (s *switchboard) close() { _ = s.listener.Close() }

// Accept returns the next connection of the page.
func (l *line) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.ended:
		return nil, net.ErrClosed
	}
}

// Close ends the line.
func (l *line) Close() error {
	l.once.Do(func() {
		close(l.ended)
		l.board.mu.Lock()
		defer l.board.mu.Unlock()
		if l.board.now == l {
			l.board.now = nil
		}
	})
	return nil
}

// Addr returns the address of the browser's proxy.
func (l *line) Addr() net.Addr { return l.board.listener.Addr() }
