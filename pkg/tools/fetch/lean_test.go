package fetch

import (
	"net/http"
	"strings"
	"testing"
)

// The text behind many scripts is read, with a second request. If it is behind something
// else, the answer says that the page was cut before it.
func TestTextBehindScripts(t *testing.T) {
	text := "<h1>Kettles</h1><p>" + strings.Repeat("Copper boils water quickly and looks well. ", 20) + "</p>"
	filler := strings.Repeat("0123456789abcdef", 12<<16) // 12 MiB
	for _, c := range []struct {
		name, page  string
		asked       int
		found, said bool
	}{
		{"one script", "<title>T</title><script>" + filler + "</script>" + text, 2, true, false},
		{"many", "<title>T</title>" + strings.Repeat("<script>"+filler[:1<<20]+"</script><style>"+filler[:1<<20]+"</style>", 6) + text, 2, true, false},
		{"a comment", "<title>T</title><!--" + filler + "-->" + text, 1, false, true},
		{"a text", text + "<p>" + strings.Repeat("Word after word. ", 12<<16) + "</p>", 1, true, false},
		{"more than is read", "<script>" + strings.Repeat(filler, 6) + "</script>" + text, 2, false, true},
		{"few", "<script>" + filler[:1<<20] + "</script>" + text, 1, true, false},
	} {
		asked := 0
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			asked++
			send(http.StatusOK, "text/html", c.page)(w, r)
		})
		r, err := w.fetch(nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		warnings := strings.Join(w.warnings, "\n")
		if found := strings.Contains(r.Content, "Copper boils"); found != c.found || asked != c.asked || r.FinalURL != w.url+"/" {
			t.Errorf("%s: found %v, asked %d times, %s, %q", c.name, found, asked, r.FinalURL, warnings)
		}
		if said := strings.Contains(warnings, "no text of the page is in its first 10485760 bytes") && strings.Contains(warnings, "save=PATH"); said != c.said {
			t.Errorf("%s: %q", c.name, warnings)
		}
	}
}
