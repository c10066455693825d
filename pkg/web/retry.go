package web

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// maxRetries limits the retries of a failed exchange.
	maxRetries = 2
	// firstBackoff is the wait before the first retry; it doubles with each one.
	firstBackoff = 500 * time.Millisecond
	// maxRetryAfter is the longest wait that a server may ask for.
	maxRetryAfter = 10 * time.Second
)

// askAndRetry asks a server, and asks again if it was too busy or the connection
// broke. No request of this client changes anything, but for those that are sent once,
// so a retry is harmless. Of a body that ends early every time, it returns the longest
// beginning with the last error.
func (x *exchange) askAndRetry(ctx context.Context, header http.Header) (*Response, netip.Addr, error) {
	var most *Response // of the bodies that ended early
	for try := 0; ; try++ {
		r, peer, err := x.ask(ctx, header)
		if err != nil {
			if r != nil && (most == nil || len(r.Body) > len(most.Body)) {
				most = r
			}
			r = most
		}
		if try == maxRetries || x.request.Once || x.request.NoRetry || !mayRetry(r, err) {
			return r, peer, err
		}
		pause := backoff(try)
		if err == nil {
			if asked, ok := retryAfter(r.Header, r.Date); ok {
				if asked > maxRetryAfter {
					return r, peer, nil
				}
				pause = asked + rand.N(pause)
			}
		}
		if end, ok := ctx.Deadline(); ok && time.Until(end) <= pause {
			return r, peer, err
		}
		x.tell(Progress{Pause: pause})
		if x.client.opt.Wait(ctx, pause) != nil {
			return r, peer, err // says more than that time is up
		}
	}
}

// backoff returns the wait before a retry. It doubles with each, and is random so
// that clients that failed together do not return together.
func backoff(try int) time.Duration {
	d := firstBackoff << try
	return d/2 + rand.N(d)
}

// mayRetry reports whether the same request may succeed a little later.
func mayRetry(r *Response, err error) bool {
	if err == nil {
		switch r.Status {
		case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return true
		}
		return false
	}
	if _, ours := errors.AsType[*fault.Error](err); ours {
		return false
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.IsTemporary && !dns.IsTimeout
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
