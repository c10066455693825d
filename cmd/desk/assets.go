package desk

import (
	"embed"
	"net/http"
	"path"
	"strings"
)

// files are the page. They are kept in the binary, and read only by a desk.
//
//go:embed assets
var files embed.FS

// assets serves the page. Its language is that of the desk.
func (d *Desk) assets() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Clean(r.URL.Path)
		if name == "/" {
			name = "/index.html"
		}
		data, err := files.ReadFile("assets" + name)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		kind := map[string]string{".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}[path.Ext(name)]
		w.Header().Set("Content-Type", kind+"; charset=utf-8")
		if name == "/index.html" {
			data = []byte(strings.Replace(string(data), `lang="en"`, `lang="`+string(d.Lang)+`"`, 1))
		}
		_, _ = w.Write(data) // whoever asked may have gone
	})
}
