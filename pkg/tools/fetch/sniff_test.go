package fetch

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"github.com/helve-dev/helve/pkg/html/page"
)

// Bodies whose type is wrong or missing are shown as what they are.
func TestWrongTypes(t *testing.T) {
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().String("<html><p>日本語の文章、とても長い文章です。</html>")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mime, body, nosniff, want string
		format                    page.Format
		shown                     string
	}{
		{"text/html", `{"a":1}`, "", "{\n  \"a\": 1\n}\n", page.Text, "text/html"},
		{"text/html", "User-agent: *\nDisallow: /\n", "", "User-agent: *\nDisallow: /\n", page.Text, "text/html"},
		{"text/plain", "<!DOCTYPE html><html><p>Kettles", "", "Kettles\n", page.Markdown, "text/plain"},
		{"text/plain", "<!DOCTYPE html><html><p>Kettles", "nosniff", "<!DOCTYPE html><html><p>Kettles", page.Text, "text/plain"},
		{"application/octet-stream", "<h1>Kettles</h1>", "", "# Kettles\n", page.Markdown, "text/html"},
		{"", "<h1>Kettles</h1>", "", "# Kettles\n", page.Markdown, "text/html"},
		{"text/html", "<html><p>Ket\x00tles" + strings.Repeat(" boil water", 20), "", "Kettles" + strings.Repeat(" boil water", 20) + "\n", page.Markdown, "text/html"},
		{"text/html", wide, "", "日本語の文章、とても長い文章です。\n", page.Markdown, "text/html"},
		{"", wide, "", "日本語の文章、とても長い文章です。\n", page.Markdown, "text/plain"},
	} {
		w := newWorld(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = []string{c.mime}
			if c.mime == "" {
				w.Header()["Content-Type"] = nil
			}
			if c.nosniff != "" {
				w.Header().Set("X-Content-Type-Options", c.nosniff)
			}
			_, _ = w.Write([]byte(c.body))
		})
		r, err := w.fetch(nil)
		if err != nil {
			t.Errorf("%s %.20q: %v", c.mime, c.body, err)
			continue
		}
		if r.Content != c.want || r.Format != c.format || r.MIME != c.shown {
			t.Errorf("%s %.20q: %q as %s, %s", c.mime, c.body, r.Content, r.Format, r.MIME)
		}
	}
}
