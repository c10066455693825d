package fetch

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/html/page"
)

// What a page names of other forms is reported, and not asked for.
func TestAlternates(t *testing.T) {
	var requests atomic.Int32
	w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Header().Set("Link", `</llms.txt>; rel="llms-txt"`)
		send(200, "text/html", `<link rel=alternate type="application/rss+xml" href=/feed>`+article)(w, r)
	})
	r, err := w.fetch(nil)
	if err != nil || requests.Load() != 1 {
		t.Fatal(err, requests.Load())
	}
	if diff := cmp.Diff(&page.Alternates{LLMs: w.url + "/llms.txt", Feeds: []string{w.url + "/feed"}}, r.Alternates); diff != "" {
		t.Errorf("(- want, + got):\n%s", diff)
	}
}
