package fetch

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// A page whose connection breaks is shown as far as it came, and said to be incomplete.
func TestBrokenPage(t *testing.T) {
	page := "<title>Kettles</title><p>" + strings.Repeat("Copper boils water quickly and looks well. ", 20)
	w := newWorld(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Length", strconv.Itoa(len(page)+1000))
		_, _ = w.Write([]byte(page)) // the server closes a connection whose body is too short
	})
	r, err := w.fetch(nil)
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Join(w.warnings, "; ")
	if r.Title != "Kettles" || !strings.Contains(r.Content, "Copper boils") || r.Cached ||
		!strings.Contains(said, "closed the connection after "+strconv.Itoa(len(page))+" of "+strconv.Itoa(len(page)+1000)+" bytes") || strings.Contains(said, "larger than") {
		t.Errorf("%q %q", r.Title, said)
	}
}
