package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// Each limit accepts its own number, and refuses or cuts one more.
func TestLimits(t *testing.T) {
	address := "https://example.org/" + strings.Repeat("x", 8192-len("https://example.org/"))
	if _, err := Parse(address); err != nil {
		t.Error(err)
	}
	if _, err := Parse(address + "x"); !fault.Is(err, fault.InvalidArguments) {
		t.Error(err)
	}

	mime := strings.Repeat("a", 127) + "/" + strings.Repeat("b", 127)
	if got, _ := mediaType(mime); got != mime {
		t.Errorf("%q", got)
	}
	if got, _ := mediaType(mime + "b"); got != "" {
		t.Errorf("%q", got)
	}

	meta := `<meta charset="koi8-r">`
	body := func(n int) []byte { return []byte(strings.Repeat(" ", n-len(meta)) + meta + "\xf4\xc5") }
	if got := Decode(body(8192), "", true); got.Charset != "koi8-r" || got.Source != "meta" {
		t.Errorf("%s by %s", got.Charset, got.Source)
	}
	if got := Decode(body(8192+len(meta)), "", true); got.Source == "meta" {
		t.Errorf("%s by %s", got.Charset, got.Source)
	}
}

func TestLimitOfHeaders(t *testing.T) {
	var size atomic.Int32
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Filler", strings.Repeat("x", int(size.Load())))
		_, _ = w.Write([]byte("body"))
	})
	c := client(t, nil)
	size.Store(250 << 10)
	get(t, c, Request{URL: At(s.URL)})
	size.Store(270 << 10)
	refused(t, c, Request{URL: At(s.URL)}, fault.TooLarge)
}

// A body may be large, and it may be compressed well, but not both.
func TestLimitOfBombs(t *testing.T) {
	var body atomic.Value
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(body.Load().([]byte))
	})
	c := client(t, nil)
	zip := func(noise int) []byte { // random bytes that do not shrink, then zeros
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		r := uint32(1)
		for range noise {
			r = r*1664525 + 1013904223
			_, _ = z.Write([]byte{byte(r >> 24)})
		}
		_, _ = z.Write(make([]byte, 11<<20))
		_ = z.Close()
		return b.Bytes()
	}
	body.Store(zip(120 << 10)) // 90 times
	if r := get(t, c, Request{URL: At(s.URL)}); !r.Truncated || len(r.Body) != 10<<20 {
		t.Errorf("%d bytes", len(r.Body))
	}
	body.Store(zip(80 << 10)) // 110 times
	refused(t, c, Request{URL: At(s.URL)}, fault.TooLarge)
}

// Some more bytes may be sent than are kept.
func TestLimitOfSentBytes(t *testing.T) {
	var empty atomic.Int32
	page := gzipped([]byte("a page"))
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(bytes.Repeat(gzipped(nil), int(empty.Load())))
		_, _ = w.Write(page)
	})
	c := client(t, nil)
	one := len(gzipped(nil))
	empty.Store(int32(900 << 10 / one))
	if r := get(t, c, Request{URL: At(s.URL), MaxBytes: 1000}); string(r.Body) != "a page" {
		t.Errorf("%q", r.Body)
	}
	empty.Store(int32(1100 << 10 / one))
	refused(t, c, Request{URL: At(s.URL), MaxBytes: 1000}, fault.TooLarge)
}

func TestRetriesAreBounded(t *testing.T) {
	var asked, after atomic.Int32
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Header().Set("Retry-After", strconv.Itoa(int(after.Load())))
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	c := client(t, nil)
	after.Store(10)
	get(t, c, Request{URL: At(s.URL)})
	if asked.Load() != 3 {
		t.Errorf("%d requests", asked.Load())
	}
	asked.Store(0)
	after.Store(11)
	get(t, c, Request{URL: At(s.URL)})
	if asked.Load() != 1 {
		t.Errorf("%d requests", asked.Load())
	}
	for try, least := range []time.Duration{250 * time.Millisecond, 500 * time.Millisecond} {
		for range 100 {
			if d := backoff(try); d < least || d >= 3*least {
				t.Errorf("retry %d waits %v", try, d)
			}
		}
	}
}
