package sink_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/bus/sink"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

const secretKey = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

func keys(t *testing.T, text string) []sink.Key {
	t.Helper()
	all, err := sink.Keys(text, "a test")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// hook returns a webhook to a server of this machine that handles requests with h.
func hook(t *testing.T, h http.HandlerFunc) *sink.Webhook {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections) // before Close, which would wait for those that hang
	return &sink.Webhook{
		Client: web.New(web.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}), URL: server.URL + "/in?x=1",
		Keys: keys(t, secretKey), Timeout: time.Minute, Now: func() time.Time { return time.Unix(1767366245, 0) },
	}
}

func TestWebhook(t *testing.T) {
	type request struct {
		Method, URL, Type, ID, Time, Signature, Body string
	}
	var got []request
	s := hook(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		h := r.Header
		got = append(got, request{r.Method, r.URL.String(), h.Get("Content-Type"), h.Get("webhook-id"), h.Get("webhook-timestamp"), h.Get("webhook-signature"), string(body)})
		w.WriteHeader(http.StatusAccepted)
	})
	m := message(id1, "hello")
	for m.Deliveries = range 3 {
		if err := s.Deliver(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	want := request{http.MethodPost, "/in?x=1", "application/json", id1, "1767366245", "v1,skr7X/fw4Ur6cgcEOvTC/Pyrb8OS9M4PHBKY3kCnggk=", strings.TrimSuffix(line(id1, "hello"), "\n")}
	if len(got) != 3 {
		t.Fatalf("%d requests", len(got))
	}
	for _, r := range got { // they are the same at every try
		if r != want {
			t.Errorf("%+v\nwant\n%+v", r, want)
		}
	}
}

// TestWebhookStatus has a server answer with each kind of status.
func TestWebhookStatus(t *testing.T) {
	for _, c := range []struct {
		status     int
		retryAfter string
		outcome    sink.Outcome
		after      time.Duration
	}{
		{status: 301, outcome: sink.Never},
		{status: 302},
		{status: 307},
		{status: 308, outcome: sink.Never},
		{status: 400, outcome: sink.Never},
		{status: 401, outcome: sink.Never},
		{status: 404, outcome: sink.Never, retryAfter: "5"},
		{status: 408},
		{status: 410, outcome: sink.Never},
		{status: 425},
		{status: 429, retryAfter: "30", after: 30 * time.Second},
		{status: 429, retryAfter: "soon"},
		{status: 499, outcome: sink.Never},
		{status: 500},
		{status: 501},
		{status: 503, retryAfter: "120", after: 2 * time.Minute},
		{status: 503, retryAfter: "Mon, 05 Jan 1970 00:00:00 GMT"}, // long ago
		{status: 599},
	} {
		var asked atomic.Int32
		s := hook(t, func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			w.Header().Set("Location", "http://10.0.0.1/secret")
			if c.retryAfter != "" {
				w.Header().Set("Retry-After", c.retryAfter)
			}
			w.WriteHeader(c.status)
		})
		_, after := failed(t, s.Deliver(t.Context(), message(id1, "x")), c.outcome, fault.HTTPStatus)
		if after != c.after {
			t.Errorf("%d, Retry-After %q: asked to wait %v, want %v", c.status, c.retryAfter, after, c.after)
		}
		if n := asked.Load(); n != 1 {
			t.Errorf("%d: the server was asked %d times", c.status, n)
		}
	}
}

// TestWebhookAbuse has servers that hang, break the connection, or answer without end.
func TestWebhookAbuse(t *testing.T) {
	hijack := func(say func(c net.Conn)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			go say(c) // for the server, the request is over
		}
	}
	forever := func(c net.Conn, begin, more string) {
		defer func() { _ = c.Close() }()
		_, err := io.WriteString(c, begin)
		for err == nil {
			_, err = io.WriteString(c, more)
		}
	}
	over := make(chan struct{})
	defer close(over)
	for _, c := range []struct {
		name string
		say  http.HandlerFunc
		code fault.Code // "" is delivered
	}{
		{"hangs", hijack(func(c net.Conn) {
			<-over
			_ = c.Close()
		}), fault.Timeout},
		{"resets", hijack(func(c net.Conn) {
			_ = c.(*net.TCPConn).SetLinger(0)
			_ = c.Close()
		}), fault.Unavailable},
		{"closes", hijack(func(c net.Conn) { _ = c.Close() }), fault.Unavailable},
		{"no HTTP", hijack(func(c net.Conn) { forever(c, "SSH-2.0-x\r\n", "x") }), fault.Unavailable},
		{"endless header", hijack(func(c net.Conn) { forever(c, "HTTP/1.1 200 OK\r\n", "x: "+strings.Repeat("y", 4096)+"\r\n") }), fault.TooLarge},
		{"endless body of a success", hijack(func(c net.Conn) { forever(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "4\r\nxxxx\r\n") }), ""},
		{"broken gzip of a success", hijack(func(c net.Conn) {
			forever(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n", "4\r\nxxxx\r\n")
		}), ""},
		{"body that hangs", hijack(func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
			<-over
			_ = c.Close()
		}), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := hook(t, c.say)
			if c.code == fault.Timeout {
				s.Timeout = 50 * time.Millisecond
			}
			err := s.Deliver(t.Context(), message(id1, "x"))
			if c.code == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if says, _ := failed(t, err, sink.Again, c.code); strings.Contains(says, "x=1") {
				t.Errorf("the fault shows the address: %s", says)
			}
		})
	}
}

// TestWebhookPrivate does not reach a private address that the settings do not allow.
func TestWebhookPrivate(t *testing.T) {
	var asked atomic.Int32
	s := hook(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	s.Client = web.New(web.Options{})
	failed(t, s.Deliver(t.Context(), message(id1, "x")), sink.Again, fault.BlockedAddress)
	if asked.Load() > 0 {
		t.Error("it was asked")
	}
}
