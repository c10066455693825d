package web

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// all joins the warnings of a response, in both languages.
func (r *Response) all() string {
	var b strings.Builder
	for _, w := range r.Warnings {
		b.WriteString(w.In(fault.English) + "; " + w.In(fault.Chinese) + "; ")
	}
	return b.String()
}

// A text that ends early is returned as far as it came, with what is missing.
func TestPartial(t *testing.T) {
	text := bytes.Repeat([]byte("lorem ipsum "), 1000)
	zipped := gzipped(text)
	damaged := append(bytes.Clone(zipped[:len(zipped)-8]), "\xff\xff\xff\xff\xff\xff\xff\xff"...) // the sum is wrong
	for _, tt := range []struct {
		name    string
		said    string
		want    string // the body, or its beginning
		warns   string
		size    int64
		timeout time.Duration
	}{
		{"a length that is not reached", "Content-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>short", "<p>short", "after 8 of 1000 bytes", 1000, 0},
		{"no type", "Content-Length: 1000\r\n\r\n<p>short", "<p>short", "after 8 of 1000 bytes", 1000, 0},
		{"an unknown type", "Content-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\n<p>short", "<p>short", "after 8 of 1000 bytes", 1000, 0},
		{"chunks without end", "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "hello", "closed the connection after 5 bytes", -1, 0},
		{"chunks that break", "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nnonsense\r\n", "hello", "after 5 bytes", -1, 0},
		{"gzip without its end", fmt.Sprintf("Content-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(zipped)-9, zipped[:len(zipped)-9]),
			"lorem ipsum ", "damaged after", -1, 0},
		{"gzip with a wrong sum", fmt.Sprintf("Content-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(damaged), damaged), string(text), "damaged after", -1, 0},
		{"gzip that is cut off", fmt.Sprintf("Content-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(zipped), zipped[:len(zipped)-9]),
			"lorem ipsum ", fmt.Sprintf("after %d of %d bytes", len(zipped)-9, len(zipped)), -1, 0},
		{"a status of failure", "", "gone", "after 4 of 99 bytes", 99, 0},
		{"silence in the middle", "Content-Type: text/plain\r\nContent-Length: 99\r\n\r\nhello", "hello", "only 5 of 99 bytes came within", 99, 3 * time.Second},
		{"silence without a length", "Content-Type: text/plain\r\n\r\nhello", "hello", "only 5 bytes came within", -1, 3 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			said := "HTTP/1.1 200 OK\r\n" + tt.said
			if tt.said == "" {
				said = "HTTP/1.1 410 Gone\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\ngone"
			}
			url, _ := speak(t, func(c net.Conn, _ string) {
				_, _ = io.WriteString(c, said)
				if tt.timeout > 0 {
					_, _ = io.Copy(io.Discard, c)
				}
			})
			r := get(t, client(t, nil), Request{URL: At(url), Timeout: tt.timeout, Partial: true})
			if !bytes.HasPrefix(r.Body, []byte(tt.want)) || !r.Truncated || !r.Broken || r.Size != tt.size || !strings.Contains(r.all(), tt.warns) || len(r.Warnings) != 1 {
				t.Errorf("%d bytes %.40q of %d, broken %t, %q", len(r.Body), r.Body, r.Size, r.Broken, r.all())
			}
			// Whoever does not ask for it gets a fault.
			if r, err := client(t, nil).Get(t.Context(), Request{URL: At(url), Timeout: tt.timeout / 10}); err == nil {
				t.Errorf("%q without asking", r.Body)
			}
		})
	}
}

// What is of no use in part stays a fault.
func TestNothingPartial(t *testing.T) {
	for name, c := range map[string]struct {
		said string
		want fault.Code
	}{
		"an image":            {"Content-Type: image/png\r\nContent-Length: 99\r\n\r\n\x89PNG\r\n", fault.Unavailable},
		"bytes of some kind":  {"Content-Type: application/octet-stream\r\nContent-Length: 99\r\n\r\nPK\x03\x04\x00\x00", fault.Unavailable},
		"nothing":             {"Content-Type: text/html\r\nContent-Length: 99\r\n\r\n", fault.Unavailable},
		"white space":         {"Content-Type: text/html\r\nContent-Length: 99\r\n\r\n \r\n\r\n", fault.Unavailable},
		"no gzip":             {"Content-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: 20\r\n\r\nthis is not any gzip", fault.UnsupportedContent},
		"an unknown encoding": {"Content-Type: text/html\r\nContent-Encoding: lzw\r\nContent-Length: 20\r\n\r\nthis is not any gzip", fault.UnsupportedContent},
	} {
		url, _ := speak(t, func(conn net.Conn, _ string) { _, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n"+c.said) })
		if r, err := client(t, nil).Get(t.Context(), Request{URL: At(url), Partial: true}); !fault.Is(err, c.want) {
			t.Errorf("%s: %v, %+v", name, err, r)
		}
	}
}

// A caller that has gone gets nothing.
func TestPartialCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	url, _ := speak(t, func(c net.Conn, _ string) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\nhello")
		cancel()
		_, _ = io.Copy(io.Discard, c)
	})
	if _, err := client(t, nil).Get(ctx, Request{URL: At(url), Partial: true}); fault.As(err).Code != fault.Canceled {
		t.Error(err)
	}
}

// Hostile servers are bounded as ever where the beginning of a body would do.
func TestPartialAbuse(t *testing.T) {
	for _, tt := range abuses {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			url, _ := speak(t, tt.say)
			r, err := client(t, nil).Get(t.Context(), Request{URL: At(url), Timeout: tt.timeout, Partial: true})
			switch {
			case err != nil && fault.As(err).Code != tt.want:
				t.Error(err)
			case err == nil && (!r.Broken || len(r.Body) == 0 || len(r.Body) > maxBody || len(r.Warnings) != 1 || tt.want == fault.TooLarge):
				t.Errorf("%d bytes, %q", len(r.Body), r.all())
			}
		})
	}
}

// Of several attempts, the one that came furthest is returned, and none is stored.
func TestPartialRetries(t *testing.T) {
	c, _, _ := caching(t)
	var asked int
	url, connections := speak(t, func(c net.Conn, _ string) {
		asked++
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nCache-Control: max-age=1000\r\nEtag: \"1\"\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n"+[]string{"one", "seven..", "four"}[(asked-1)%3])
	})
	for range 2 {
		r := get(t, c, Request{URL: At(url), Partial: true})
		if string(r.Body) != "seven.." || r.Cached || !strings.Contains(r.all(), "after 7 of 10 bytes") {
			t.Errorf("%q, cached %t, %q", r.Body, r.Cached, r.all())
		}
	}
	if n := connections.Load(); n != 6 {
		t.Errorf("%d connections", n)
	}
}

// A part that was not asked for is called one, and not stored.
func TestPartOfPage(t *testing.T) {
	for given, c := range map[string]struct {
		size  int64
		warns string
	}{
		"bytes 0-4/1000":                   {1000, "HTTP 206, bytes 0-4/1000"},
		"bytes 5-9/10":                     {10, "HTTP 206, bytes 5-9/10"},
		"bytes 0-4/*":                      {-1, "HTTP 206, bytes 0-4/*"},
		"":                                 {-1, "HTTP 206, ?"},
		"lines 1-2/3":                      {-1, "HTTP 206, lines 1-2/3"},
		"bytes */-5":                       {-1, "HTTP 206"},
		"bytes 0-4/5":                      {5, ""},
		"bytes 0-4/9999999999999999999999": {-1, "HTTP 206"},
	} {
		client, _, _ := caching(t)
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") != "" {
				t.Error("a range is asked for")
			}
			w.Header().Set("Cache-Control", "max-age=1000")
			w.Header().Set("Content-Type", "text/plain")
			if given != "" {
				w.Header().Set("Content-Range", given)
			}
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write([]byte("hello"))
		})
		for range 2 {
			r := get(t, client, Request{URL: At(s.URL)})
			if string(r.Body) != "hello" || r.Cached || r.Broken != (c.warns != "") || r.Truncated != r.Broken || r.Size != c.size || !strings.Contains(r.all(), c.warns) || (len(r.Warnings) == 0) != (c.warns == "") {
				t.Errorf("%q: %+v", given, r)
			}
		}
	}
}

// Faults name the address without its secrets, how long it took, and the status.
func TestFaultsNameTheAddress(t *testing.T) {
	url, _ := speak(t, func(c net.Conn, request string) {
		if strings.HasPrefix(request, "GET /on") {
			_, _ = io.WriteString(c, "HTTP/1.1 302 Found\r\nLocation: /page?lang=en&sig=5e5a3e&api_key=5e5a3e&token=5e5a3e\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			return
		}
		_, _ = io.WriteString(c, "HTTP/1.1 203 Fine\r\nContent-Length: 99\r\n\r\nhello")
	})
	c := client(t, nil)
	e := refusal(t, c, Request{URL: At(url + "/on?key=5e5a3e#5e5a3e")}, fault.Unavailable)
	for _, lang := range []fault.Lang{fault.English, fault.Chinese} {
		said := e.Message.In(lang)
		for _, part := range []string{url + "/page?lang=en&sig=[secret]&api_key=[secret]&token=[secret]", url + "/on?key=[secret]", "HTTP 203"} {
			if !strings.Contains(said, part) {
				t.Errorf("%s lacks %s", said, part)
			}
		}
		if strings.Contains(said, "5e5a3e") {
			t.Error(said)
		}
	}
	if d, ok := e.Details.(Attempt); !ok || d.Status != 203 || d.Waited < 0 || !strings.HasPrefix(d.URL, url+"/page?") {
		t.Errorf("%+v", e.Details)
	}
	for name, c := range map[string]struct {
		request Request
		want    fault.Code
		says    string
	}{
		"a private address": {Request{URL: At("http://10.0.0.1/x?y=1")}, fault.BlockedAddress, "(http://10.0.0.1/x?y=1"},
		"a private name":    {Request{URL: At("http://nowhere.invalid/x"), Timeout: 100 * time.Millisecond}, fault.Unavailable, "(http://nowhere.invalid/x"},
		"a long address":    {Request{URL: At(url + "/" + strings.Repeat("x", 500))}, fault.Unavailable, "x…, HTTP 203"},
		"credentials":       {Request{URL: At(url + "/hook/5e5a3e"), Secret: map[string]string{"X-Key": "k"}}, fault.Unavailable, "closed the connection"},
		"a data address":    {Request{URL: At(url + "/hook/5e5a3e"), Body: []byte("x")}, fault.Unavailable, "closed the connection"},
		"a configured one":  {Request{URL: At(url + "/hook/5e5a3e"), Base: true}, fault.Unavailable, "closed the connection"},
	} {
		client := client(t, func(o *Options) { o.Resolver = names(t, func(string) []string { return nil }) })
		e := refusal(t, client, c.request, c.want)
		if !strings.Contains(e.Message.In(fault.English), c.says) || strings.Contains(e.Error(), "5e5a3e") {
			t.Errorf("%s: %v", name, e)
		}
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) })
	if e := fault.As(get(t, c, Request{URL: At(s.URL + "/pot?token=5e5a3e")}).Err()); !strings.HasSuffix(e.Error(), "HTTP 418 I'm a teapot from "+s.URL+"/pot?token=[secret]") {
		t.Error(e)
	}
}

// The seconds in a fault are those that passed.
func TestFaultsTellTheTime(t *testing.T) {
	at := &clock{now: time.Now()}
	url, _ := speak(t, func(c net.Conn, _ string) { at.pass(7 * time.Second) })
	c := client(t, func(o *Options) { o.Now = at.Now })
	e := refusal(t, c, Request{URL: At(url), NoRetry: true}, fault.Unavailable)
	d, ok := e.Details.(Attempt)
	if !ok || d.Waited < 7 || int(d.Waited)%7 != 0 || !strings.Contains(e.Error(), fmt.Sprintf("after %.1f s)", d.Waited)) {
		t.Errorf("%v, %+v", e, e.Details)
	}
}

func FuzzShown(f *testing.F) {
	for _, s := range []string{"https://example.org/?a=1&token=5e5a3e", "http://x/%zz?%zz=%zz&key=", "https://a/?&&&=&key", "https://a/b?KEY=5e5a3e;sig=5e5a3e#x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		a, err := Parse(raw)
		if err != nil {
			return
		}
		u := a.URL()
		got := Shown(u)
		if len([]rune(got)) > maxShown || strings.ContainsAny(got, "\n\r\x1b") || u.Fragment != "" && len(u.Fragment) > 12 && !strings.Contains(u.Host+u.EscapedPath()+u.RawQuery, u.Fragment) && strings.Contains(got, u.Fragment) {
			t.Errorf("%q shows %q", raw, got)
		}
	})
}
