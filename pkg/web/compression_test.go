package web

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

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
					t.Errorf("%q is asked for", asked) // the client may not understand it
				}
			}
			w.Header().Set("Content-Encoding", coding)
			_, _ = w.Write(body)
		})
		r := get(t, client(t, nil), Request{URL: At(s.URL)})
		if !bytes.Equal(r.Body, text) || r.Truncated || r.Wire != int64(len(body)) || r.Size != int64(len(text)) {
			t.Errorf("%q: %d bytes of %d", coding, len(r.Body), r.Wire)
		}
		if r := get(t, client(t, nil), Request{URL: At(s.URL), MaxBytes: 1000}); !bytes.Equal(r.Body, text[:1000]) || !r.Truncated {
			t.Errorf("%q: %d bytes", coding, len(r.Body))
		}
	}
	// An empty body may be called compressed.
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Encoding", "gzip") })
	if r := get(t, client(t, nil), Request{URL: At(s.URL)}); len(r.Body) != 0 {
		t.Errorf("%q", r.Body)
	}
}

// both compresses with first, and the result with second.
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
