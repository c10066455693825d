package page

import (
	"bytes"
	"encoding/json"
	"strings"
)

// class is a way to read a document.
type class uint8

const (
	plainText class = iota // as it is
	htmlPage
	jsonData
	xmlFeed // RSS, Atom, or other XML
	markdownText
)

// classify returns the class of a document: that of its media type, unless the text
// contradicts it. Servers say text/html of everything, and text/plain of much.
func classify(s Source) class {
	mime := s.MIME
	switch {
	case mime == "" || mime == "application/octet-stream":
		mime = Sniff(s.Text)
	case mime == "text/plain" && !s.Literal:
		head, root := opening(s.Text)
		if root == "html" || root == "!html" || isRoot(root) || strings.HasPrefix(head, "<?xml") || isJSON(s.Text) {
			mime = Sniff(s.Text)
		}
	}
	switch {
	case mime == "text/html" && !s.Literal && isProgram(s):
		return plainText
	case mime == "text/html", mime == "application/xhtml+xml":
		return ofHTML(s.Text)
	case mime == "application/json", strings.HasSuffix(mime, "+json"), mime == "text/json":
		return jsonData
	case mime == "text/markdown", mime == "text/x-markdown":
		return markdownText
	case strings.HasSuffix(mime, "+xml") && mime != "image/svg+xml", mime == "application/xml", mime == "text/xml":
		if _, root := opening(s.Text); root == "html" || root == "!html" {
			return htmlPage
		}
		return xmlFeed
	}
	return plainText
}

// ofHTML returns the class of a text that is declared as HTML.
func ofHTML(text string) class {
	head, root := opening(text)
	switch {
	case root == "!html", root == "html":
		return htmlPage
	case isRoot(root), strings.HasPrefix(head, "<?xml") && root != "" && !isTag(root):
		return xmlFeed
	case isJSON(text):
		return jsonData
	case strings.TrimSpace(text) != "" && isPlain(text):
		return plainText
	}
	return htmlPage
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
	// maxGrowth limits the factor by which indentation may lengthen JSON.
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
