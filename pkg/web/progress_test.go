package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A request says whom it waits for, that it will ask again, and how much came of how much,
// while the server still holds the rest back.
func TestProgress(t *testing.T) {
	asked := 0
	half := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked == 1 {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		if r.URL.Path == "/known" {
			w.Header().Set("Content-Length", "20")
		}
		_, _ = w.Write([]byte(strings.Repeat("x", 10)))
		w.(http.Flusher).Flush()
		select {
		case <-half:
		case <-r.Context().Done():
		}
		_, _ = w.Write([]byte(strings.Repeat("y", 10)))
	})
	c := client(t, func(o *Options) { o.Wait = func(context.Context, time.Duration) error { return nil } })
	for path, total := range map[string]int64{"/known": 20, "/unknown": 0} {
		asked, half = 0, make(chan struct{})
		var told []string
		r := get(t, c, Request{URL: At(s.URL + path), Timeout: time.Minute, Progress: func(p Progress) {
			if p.Host != open || p.Total != 0 && p.Total != total {
				t.Errorf("%+v", p)
			}
			switch {
			case p.Pause >= 7*time.Second:
				told = append(told, "pause")
			default:
				told = append(told, strconv.FormatInt(p.Received, 10))
			}
			if p.Received == 10 {
				close(half)
			}
		}})
		if diff := cmp.Diff([]string{"0", "pause", "0", "10", "20"}, told); diff != "" || len(r.Body) != 20 {
			t.Errorf("%s: %d bytes\n%s", path, len(r.Body), diff)
		}
	}
}
