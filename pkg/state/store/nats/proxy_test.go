package nats

import (
	"bytes"
	"net"
	"sync"
	"testing"
)

// proxy stands between clients and a server, and cuts connections.
type proxy struct {
	address  string // where it listens
	upstream string

	mu    sync.Mutex
	plans []plan // for what is sent from now on, one after the other
	links map[net.Conn]bool
	held  []func() // send to the server what was kept from it
	down  bool     // refuse
	wait  sync.WaitGroup
}

// plan says where to cut.
type plan struct {
	toClient bool // count what the server sends, not what the client does
	after    int  // bytes
	hold     bool // keep what the client sends until its last message, and let it arrive late
}

func newProxy(t testing.TB, upstream string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{address: l.Addr().String(), upstream: upstream, links: map[net.Conn]bool{}}
	p.wait.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			p.wait.Go(func() { p.serve(client) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		p.cut()
		p.wait.Wait()
	})
	return p
}

// plan sets where the next connections are cut, beginning with the current one.
func (p *proxy) plan(plans ...plan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.plans = plans
}

// cut ends all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.links {
		_ = c.Close()
	}
}

// refuse says whether to take no connections.
func (p *proxy) refuse(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = down
}

// release sends to the server what was held.
func (p *proxy) release() int {
	p.mu.Lock()
	held := p.held
	p.held = nil
	p.mu.Unlock()
	for _, send := range held {
		send()
	}
	return len(held)
}

func (p *proxy) serve(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("tcp", p.upstream)
	p.mu.Lock()
	if err != nil || p.down {
		p.mu.Unlock()
		return
	}
	p.links[client], p.links[server] = true, true
	p.mu.Unlock()
	var both sync.WaitGroup
	kept := false                   // under p.mu
	answered := make(chan struct{}) // closed when the server has read what was kept
	forward := func(from, to net.Conn, toClient bool) {
		defer func() {
			_ = client.Close()
			p.mu.Lock()
			defer p.mu.Unlock()
			if !kept {
				_ = server.Close()
			}
		}()
		buffer := make([]byte, 64<<10)
		var late []byte
		for {
			n, err := from.Read(buffer)
			data := buffer[:n]
			p.mu.Lock()
			if kept {
				p.mu.Unlock()
				late = append(late, data...)
				if err != nil || bytes.Contains(late, []byte("PONG\r\n")) {
					close(answered)
					return
				}
				continue
			}
			if len(p.plans) > 0 && p.plans[0].toClient == toClient {
				now := &p.plans[0]
				if n >= now.after && n > 0 {
					hold := now.hold
					_, _ = to.Write(data[:now.after])
					rest := bytes.Clone(data[now.after:])
					p.plans = p.plans[1:]
					if hold {
						kept = true
						p.mu.Unlock()
						p.hold(from, to, rest, answered)
						return
					}
					p.mu.Unlock()
					return
				}
				now.after -= n
			}
			p.mu.Unlock()
			if n > 0 {
				if _, err := to.Write(data); err != nil {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}
	both.Go(func() { forward(server, client, true) })
	forward(client, server, false)
	both.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.links, client)
	if !kept {
		delete(p.links, server)
	}
}

// hold takes the rest of a transaction from the client, whose connection then ends.
func (p *proxy) hold(client, server net.Conn, rest []byte, answered <-chan struct{}) {
	buffer := make([]byte, 64<<10)
	for !bytes.HasSuffix(rest, []byte("\r\n"+committed+"\r\n")) {
		n, err := client.Read(buffer)
		rest = append(rest, buffer[:n]...)
		if err != nil {
			break
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = append(p.held, func() {
		_, _ = server.Write(append(rest, "PING\r\n"...))
		<-answered
		_ = server.Close()
	})
}
