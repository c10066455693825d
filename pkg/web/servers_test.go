package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	neturl "net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/helve-dev/helve/pkg/fault"
)

// speak starts a server that calls say with each connection after the request.
func speak(t testing.TB, say func(c net.Conn, request string)) (url string, connections *atomic.Int32) {
	t.Helper()
	connections = new(atomic.Int32)
	l := listen(t, open)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			go func() {
				defer func() { _ = c.Close() }()
				r := bufio.NewReader(c)
				var request strings.Builder
				for {
					line, err := r.ReadString('\n')
					if err != nil {
						return
					}
					if request.WriteString(line); line == "\r\n" {
						break
					}
				}
				say(c, request.String())
			}()
		}
	}()
	return "http://" + l.Addr().String(), connections
}

// forever writes p until the connection ends.
func forever(w io.Writer, p []byte) {
	for {
		if _, err := w.Write(p); err != nil {
			return
		}
	}
}

// drip writes a byte every 10 ms until the connection ends.
func drip(w io.Writer, b func(i int) byte) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for i := 0; ; i++ {
		if _, err := w.Write([]byte{b(i)}); err != nil {
			return
		}
		<-tick.C
	}
}

// abuses are malicious servers, with the code of the fault for each.
var abuses = []struct {
	name    string
	say     func(net.Conn, string)
	want    fault.Code
	timeout time.Duration // of the request; 0 if the fault must come without one
}{
	{"endless header", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n")
		forever(c, []byte("X-Filler: "+strings.Repeat("x", 1000)+"\r\n"))
	}, fault.TooLarge, 0},
	{"endless header line", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nX-Filler: ")
		forever(c, bytes.Repeat([]byte("x"), 4096))
	}, fault.TooLarge, 0},
	{"endless status line", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 ")
		forever(c, bytes.Repeat([]byte("x"), 4096))
	}, fault.TooLarge, 0},
	{"endless interim responses", func(c net.Conn, _ string) {
		forever(c, []byte("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"))
	}, fault.TooLarge, 0},
	{"endless trailer", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5\r\nhello\r\n0\r\n")
		forever(c, []byte("X: "+strings.Repeat("x", 1000)+"\r\n"))
	}, fault.Unavailable, 0},
	{"endless chunk extension", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=")
		forever(c, bytes.Repeat([]byte("x"), 4096))
	}, fault.Unavailable, 0},
	{"nothing", func(c net.Conn, _ string) { _, _ = io.Copy(io.Discard, c) }, fault.Timeout, 200 * time.Millisecond},
	{"a byte at a time", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
		drip(c, func(int) byte { return 'x' })
	}, fault.Timeout, 300 * time.Millisecond},
	{"a header byte at a time", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nX: ")
		drip(c, func(int) byte { return 'x' })
	}, fault.Timeout, 300 * time.Millisecond},
	{"a compressed byte at a time", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
		z := gzipped(bytes.Repeat([]byte("lorem ipsum "), 1000))
		drip(c, func(i int) byte { return z[i%(len(z)/2)] })
	}, fault.Timeout, 300 * time.Millisecond},
	{"no HTTP", func(c net.Conn, _ string) { _, _ = io.WriteString(c, "220 mail.example.org ESMTP\r\n") }, fault.Unavailable, 0},
	{"no status", func(c net.Conn, _ string) { _, _ = io.WriteString(c, "HTTP/1.1 abc\r\n\r\n") }, fault.Unavailable, 0},
	{"hanging up", func(net.Conn, string) {}, fault.Unavailable, 0},
	{"hanging up in the header", func(c net.Conn, _ string) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-") }, fault.Unavailable, 0},
	{"a body that is too short", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort")
	}, fault.Unavailable, 0},
	{"two lengths", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!")
	}, fault.Unavailable, 0},
	{"a negative length", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello")
	}, fault.Unavailable, 0},
	{"broken chunks", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n")
	}, fault.Unavailable, 0},
	{"a chunk of 16 exabytes", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nhello")
	}, fault.Unavailable, 0},
	{"chunks without end", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
	}, fault.Unavailable, 0},
	{"an unknown compression", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: lzw\r\nContent-Length: 5\r\n\r\nhello")
	}, fault.UnsupportedContent, 0},
	{"compressed over and over", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip\r\nContent-Length: 5\r\n\r\nhello")
	}, fault.UnsupportedContent, 0},
	{"gzip that is none", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 20\r\n\r\nthis is not any gzip")
	}, fault.UnsupportedContent, 0},
	{"br that is none", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 20\r\n\r\n\xff\xff\xff not any brotli...")
	}, fault.UnsupportedContent, 0},
	{"zstd, which was not asked for", func(c net.Conn, _ string) { // a frame that holds "hello"
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 14\r\n\r\n\x28\xb5\x2f\xfd\x20\x05\x29\x00\x00hello")
	}, fault.UnsupportedContent, 0},
	{"zstd below gzip", func(c net.Conn, _ string) {
		z := gzipped([]byte("\x28\xb5\x2f\xfd\x20\x05\x29\x00\x00hello"))
		_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Encoding: zstd, gzip\r\nContent-Length: %d\r\n\r\n%s", len(z), z)
	}, fault.UnsupportedContent, 0},
	{"gzip cut short", func(c net.Conn, _ string) {
		z := gzipped(bytes.Repeat([]byte("lorem ipsum "), 1000))
		_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(z)/2, z[:len(z)/2])
	}, fault.UnsupportedContent, 0},
	{"a gzip bomb of 10 GB", func(c net.Conn, _ string) { bomb(c, "gzip", 10<<30) }, fault.TooLarge, 0},
	{"a br bomb", func(c net.Conn, _ string) { bomb(c, "br", 1<<30) }, fault.TooLarge, 0},
	{"a bomb in a bomb", func(c net.Conn, _ string) { bomb(c, "gzip, gzip", 16<<20) }, fault.TooLarge, 0},
	{"gzip of nothing for ever", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
		forever(c, bytes.Repeat(gzipped(nil), 1000))
	}, fault.TooLarge, 0},
	{"a redirect to nowhere", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 302 Found\r\nLocation: http://[::\r\nContent-Length: 0\r\n\r\n")
	}, fault.Unavailable, 0},
}

// Values from headers that a result shows are short.
func TestLongHeaders(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/"+strings.Repeat("x", 100_000))
		if r.URL.Path == "/on" {
			http.Redirect(w, r, "/?"+strings.Repeat("x", 100_000), http.StatusFound)
		}
	})
	if r := get(t, client(t, nil), Request{URL: At(s.URL)}); r.MIME != "" {
		t.Errorf("a type of %d bytes", len(r.MIME))
	}
	if e := refusal(t, client(t, nil), Request{URL: At(s.URL + "/on")}, fault.Unavailable); len(e.Error()) > 200 {
		t.Errorf("%d bytes: %.200s", len(e.Error()), e)
	}
}

func gzipped(p []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(p)
	_ = z.Close()
	return b.Bytes()
}

// bomb sends so many zeros, compressed, until the connection ends.
func bomb(c net.Conn, coding string, bytes int64) {
	_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: %s\r\n\r\n", coding)
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(c)
	case "gzip, gzip":
		w = &both{gzip.NewWriter(nil), gzip.NewWriter(c), nil}
	case "br":
		w = brotli.NewWriterLevel(c, 5)
	}
	zeros := make([]byte, 1<<20)
	for ; bytes > 0; bytes -= int64(len(zeros)) {
		if _, err := w.Write(zeros); err != nil {
			return
		}
	}
	_ = w.Close()
}

func TestAbuse(t *testing.T) {
	for _, tt := range abuses {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			url, _ := speak(t, tt.say)
			refused(t, client(t, nil), Request{URL: At(url), Timeout: tt.timeout}, tt.want)
		})
	}
}

// An endless body is cut at the limit.
func TestEndlessBody(t *testing.T) {
	for name, header := range map[string]string{
		"until it is closed": "Content-Type: text/html\r\n",
		"with a length":      "Content-Type: text/plain\r\nContent-Length: 99999999999\r\n",
	} {
		url, _ := speak(t, func(c net.Conn, _ string) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n"+header+"\r\n")
			forever(c, bytes.Repeat([]byte("word "), 10000))
		})
		r := get(t, client(t, nil), Request{URL: At(url)})
		if len(r.Body) != 10<<20 || !r.Truncated {
			t.Errorf("%s: %d bytes, %t", name, len(r.Body), r.Truncated)
		}
		if r := get(t, client(t, nil), Request{URL: At(url), MaxBytes: 1000}); len(r.Body) != 1000 || !r.Truncated || cap(r.Body) > 1000 {
			t.Errorf("%s: %d bytes, %t", name, len(r.Body), r.Truncated)
		}
	}
	// Only the beginning of a video is fetched, to tell its type.
	url, _ := speak(t, func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 99999999999\r\n\r\n")
		forever(c, bytes.Repeat([]byte("film "), 1000))
	})
	if r := get(t, client(t, nil), Request{URL: At(url)}); len(r.Body) != 4096 || !r.Truncated || r.Size != 99999999999 {
		t.Errorf("%d bytes, %t, %d", len(r.Body), r.Truncated, r.Size)
	}
}

// The body of a redirect is ignored, even if it is broken.
func TestBodiesOfRedirects(t *testing.T) {
	end := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("there")) })
	for name, rest := range map[string]string{
		"endless": "Content-Length: 99999999999\r\n\r\n", "broken": "Content-Encoding: gzip\r\nContent-Length: 9\r\n\r\n", "chunked": "Transfer-Encoding: chunked\r\n\r\n",
	} {
		url, connections := speak(t, func(c net.Conn, _ string) {
			_, _ = io.WriteString(c, "HTTP/1.1 302 Found\r\nLocation: "+end.URL+"\r\n"+rest)
			forever(c, bytes.Repeat([]byte("x"), 1000))
		})
		if r := get(t, client(t, nil), Request{URL: At(url)}); string(r.Body) != "there" || connections.Load() != 1 {
			t.Errorf("%s: %q after %d connections", name, r.Body, connections.Load())
		}
	}
}

// Without a network, the fault says so.
func TestNoNetwork(t *testing.T) {
	l := listen(t, open)
	url := "http://" + l.Addr().String()
	_ = l.Close()
	if e := refusal(t, client(t, nil), Request{URL: At(url)}, fault.Unavailable); !strings.Contains(e.Error(), "refuses connections") {
		t.Error(e)
	}
	for says, dial := range map[string]func(context.Context, string, string) (net.Conn, error){
		"could not be looked up": func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: fmt.Errorf("network is unreachable")}
		},
		"the host nowhere.example.org was not found": nil,
	} {
		resolver := &net.Resolver{PreferGo: true, Dial: dial}
		if dial == nil {
			resolver = names(t, func(string) []string { return nil })
		}
		e := refusal(t, New(Options{Resolver: resolver, Wait: func(context.Context, time.Duration) error { return nil }}), Request{URL: At("http://nowhere.example.org/")}, fault.Unavailable)
		if !strings.Contains(e.Error(), says) || !e.Code.Retryable() {
			t.Error(e)
		}
	}
}

// The timeout includes looking up names, and the fault tells a silent network from a
// slow host.
func TestSilence(t *testing.T) {
	silent, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", silent.LocalAddr().String())
	}}
	c := client(t, func(o *Options) { o.Resolver = resolver })
	if e := refusal(t, c, Request{URL: At("http://somewhere.example.org/"), Timeout: 100 * time.Millisecond}, fault.Timeout); !strings.Contains(e.Error(), "could not be looked up") {
		t.Error(e)
	}
	// A server that connects and stays silent has been reached.
	url, _ := speak(t, func(c net.Conn, _ string) { _, _ = io.Copy(io.Discard, c) })
	if e := refusal(t, c, Request{URL: At(url), Timeout: 100 * time.Millisecond}, fault.Timeout); !strings.Contains(e.Error(), "the whole response") {
		t.Error(e)
	}
	if e := refusal(t, c, Request{URL: At(strings.Replace(url, "http:", "https:", 1)), Timeout: 100 * time.Millisecond}, fault.Timeout); !strings.Contains(e.Error(), "took too long") {
		t.Error(e)
	}
	// Behind a proxy the phase is not known.
	at, err := Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	c = client(t, func(o *Options) { o.Proxy = func(*neturl.URL) (*neturl.URL, error) { return at.URL(), nil } })
	if e := refusal(t, c, Request{URL: At("https://93.184.216.34/"), Timeout: 100 * time.Millisecond}, fault.Timeout); !strings.Contains(e.Error(), "the whole response") {
		t.Error(e)
	}
}

// A canceled request ends at once.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	url, _ := speak(t, func(c net.Conn, _ string) {
		cancel()
		_, _ = io.Copy(io.Discard, c)
	})
	_, err := client(t, nil).Get(ctx, Request{URL: At(url)})
	if fault.As(err).Code != fault.Canceled {
		t.Error(err)
	}
}
