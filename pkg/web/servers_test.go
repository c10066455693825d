package web

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	neturl "net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/limit"
)

// speak starts a server that says whatever it likes to each connection, once
// the request has come.
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

// forever writes p until nobody listens any more.
func forever(w io.Writer, p []byte) {
	for {
		if _, err := w.Write(p); err != nil {
			return
		}
	}
}

// drip writes a byte every 10 ms, until nobody listens any more.
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

// abuses are servers of ill will, with the code that each leads to.
var abuses = []struct {
	name    string
	say     func(net.Conn, string)
	want    fault.Code
	timeout time.Duration // of the request; 0 is the default, which must not be used up
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
	{"zstd that is none", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 20\r\n\r\nthis is not any zstd")
	}, fault.UnsupportedContent, 0},
	{"zstd with a huge window", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 14\r\n\r\n\x28\xb5\x2f\xfd\x00\xa8\x00\x00\x00\x00\x00\x00\x00\x00")
	}, fault.UnsupportedContent, 0},
	{"gzip cut short", func(c net.Conn, _ string) {
		z := gzipped(bytes.Repeat([]byte("lorem ipsum "), 1000))
		_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(z)/2, z[:len(z)/2])
	}, fault.UnsupportedContent, 0},
	{"a gzip bomb of 10 GB", func(c net.Conn, _ string) { bomb(c, "gzip", 10<<30) }, fault.TooLarge, 0},
	{"a br bomb", func(c net.Conn, _ string) { bomb(c, "br", 1<<30) }, fault.TooLarge, 0},
	{"a zstd bomb", func(c net.Conn, _ string) { bomb(c, "zstd", 1<<30) }, fault.TooLarge, 0},
	{"a bomb in a bomb", func(c net.Conn, _ string) { bomb(c, "gzip, gzip", 16<<20) }, fault.TooLarge, 0},
	{"gzip of nothing for ever", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
		forever(c, bytes.Repeat(gzipped(nil), 1000))
	}, fault.TooLarge, 0},
	{"a redirect to nowhere", func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 302 Found\r\nLocation: http://[::\r\nContent-Length: 0\r\n\r\n")
	}, fault.Unavailable, 0},
}

// What a server says of itself and its pages is shown, and so must be short.
func TestLongHeaders(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/"+strings.Repeat("x", 100_000))
		if r.URL.Path == "/on" {
			http.Redirect(w, r, "/?"+strings.Repeat("x", 100_000), http.StatusFound)
		}
	})
	if r := get(t, client(t, nil), Request{URL: s.URL}); r.MIME != "" {
		t.Errorf("a type of %d bytes", len(r.MIME))
	}
	if e := refusal(t, client(t, nil), Request{URL: s.URL + "/on"}, fault.Unavailable); len(e.Error()) > 200 {
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

// bomb sends so many zeros, well packed, as long as anybody listens.
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
	case "zstd":
		w, _ = zstd.NewWriter(c, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
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
			refused(t, client(t, nil), Request{URL: url, Timeout: tt.timeout}, tt.want)
		})
	}
}

// A body without end is cut where it is enough.
func TestEndlessBody(t *testing.T) {
	for name, header := range map[string]string{
		"until it is closed": "Content-Type: text/html\r\n",
		"with a length":      "Content-Type: text/plain\r\nContent-Length: 99999999999\r\n",
	} {
		url, _ := speak(t, func(c net.Conn, _ string) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n"+header+"\r\n")
			forever(c, bytes.Repeat([]byte("word "), 10000))
		})
		r := get(t, client(t, nil), Request{URL: url})
		if len(r.Body) != limit.WebBody || !r.Truncated {
			t.Errorf("%s: %d bytes, %t", name, len(r.Body), r.Truncated)
		}
		if r := get(t, client(t, nil), Request{URL: url, MaxBytes: 1000}); len(r.Body) != 1000 || !r.Truncated || cap(r.Body) > 1000 {
			t.Errorf("%s: %d bytes, %t", name, len(r.Body), r.Truncated)
		}
	}
	// Of a film only so much is fetched that one can tell that it is one.
	url, _ := speak(t, func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 99999999999\r\n\r\n")
		forever(c, bytes.Repeat([]byte("film "), 1000))
	})
	if r := get(t, client(t, nil), Request{URL: url}); len(r.Body) != sniffed || !r.Truncated || r.Size != 99999999999 {
		t.Errorf("%d bytes, %t, %d", len(r.Body), r.Truncated, r.Size)
	}
}

// The body of a redirect is left alone, whatever is wrong with it.
func TestBodiesOfRedirects(t *testing.T) {
	end := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("there")) })
	for name, rest := range map[string]string{
		"endless": "Content-Length: 99999999999\r\n\r\n", "broken": "Content-Encoding: gzip\r\nContent-Length: 9\r\n\r\n", "chunked": "Transfer-Encoding: chunked\r\n\r\n",
	} {
		url, connections := speak(t, func(c net.Conn, _ string) {
			_, _ = io.WriteString(c, "HTTP/1.1 302 Found\r\nLocation: "+end.URL+"\r\n"+rest)
			forever(c, bytes.Repeat([]byte("x"), 1000))
		})
		if r := get(t, client(t, nil), Request{URL: url}); string(r.Body) != "there" || connections.Load() != 1 {
			t.Errorf("%s: %q after %d connections", name, r.Body, connections.Load())
		}
	}
}

func TestCompression(t *testing.T) {
	text := bytes.Repeat([]byte("some words of a page that is longer than a buffer\n"), 5000)
	pack := func(packer func(io.Writer) io.WriteCloser) []byte {
		var b bytes.Buffer
		w := packer(&b)
		_, _ = w.Write(text)
		_ = w.Close()
		return b.Bytes()
	}
	bodies := map[string][]byte{
		"gzip":         gzipped(text),
		"X-GZIP":       gzipped(text),
		"deflate":      pack(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }),
		" deflate ":    pack(func(w io.Writer) io.WriteCloser { z, _ := flate.NewWriter(w, 6); return z }),
		"br":           pack(func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }),
		"zstd":         pack(func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z }),
		"gzip, br":     pack(func(w io.Writer) io.WriteCloser { return &both{gzip.NewWriter(nil), brotli.NewWriter(w), nil} }),
		"gzip ":        slices.Concat(gzipped(text[:1000]), gzipped(nil), gzipped(text[1000:])),
		" gzip":        append(gzipped(text), make([]byte, 512)...), // padded
		"GZIP":         append(gzipped(text), "\r\n"...),
		"utf-8":        text,
		"identity":     text,
		"":             text,
		"gzip,,br,":    pack(func(w io.Writer) io.WriteCloser { return &both{gzip.NewWriter(nil), brotli.NewWriter(w), nil} }),
		"identity,br ": pack(func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }),
	}
	for coding, body := range bodies {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			for asked := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ", ") {
				if len(bodies[asked]) == 0 {
					t.Errorf("%q is asked for", asked) // and may not be understood
				}
			}
			w.Header().Set("Content-Encoding", coding)
			_, _ = w.Write(body)
		})
		r := get(t, client(t, nil), Request{URL: s.URL})
		if !bytes.Equal(r.Body, text) || r.Truncated || r.Wire != int64(len(body)) || r.Size != int64(len(text)) {
			t.Errorf("%q: %d bytes of %d", coding, len(r.Body), r.Wire)
		}
		if r := get(t, client(t, nil), Request{URL: s.URL, MaxBytes: 1000}); !bytes.Equal(r.Body, text[:1000]) || !r.Truncated {
			t.Errorf("%q: %d bytes", coding, len(r.Body))
		}
	}
	// Nothing at all is called compressed all the same.
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Encoding", "gzip") })
	if r := get(t, client(t, nil), Request{URL: s.URL}); len(r.Body) != 0 {
		t.Errorf("%q", r.Body)
	}
}

// both packs with the first what then is packed with the second.
type both struct {
	first  *gzip.Writer
	second io.WriteCloser
	ready  *struct{}
}

func (b *both) Write(p []byte) (int, error) {
	if b.ready == nil {
		b.first.Reset(b.second)
		b.ready = &struct{}{}
	}
	return b.first.Write(p)
}

func (b *both) Close() error {
	_ = b.first.Close()
	return b.second.Close()
}

func TestCertificates(t *testing.T) {
	now := time.Now()
	root := authority(t, "helve test", now.Add(-time.Hour), now.Add(time.Hour))
	pool := x509.NewCertPool()
	pool.AddCert(root.Leaf)
	resolver := names(t, func(string) []string { return []string{open} })
	visit := func(cert tls.Certificate, host string, wants *x509.CertPool, versions ...uint16) error {
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("safe")) }))
		_ = s.Listener.Close()
		s.Listener = listen(t, open)
		s.Config.ErrorLog = quiet()
		s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
		if len(versions) > 0 {
			s.TLS.MinVersion, s.TLS.MaxVersion = versions[0], versions[0]
		}
		s.StartTLS()
		defer s.Close()
		_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
		c := client(t, func(o *Options) { o.Roots, o.Resolver = wants, resolver })
		r, err := c.Get(t.Context(), Request{URL: "https://" + host + ":" + port + "/"})
		if err == nil && string(r.Body) != "safe" {
			t.Errorf("%q", r.Body)
		}
		return err
	}
	good := root.sign(t, now.Add(-time.Hour), now.Add(time.Hour))
	if err := visit(good, "good.example.org", pool); err != nil {
		t.Errorf("a good one: %v", err)
	}
	stranger := authority(t, "somebody", now.Add(-time.Hour), now.Add(time.Hour))
	for name, tt := range map[string]struct {
		cert     tls.Certificate
		host     string
		versions []uint16
		says     string
	}{
		"expired":      {root.sign(t, now.Add(-2*time.Hour), now.Add(-time.Minute)), "good.example.org", nil, "not valid at this time"},
		"not yet":      {root.sign(t, now.Add(time.Hour), now.Add(2*time.Hour)), "good.example.org", nil, "not valid at this time"},
		"another host": {good, "other.example.org", nil, "another host"},
		"no name":      {good, open, nil, "another host"},
		"unknown":      {stranger.sign(t, now.Add(-time.Hour), now.Add(time.Hour)), "good.example.org", nil, "nobody who is trusted"},
		"self-signed":  {stranger.Certificate, "good.example.org", nil, "nobody who is trusted"},
		"old protocol": {good, "good.example.org", []uint16{tls.VersionTLS11}, ""},
	} {
		err := visit(tt.cert, tt.host, pool, tt.versions...)
		if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Plain HTTP where TLS is wanted.
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	e := refusal(t, client(t, nil), Request{URL: strings.Replace(s.URL, "http:", "https:", 1)}, fault.Unavailable)
	if !strings.Contains(e.Error(), "does not speak TLS") {
		t.Error(e)
	}
}

// signer is a certificate that signs others.
type signer struct {
	tls.Certificate
	key *ecdsa.PrivateKey
}

func authority(t *testing.T, name string, from, to time.Time) *signer {
	t.Helper()
	return certify(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, NotBefore: from, NotAfter: to, DNSNames: []string{"good.example.org"},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}, nil)
}

func (s *signer) sign(t *testing.T, from, to time.Time) tls.Certificate {
	t.Helper()
	return certify(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: "good"}, NotBefore: from, NotAfter: to, DNSNames: []string{"good.example.org"},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, s).Certificate
}

func certify(t *testing.T, template *x509.Certificate, by *signer) *signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber = big.NewInt(template.NotAfter.UnixNano())
	parent, signing := template, key
	if by != nil {
		parent, signing = by.Leaf, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signing)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &signer{tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, key}
}

// Where there is no network, that is what is said.
func TestNoNetwork(t *testing.T) {
	l := listen(t, open)
	url := "http://" + l.Addr().String()
	_ = l.Close()
	if e := refusal(t, client(t, nil), Request{URL: url}, fault.Unavailable); !strings.Contains(e.Error(), "refuses connections") {
		t.Error(e)
	}
	for says, dial := range map[string]func(context.Context, string, string) (net.Conn, error){
		"could not be looked up": func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: fmt.Errorf("network is unreachable")}
		},
		"there is no host nowhere.example.org": nil,
	} {
		resolver := &net.Resolver{PreferGo: true, Dial: dial}
		if dial == nil {
			resolver = names(t, func(string) []string { return nil })
		}
		e := refusal(t, New(Options{Resolver: resolver, Wait: func(context.Context, time.Duration) error { return nil }}), Request{URL: "http://nowhere.example.org/"}, fault.Unavailable)
		if !strings.Contains(e.Error(), says) || !e.Code.Retryable() {
			t.Error(e)
		}
	}
}

// The time limit is over everything, waiting for names included; and a network
// that says nothing at all is told from a host that is slow.
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
	if e := refusal(t, c, Request{URL: "http://somewhere.example.org/", Timeout: 100 * time.Millisecond}, fault.Timeout); !strings.Contains(e.Error(), "could not be looked up") {
		t.Error(e)
	}
	// One that connects and says nothing, be it of TLS, has been reached.
	url, _ := speak(t, func(c net.Conn, _ string) { _, _ = io.Copy(io.Discard, c) })
	if e := refusal(t, c, Request{URL: url, Timeout: 100 * time.Millisecond}, fault.Timeout); !strings.Contains(e.Error(), "in full") {
		t.Error(e)
	}
	if e := refusal(t, c, Request{URL: strings.Replace(url, "http:", "https:", 1), Timeout: 100 * time.Millisecond}, fault.Timeout); !strings.Contains(e.Error(), "no connection") {
		t.Error(e)
	}
	// Behind a proxy nobody here knows how far it has come.
	at, err := Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	c = client(t, func(o *Options) { o.Proxy = func(*neturl.URL) (*neturl.URL, error) { return at, nil } })
	if e := refusal(t, c, Request{URL: "https://93.184.216.34/", Timeout: 100 * time.Millisecond}, fault.Timeout); !strings.Contains(e.Error(), "in full") {
		t.Error(e)
	}
}

// A caller that goes away is told so, and nothing is waited for.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	url, _ := speak(t, func(c net.Conn, _ string) {
		cancel()
		_, _ = io.Copy(io.Discard, c)
	})
	_, err := client(t, nil).Get(ctx, Request{URL: url})
	if fault.As(err).Code != fault.Canceled {
		t.Error(err)
	}
}
