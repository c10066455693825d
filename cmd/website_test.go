package cmd_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"
)

// website is the script command "website DIR": it serves the files in a directory
// of the script and puts the address into WEBSITE. index.html is the page of its
// directory, with or without a slash at the end.
func website(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: website DIR")
	}
	dir := ts.MkAbs(args[0])
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := filepath.Join(dir, filepath.FromSlash(path.Clean("/"+r.URL.Path)))
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			name = filepath.Join(name, "index.html")
		}
		f, err := os.Open(name)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, name, info.ModTime(), f)
	}))
	ts.Defer(s.Close)
	ts.Setenv("WEBSITE", s.URL)
}
