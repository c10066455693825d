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
	// maxRetries is how often a failed exchange is tried again.
	maxRetries = 2
	// firstBackoff is the wait before the first retry; it doubles with each one.
	firstBackoff = 500 * time.Millisecond
	// maxRetryAfter is the longest wait that a server may ask for.
	maxRetryAfter = 10 * time.Second
)

// insist asks a server, and again when that may help: it was too busy, or the
// connection broke. All requests here ask for something and change nothing, so
// that asking twice is harmless.
func (x *exchange) insist(ctx context.Context, header http.Header) (*Response, netip.Addr, error) {
	for try := 0; ; try++ {
		r, peer, err := x.ask(ctx, header)
		if try == maxRetries || !worthwhile(r, err) {
			return r, peer, err
		}
		pause := backoff(try)
		if r != nil {
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
		if x.client.opt.Wait(ctx, pause) != nil {
			return r, peer, err // whatever there is says more than that time is up
		}
	}
}

// backoff is the wait before a further try: it doubles, and is spread so that
// many who failed at once do not come back at once.
func backoff(try int) time.Duration {
	d := firstBackoff << try
	return d/2 + rand.N(d)
}

// worthwhile reports whether the same request may fare better a little later.
func worthwhile(r *Response, err error) bool {
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
