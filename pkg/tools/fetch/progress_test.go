package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// The first words of a page reach whoever waits while the server holds the rest back, and
// of several pages how many are read.
func TestProgress(t *testing.T) {
	seen := make(chan struct{})
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Length", "3000")
		_, _ = w.Write([]byte(strings.Repeat("x", 2000)))
		w.(http.Flusher).Flush()
		select {
		case <-seen:
		case <-r.Context().Done():
		}
		_, _ = w.Write([]byte(strings.Repeat("y", 1000)))
	})
	var mu sync.Mutex
	var told []string
	var once sync.Once
	w.env.Progress = func(done, total float64, message string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, fmt.Sprintf("%v/%v %s", done, total, message))
		if strings.Contains(message, "2.0K of 3.0K") {
			once.Do(func() { close(seen) })
		}
	}
	if _, err := w.fetch(nil); err != nil {
		t.Fatal(err)
	}
	want := []string{"0/0 waiting for 127.0.0.1", "2000/3000 2.0K of 3.0K from 127.0.0.1", "3000/3000 3.0K of 3.0K from 127.0.0.1"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	told = nil
	w.env.Lang = fault.Chinese
	if _, err := w.fetch(func(a *Args) { a.URL, a.URLs = w.url+"/1", []string{w.url + "/2", w.url + "/1"} }); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(told, "\n")
	for _, part := range []string{"/3 已完成 ", "/3；等待 127.0.0.1", "/3；3.0K/3.0K，来自 127.0.0.1", "3/3 已完成 3/3"} {
		if !strings.Contains(all, part) {
			t.Errorf("nothing with %q:\n%s", part, all)
		}
	}
}
