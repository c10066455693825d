package page

import (
	"bytes"
	"encoding/json"
	"strings"
)

// class is how a document is read.
type class uint8

const (
	plainText class = iota // as it is
	htmlPage
	jsonData
	xmlFeed // RSS, Atom, or other XML
	markdownText
)

// classify returns how a document is read: as its media type says, unless the text
// contradicts that.
func classify(s Source) class {
	head := strings.TrimLeft(s.Text[:min(len(s.Text), 1024)], "\ufeff \t\r\n")
	low := strings.ToLower(head)
	markup := strings.HasPrefix(low, "<!doctype html") || strings.HasPrefix(low, "<html")
	switch {
	case s.MIME == "text/html", s.MIME == "application/xhtml+xml":
		if !markup && (strings.HasPrefix(low, "<?xml") || strings.HasPrefix(low, "<rss")) && isFeed(low) {
			return xmlFeed
		}
		return htmlPage
	case s.MIME == "application/json", strings.HasSuffix(s.MIME, "+json"), s.MIME == "text/json":
		return jsonData
	case s.MIME == "text/markdown", s.MIME == "text/x-markdown":
		return markdownText
	case strings.HasSuffix(s.MIME, "+xml") && s.MIME != "image/svg+xml", s.MIME == "application/xml", s.MIME == "text/xml":
		if markup {
			return htmlPage
		}
		return xmlFeed
	case s.MIME == "" || s.MIME == "application/octet-stream":
		switch {
		case markup:
			return htmlPage
		case isFeed(low):
			return xmlFeed
		case json.Valid([]byte(s.Text)):
			return jsonData
		}
	}
	return plainText
}

func isFeed(low string) bool {
	return strings.Contains(low, "<rss") || strings.Contains(low, "<feed") || strings.Contains(low, "<rdf:rdf")
}

// indented returns JSON with each value on a line, without a change of numbers or
// order. Text that is not JSON, or would grow too much, stays as it is.
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

const (
	// maxGrowth is how many times longer JSON may become by indentation.
	maxGrowth = 4
	// maxIndented is the longest JSON that is indented, in bytes.
	maxIndented = 8 << 20
)

// grown estimates the length of JSON when it is indented. It grows with the square
// of the depth.
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
