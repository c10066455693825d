package page

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/files/language"
)

// sniffBytes limits the part of a text that decides its media type.
const sniffBytes = 64 << 10

// Sniff returns the media type of a text that was sent without one: HTML, XML, a feed, JSON
// or plain text. It follows the WHATWG MIME Sniffing Standard, section 7.1, and goes beyond
// it in that it looks past comments and recognises JSON.
func Sniff(text string) string {
	head, root := opening(text)
	switch {
	case root == "html" || root != "" && isTag(root) && !strings.HasPrefix(head, "<?xml"), strings.HasPrefix(root, "!html"):
		return "text/html"
	case isRoot(root):
		return "application/rss+xml"
	case strings.HasPrefix(head, "<?xml") && root != "":
		return "application/xml"
	case isJSON(text):
		return "application/json"
	}
	return "text/plain"
}

// opening returns the beginning of a text without white space, and its first element in
// lower case, "!html" for a declaration of HTML, "" for none.
func opening(text string) (head, root string) {
	head = strings.TrimLeft(text[:min(len(text), sniffBytes)], "\ufeff \t\r\n\f")
	for rest := head; ; {
		rest = strings.TrimLeft(rest, " \t\r\n\f")
		var found bool
		switch {
		case strings.HasPrefix(rest, "<!--"):
			_, rest, found = strings.Cut(rest, "-->")
		case strings.HasPrefix(rest, "<?"):
			_, rest, found = strings.Cut(rest, ">")
		case strings.HasPrefix(rest, "<!"):
			declared := strings.ToLower(rest[:min(len(rest), 64)])
			if fields := strings.Fields(strings.NewReplacer("<!", " ", ">", " ", "[", " ").Replace(declared)); len(fields) > 1 && fields[0] == "doctype" && fields[1] == "html" {
				return head, "!html"
			}
			_, rest, found = strings.Cut(rest, ">")
		case strings.HasPrefix(rest, "<"):
			return head, nameOf(rest[1:])
		}
		if !found {
			return head, ""
		}
	}
}

// nameOf returns the name of an element at the beginning of s, in lower case; "" if s does
// not begin with a name that ends as one does.
func nameOf(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == ':' || r == '.')
	})
	if end <= 0 || end > 64 || !strings.ContainsRune(" \t\r\n\f/>", rune(s[end])) {
		return ""
	}
	return strings.ToLower(s[:end])
}

// isRoot reports whether an element is the root of a format of XML that is read on the web.
func isRoot(name string) bool {
	switch name {
	case "rss", "feed", "rdf:rdf", "urlset", "sitemapindex", "opml":
		return true
	}
	return false
}

// isTag reports whether a name belongs to an HTML element that pages begin with or that
// marks up text.
func isTag(name string) bool {
	switch name {
	case "html", "head", "body", "title", "meta", "link", "base", "script", "style", "noscript", "frameset", "frame", "iframe", "template",
		"div", "span", "p", "br", "hr", "a", "b", "i", "u", "s", "em", "strong", "small", "big", "font", "center", "h1", "h2", "h3", "h4", "h5", "h6",
		"ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "td", "th", "pre", "code", "blockquote", "img", "picture", "figure",
		"main", "article", "section", "nav", "aside", "header", "footer", "form", "input", "button", "label", "select", "textarea", "details", "summary",
		"video", "audio", "svg", "sup", "sub", "tt", "kbd", "samp", "abbr", "cite", "q", "time", "address", "marquee":
		return true
	}
	return false
}

// isJSON reports whether a text is an object or a list in JSON. A long one is judged by its
// beginning, as it may have been cut.
func isJSON(text string) bool {
	text = strings.Trim(text, "\ufeff \t\r\n\f")
	if text == "" || text[0] != '{' && text[0] != '[' {
		return false
	}
	if json.Valid([]byte(text)) {
		return true
	}
	if len(text) < sniffBytes {
		return false
	}
	d := json.NewDecoder(strings.NewReader(text[:sniffBytes]))
	d.UseNumber()
	for {
		if _, err := d.Token(); err != nil {
			return d.InputOffset() > sniffBytes/2 // it reads well as far as it goes
		}
	}
}

const (
	// plainLines is the fewest lines of a text that is taken for plain text although it has
	// tags, like the source of a program.
	plainLines = 5
	// tagLines is the fewest lines that such a text has for each tag.
	tagLines = 10
)

// isPlain reports whether a text declared as HTML is plain text: it has no tag of HTML, or
// so few among its lines that they are examples. It does not begin with one.
func isPlain(text string) bool {
	_, root := opening(text)
	if root != "" {
		return false
	}
	head := text[:min(len(text), sniffBytes)]
	tags, lines := 0, 0
	for line := range strings.Lines(head) {
		if strings.TrimSpace(line) != "" {
			lines++
		}
	}
	for rest := head; ; {
		_, after, found := strings.Cut(rest, "<")
		if !found {
			break
		}
		rest = after
		switch name := nameOf(strings.TrimPrefix(after, "/")); {
		case name == "html", name == "body", name == "head", len(after) > 8 && strings.EqualFold(after[:8], "!doctype"):
			return false // after a message of the server, or a text before the page
		case isTag(name):
			tags++
		}
	}
	if tags == 0 {
		return lines > 1 || !isReference(head)
	}
	return lines >= plainLines && tags*tagLines <= lines
}

// firstBytes is the offset within which a page would begin, after a message of the server.
const firstBytes = 512

// isProgram reports whether a text declared as HTML is the source of a program, whose
// tags are in its strings: its address has the name of one, without a query as for a
// program that a server runs, and no page begins in it.
func isProgram(s Source) bool {
	if s.URL == nil || s.URL.RawQuery != "" || !isSource(language.Of(path.Base(s.URL.Path), nil)) {
		return false
	}
	head, root := opening(s.Text)
	if head == "" || root != "" {
		return false
	}
	head = strings.ToLower(head[:min(len(head), firstBytes)])
	for _, begins := range [...]string{"<!doctype", "<html", "<head", "<body"} {
		if strings.Contains(head, begins) {
			return false
		}
	}
	return true
}

// isSource reports whether files in a language are sent as they are: they are neither
// pages nor made into pages by common servers, as those in PHP.
func isSource(name string) bool {
	switch name {
	case "C", "C++", "C#", "Objective-C", "Go", "Rust", "Zig", "Java", "Kotlin", "Scala", "Groovy", "Swift", "Dart", "JavaScript", "TypeScript", "TSX", "Python", "Ruby", "Lua", "R", "Julia",
		"Haskell", "OCaml", "F#", "Elixir", "Erlang", "Clojure", "Common Lisp", "Emacs Lisp", "Vim Script", "Shell", "PowerShell", "Batchfile", "SQL", "CSS", "SCSS", "Sass", "Less",
		"YAML", "TOML", "INI", "Makefile", "CMake", "Dockerfile", "Diff":
		return true
	}
	return false
}

// isReference reports whether a text has a character reference such as &amp;.
func isReference(text string) bool {
	_, after, found := strings.Cut(text, "&")
	name, _, ended := strings.Cut(after, ";")
	return found && ended && name != "" && len(name) <= 10 && !strings.ContainsAny(name, " \t\n=&")
}
