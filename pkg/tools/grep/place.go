package grep

import (
	"strings"

	"github.com/helve-dev/helve/pkg/files/language"
	"github.com/helve-dev/helve/pkg/files/outline"
	"github.com/helve-dev/helve/pkg/search"
)

// place names the definition around each match in a file that has the lines now. The
// line that begins a definition says so itself.
func place(path string, found []search.Line, now []string) {
	source := strings.Join(now, "\n")
	lang := language.Of(path, []byte(source[:min(len(source), 4<<10)]))
	if !isCode(lang) {
		return
	}
	defs := outline.Outline(lang, source)
	for i := range found {
		if l := &found[i]; l.Match {
			if s, ok := outline.Around(defs, l.Line); ok && s.Line != l.Line {
				l.In = s.Path
			}
		}
	}
}

// isCode reports whether what is around a line of a language is a definition, rather
// than a section or a key, which a reader takes from the line or its neighbours.
func isCode(lang string) bool {
	switch lang {
	case "Markdown", "RMarkdown", "MDX", "reStructuredText", "AsciiDoc", "HTML", "Org", "TeX", "JSON", "JSON with Comments", "YAML", "TOML", "INI",
		"EditorConfig", "Git Config", "Makefile":
		return false
	}
	return outline.Known(lang)
}
