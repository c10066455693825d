package web

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
)

// Limits of a body.
const (
	// maxBody limits the bytes kept of a decompressed body, unless a request sets a lower
	// limit.
	maxBody = 10 << 20
	// wireSlack is added to that limit for the bytes sent: compression makes some data
	// larger.
	wireSlack = 1 << 20
	// maxCodings limits the layers of compression of a body.
	maxCodings = 2
	// bombRatio is the ratio to the bytes sent from which a body beyond maxBody counts as
	// a bomb. Markup shrinks to a twentieth at best.
	bombRatio = 100
	// maxMIME is the longest media type, in bytes (RFC 6838, section 4.2).
	maxMIME = 127 + 1 + 127
)

// body is a received body, decompressed.
type body struct {
	data      []byte
	wire      int64 // bytes as sent
	truncated bool
}

// receive reads and decompresses a body, at most so many bytes of it. host names
// the server in faults. With the fault of a body that ends early it returns what came.
func receive(r *http.Response, host string, most int64) (*body, error) {
	counted := &counter{r: r.Body, most: most + wireSlack}
	plain, err := decompress(counted, r.Header.Values("Content-Encoding"), host)
	if err != nil {
		if counted.err != nil { // the network failed, not the coding
			err = counted.err
		}
		return nil, err
	}
	var buffer bytes.Buffer
	if n := r.ContentLength; n > 0 && n <= most {
		buffer.Grow(int(n) + bytes.MinRead)
	}
	_, err = buffer.ReadFrom(io.LimitReader(plain, most+1))
	b := &body{data: buffer.Bytes(), wire: counted.n}
	if int64(len(b.data)) > most {
		if len(b.data) > maxBody && int64(len(b.data)) > bombRatio*b.wire {
			return nil, decompressionBomb(host, b.wire, most)
		}
		b.data, b.truncated = b.data[:most:most], true
		return b, nil
	}
	if errors.Is(counted.err, errEndless) {
		return nil, endlessBody(host, counted.most)
	}
	b.truncated = err != nil
	if err != nil && counted.err == nil { // the bytes are not in the coding that the header names
		return b, cannotDecompress(host, strings.Join(r.Header.Values("Content-Encoding"), ", ")).Because(err)
	}
	return b, err
}

// counter counts the bytes from the network, stops after most of them, and keeps
// the error that ended them.
type counter struct {
	r       io.Reader
	n, most int64
	err     error
}

var errEndless = errors.New("too many bytes")

func (c *counter) Read(p []byte) (int, error) {
	if c.n > c.most {
		c.err = errEndless
		return 0, c.err
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return n, err
}

// decompress undoes the codings of a body, the last one first.
func decompress(r io.Reader, encodings []string, host string) (plain io.Reader, err error) {
	var codings []string
	for coding := range strings.SplitSeq(strings.Join(encodings, ","), ",") {
		switch coding = strings.ToLower(strings.TrimSpace(coding)); coding {
		case "", "identity":
		case "none", "utf-8", "utf8", "binary", "8bit": // not codings, but badly configured servers name them
		default:
			codings = append(codings, coding)
		}
	}
	if len(codings) > maxCodings {
		return nil, cannotDecompress(host, strings.Join(codings, ", "))
	}
	for _, coding := range slices.Backward(codings) {
		peek := bufio.NewReader(r)
		if head, err := peek.Peek(1); len(head) == 0 && errors.Is(err, io.EOF) {
			return peek, nil // an empty body is called compressed, too
		}
		switch coding {
		case "gzip", "x-gzip":
			r, err = gunzip(peek)
		case "deflate":
			r, err = inflate(peek)
		case "br":
			r = brotli.NewReader(peek)
		default:
			return nil, cannotDecompress(host, coding)
		}
		if err != nil {
			return nil, cannotDecompress(host, coding).Because(err)
		}
	}
	return r, nil
}

// members reads the members of a gzip stream one after the other. It ignores what
// follows them, as browsers do: some servers pad.
type members struct {
	in  *bufio.Reader
	now *gzip.Reader
}

func gunzip(r *bufio.Reader) (io.Reader, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &members{r, z}, nil
}

func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.now.Read(p)
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		if n > 0 {
			return n, nil // the next call sees the end of this member again
		}
		head, err := m.in.Peek(2)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if !bytes.Equal(head, []byte{0x1f, 0x8b}) {
			return 0, io.EOF
		}
		if err := m.now.Reset(m.in); err != nil {
			return 0, err
		}
		m.now.Multistream(false)
	}
}

// inflate reads deflate inside zlib, as the standard says, or bare, as some servers
// send it.
func inflate(r *bufio.Reader) (io.Reader, error) {
	head, err := r.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(r)
	}
	return flate.NewReader(r), nil
}

// readable reports whether the beginning of a file of this type is of use without
// the rest.
func readable(kind string) bool {
	return kind == "" || strings.HasPrefix(kind, "text/") || strings.Contains(kind, "html") || strings.Contains(kind, "xml") ||
		strings.Contains(kind, "json") || strings.Contains(kind, "javascript") || strings.Contains(kind, "yaml")
}

// mediaType reads a Content-Type leniently.
func mediaType(value string) (kind, charset string) {
	kind, params, err := mime.ParseMediaType(value)
	if err != nil && kind == "" {
		kind, _, _ = strings.Cut(value, ";")
	}
	charset = params["charset"]
	if charset == "" {
		lower := strings.ToLower(value)
		if _, after, found := strings.Cut(lower, "charset="); found {
			charset = strings.Trim(strings.TrimSpace(strings.SplitN(after, ";", 2)[0]), `"'`)
		}
	}
	if len(kind) > maxMIME {
		kind = ""
	}
	return strings.ToLower(strings.TrimSpace(kind)), strings.ToLower(strings.TrimSpace(charset))
}
