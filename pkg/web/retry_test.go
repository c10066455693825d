package web

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestRetries(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		header string // Retry-After
		fails  int    // requests that fail before one succeeds
		want   int    // the status in the end
		asked  int32
		waits  [][2]time.Duration // at least, less than
	}{
		"busy once":       {503, "", 1, 200, 2, [][2]time.Duration{{250 * time.Millisecond, 750 * time.Millisecond}}},
		"busy twice":      {502, "", 2, 200, 3, [][2]time.Duration{{250 * time.Millisecond, 750 * time.Millisecond}, {500 * time.Millisecond, 1500 * time.Millisecond}}},
		"busy for long":   {504, "", 9, 504, 3, [][2]time.Duration{{250 * time.Millisecond, 750 * time.Millisecond}, {500 * time.Millisecond, 1500 * time.Millisecond}}},
		"asks for time":   {429, "3", 1, 200, 2, [][2]time.Duration{{3 * time.Second, 3750 * time.Millisecond}}},
		"for too much":    {429, "3600", 1, 429, 1, nil},
		"until a date":    {503, "Fri, 02 Jan 2099 15:04:05 GMT", 1, 503, 1, nil},
		"until the past":  {503, "Fri, 02 Jan 2009 15:04:05 GMT", 1, 200, 2, [][2]time.Duration{{0, 750 * time.Millisecond}}},
		"by nonsense":     {503, "soon", 1, 200, 2, [][2]time.Duration{{250 * time.Millisecond, 750 * time.Millisecond}}},
		"below zero":      {503, "-5", 1, 200, 2, [][2]time.Duration{{0, 750 * time.Millisecond}}},
		"simply broken":   {500, "", 1, 500, 1, nil},
		"simply missing":  {404, "", 1, 404, 1, nil},
		"simply no entry": {403, "1", 1, 403, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if int(asked.Add(1)) <= tt.fails {
					if tt.header != "" {
						w.Header().Set("Retry-After", tt.header)
					}
					w.WriteHeader(tt.status)
				}
			})
			var waits []time.Duration
			c := client(t, func(o *Options) {
				o.Wait = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
			})
			r := get(t, c, Request{URL: At(s.URL)})
			if r.Status != tt.want || asked.Load() != tt.asked || len(waits) != len(tt.waits) {
				t.Fatalf("HTTP %d after %d requests and %v", r.Status, asked.Load(), waits)
			}
			for i, w := range tt.waits {
				if waits[i] < w[0] || waits[i] >= w[1] {
					t.Errorf("wait %d is %v", i, waits[i])
				}
			}
		})
	}
}

// Broken connections are retried; lasting failures are not, and no wait begins that
// is longer than the time left.
func TestRetriesOfConnections(t *testing.T) {
	url, connections := speak(t, func(net.Conn, string) {})
	refused(t, client(t, nil), Request{URL: At(url)}, fault.Unavailable)
	if n := connections.Load(); n < 1+2 {
		t.Errorf("%d connections", n)
	}
	url, connections = speak(t, func(c net.Conn, _ string) { _, _ = io.WriteString(c, "nonsense\r\n\r\n") })
	refused(t, client(t, nil), Request{URL: At(url)}, fault.Unavailable)
	if n := connections.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
	var first atomic.Bool
	url, _ = speak(t, func(c net.Conn, _ string) {
		if first.CompareAndSwap(false, true) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
			return
		}
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole")
	})
	if r := get(t, client(t, nil), Request{URL: At(url)}); string(r.Body) != "whole" {
		t.Errorf("%q", r.Body)
	}
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "9")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	c := client(t, func(o *Options) {
		o.Wait = func(context.Context, time.Duration) error { t.Error("it waits"); return nil }
	})
	r := get(t, c, Request{URL: At(s.URL), Timeout: 5 * time.Second})
	e := fault.As(r.Err())
	if e.Code != fault.RateLimited || e.Details.(Failure).RetryAfter != 9 || !e.Code.Retryable() {
		t.Errorf("%v, %+v", e, e.Details)
	}
}

// TestOnce sends a request that changes something once, whatever the server says, and
// does not read what it says.
func TestOnce(t *testing.T) {
	asked := 0
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte("body"))
	})
	r := get(t, client(t, nil), Request{URL: At(s.URL), Body: []byte("x"), ContentType: "text/plain", Once: true})
	after, ok := r.RetryAfter()
	if asked != 1 || r.Status != http.StatusServiceUnavailable || len(r.Body) > 0 || !ok || after != 7*time.Second {
		t.Errorf("asked %d times, HTTP %d with %q, to wait %v", asked, r.Status, r.Body, after)
	}
}

// A request whose caller retries is sent once, and its response is read.
func TestNoRetry(t *testing.T) {
	asked := 0
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte("busy"))
	})
	r := get(t, client(t, nil), Request{URL: At(s.URL), Body: []byte("x"), ContentType: "text/plain", NoRetry: true})
	if asked != 1 || r.Status != http.StatusServiceUnavailable || string(r.Body) != "busy" {
		t.Errorf("asked %d times, HTTP %d with %q", asked, r.Status, r.Body)
	}
}

func FuzzRetryAfter(f *testing.F) {
	now := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	for _, s := range []string{"", "0", "120", "-5", "+5", "1e9", "99999999999999999999999", "-99999999999999999999999", "soon", "Fri, 02 Jan 2026 15:05:05 GMT", "Friday, 02-Jan-26 15:05:05 GMT", "Fri Jan  2 15:05:05 2026", "Mon, 01 Jan 0001 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		after, ok := retryAfter(http.Header{"Retry-After": {value}}, now)
		if after < 0 || after > longestAsked || !ok && after != 0 {
			t.Errorf("%q: %v %v", value, after, ok)
		}
	})
}
