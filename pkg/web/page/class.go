package page

import (
	"bytes"
	"encoding/json"
	"strings"
)

// class is how a document is read.
type class uint8

const (
	text  class = iota // as it is
	page               // HTML
	data               // JSON
	feed               // RSS, Atom, or other XML
	prose              // Markdown
)

// sort tells what the server sent: by what the server says, unless the text
// speaks against that.
func sort(s Source) class {
	head := strings.TrimLeft(s.Text[:min(len(s.Text), 1024)], "\ufeff \t\r\n")
	low := strings.ToLower(head)
	markup := strings.HasPrefix(low, "<!doctype html") || strings.HasPrefix(low, "<html")
	switch {
	case s.MIME == "text/html", s.MIME == "application/xhtml+xml":
		if !markup && (strings.HasPrefix(low, "<?xml") || strings.HasPrefix(low, "<rss")) && isFeed(low) {
			return feed
		}
		return page
	case s.MIME == "application/json", strings.HasSuffix(s.MIME, "+json"), s.MIME == "text/json":
		return data
	case s.MIME == "text/markdown", s.MIME == "text/x-markdown":
		return prose
	case strings.HasSuffix(s.MIME, "+xml") && s.MIME != "image/svg+xml", s.MIME == "application/xml", s.MIME == "text/xml":
		if markup {
			return page
		}
		return feed
	case s.MIME == "" || s.MIME == "application/octet-stream":
		switch {
		case markup:
			return page
		case isFeed(low):
			return feed
		case json.Valid([]byte(s.Text)):
			return data
		}
	}
	return text
}

func isFeed(low string) bool {
	return strings.Contains(low, "<rss") || strings.Contains(low, "<feed") || strings.Contains(low, "<rdf:rdf")
}

// indented is JSON with a value on each line, its numbers and its order as they
// were. Text that is no JSON, or would grow out of proportion, stays as it is.
func indented(text string) string {
	if size := grown(text); size > maxGrowth*len(text)+4096 || size > maxIndented {
		return text
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(strings.TrimSpace(text)), "", "  "); err != nil {
		return text
	}
	b.WriteByte('\n')
	return b.String()
}

// maxGrowth is how many times longer JSON may get by being indented, and
// maxIndented how long, in bytes: nobody reads so much of it.
const (
	maxGrowth   = 4
	maxIndented = 8 << 20
)

// grown is about how long JSON is when it is indented. What nests deeply grows by
// the square of its depth.
func grown(text string) int {
	n, depth, quoted := len(text), 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			n += 1 + 2*depth
		case c == '}' || c == ']':
			depth = max(depth-1, 0)
			n += 1 + 2*depth
		case c == ',':
			n += 1 + 2*depth
		}
	}
	return n
}
