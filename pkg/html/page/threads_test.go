package page

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A thread page has every post, however short, whatever program made it, and nothing of
// what surrounds them.
func TestThreadPages(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("testdata/threads/*.html")
	if err != nil || len(pages) < 9 {
		t.Fatal(len(pages), err)
	}
	for _, path := range pages {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range [...]Format{Markdown, Text} {
			d := read(t, Source{Text: string(raw), MIME: "text/html"}, Options{Format: format})
			posts := strings.Count(string(raw), "POST")
			for i := range posts {
				if !strings.Contains(d.Content, fmt.Sprintf("POST%d", i+1)) {
					t.Errorf("%s as %s, by %s: post %d of %d is missing", path, format, d.Extractor, i+1, posts)
				}
			}
			if at := strings.Index(d.Content, "GONE"); at >= 0 {
				t.Errorf("%s as %s, by %s: %.60q", path, format, d.Extractor, d.Content[at:])
			}
			if d.Wall != "" || d.Partial {
				t.Errorf("%s as %s: wall %q, partial %v: %v", path, format, d.Wall, d.Partial, d.Warnings)
			}
		}
	}
}
