// Package kind detects by its first bytes what a file is: text, a document, a
// notebook, an image or something else. It decodes none of them.
package kind

import (
	"bytes"
	"encoding/binary"
	"io"
	"path"
	"strings"
	"unicode/utf8"
)

// Class is a way to read a file.
type Class string

// The classes.
const (
	Text     Class = "text"
	Document Class = "document" // office documents, PDF, e-books, archives
	Notebook Class = "notebook" // Jupyter
	Image    Class = "image"
	Binary   Class = "binary"
)

// Kind is the type of a file.
type Kind struct {
	Class Class
	MIME  string
}

// Of returns what a file is. head is its first 8 KiB. file may be nil; it is read
// where the head is not enough, as for containers. The name counts only where the
// bytes leave a choice.
func Of(head []byte, name string, file io.ReaderAt, size int64) Kind {
	ext := strings.ToLower(path.Ext(name))
	for _, s := range signatures {
		if s.matches(head) {
			if s.mime == zipMIME {
				return inZip(file, size, ext)
			}
			if s.mime == oleMIME {
				return inOLE(head, file, ext)
			}
			return Kind{s.class, s.mime}
		}
	}
	if isPDF(head, file, size) {
		return Kind{Document, "application/pdf"}
	}
	if isTransportStream(head) {
		return Kind{Binary, "video/mp2t"}
	}
	if !likeText(head) {
		return Kind{Binary, "application/octet-stream"}
	}
	return ofText(head, ext)
}

// likeText reports whether bytes may be text in some encoding: they have a byte
// order mark, or no NUL, or NULs only at every second place as UTF-16 has them.
func likeText(head []byte) bool {
	if _, wide := LikeUTF32(head); wide || bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")) {
		return true
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) || bytes.IndexByte(head, 0) < 0 {
		return true
	}
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	half := len(head) / 2
	return min(zeros[0], zeros[1]) == 0 && max(zeros[0], zeros[1]) > half*3/5
}

// LikeUTF32 recognizes UTF-32 without a byte order mark: every four bytes are a
// character, and none is one that text does not have.
func LikeUTF32(head []byte) (bigEndian, likely bool) {
	head = head[:len(head)&^3]
	if len(head) < 8 {
		return false, false
	}
	for _, order := range [...]binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		text := true
		for i := 0; i < len(head) && text; i += 4 {
			c := order.Uint32(head[i:])
			text = c <= utf8.MaxRune && utf8.ValidRune(rune(c)) && (c >= 0x20 || c >= '\b' && c <= '\r' || c == 0x1B) && c != 0x7F
		}
		if text {
			return order == binary.BigEndian, true
		}
	}
	return false, false
}

// LikeUTF16 recognizes UTF-16 without a byte order mark by its zero bytes: in text
// that is mostly Latin, the same byte of nearly every pair is 0.
func LikeUTF16(head []byte) (bigEndian, likely bool) {
	head = head[:len(head)&^1]
	if len(head) < 4 {
		return false, false
	}
	var first, second int // zero bytes in first and second place
	for i := 0; i < len(head); i += 2 {
		unit := [2]byte(head[i : i+2])
		switch {
		case unit[0] == 0 && Control(unit[1]), unit[1] == 0 && Control(unit[0]):
			return false, false // U+0000 or a control character: not text
		case unit[0] == 0:
			first++
		case unit[1] == 0:
			second++
		}
	}
	units := len(head) / 2
	switch {
	case first > second:
		return true, first*10 >= units*7 && second*50 <= units
	default:
		return false, second*10 >= units*7 && first*50 <= units
	}
}

// Control reports whether c is a control character that text does not have.
func Control(c byte) bool {
	switch c {
	case '\t', '\n', '\r', '\f', '\v', '\b', 0x1B:
		return false
	}
	return c < 0x20 || c == 0x7F
}

// ofText returns the type of a text.
func ofText(head []byte, ext string) Kind {
	start := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if mime := documentMIME(start, ext); mime != "" {
		return Kind{Document, mime}
	}
	switch {
	case ext == ".ipynb" && bytes.HasPrefix(start, []byte("{")):
		return Kind{Notebook, "application/x-ipynb+json"}
	case ext == ".svg" || bytes.HasPrefix(start, []byte("<svg")):
		return Kind{Text, "image/svg+xml"}
	}
	if mime := textMIME(ext); mime != "" {
		return Kind{Text, mime}
	}
	switch {
	case hasFold(start, "<!doctype html") || hasFold(start, "<html"):
		return Kind{Text, "text/html"}
	case bytes.HasPrefix(start, []byte("<?xml")):
		return Kind{Text, "application/xml"}
	}
	return Kind{Text, "text/plain"}
}

func hasFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && strings.EqualFold(string(b[:len(prefix)]), prefix)
}

// isTransportStream recognizes MPEG transport streams by a sync byte every 188
// bytes. Their extension .ts is TypeScript's too.
func isTransportStream(head []byte) bool {
	const packet, sync = 188, 0x47
	if len(head) < 3*packet || utf8.Valid(head[:packet]) {
		return false
	}
	for at := 0; at < len(head); at += packet {
		if head[at] != sync {
			return false
		}
	}
	return true
}

// textMIME returns the type of a text by its extension, "" for plain or unknown text.
func textMIME(ext string) string {
	switch ext {
	case ".json", ".jsonl", ".ndjson", ".geojson", ".map", ".webmanifest":
		return "application/json"
	case ".html", ".htm", ".xhtml":
		return "text/html"
	case ".css":
		return "text/css"
	case ".js", ".mjs", ".cjs", ".jsx":
		return "text/javascript"
	case ".ts", ".tsx", ".mts", ".cts":
		return "text/x-typescript"
	case ".xml", ".xsd", ".xsl", ".xslt", ".plist", ".rss", ".atom":
		return "application/xml"
	case ".md", ".markdown", ".mdx":
		return "text/markdown"
	case ".csv":
		return "text/csv"
	case ".tsv":
		return "text/tab-separated-values"
	case ".yaml", ".yml":
		return "application/yaml"
	case ".toml":
		return "application/toml"
	case ".go":
		return "text/x-go"
	case ".py", ".pyi":
		return "text/x-python"
	case ".rs":
		return "text/x-rust"
	case ".java":
		return "text/x-java"
	case ".c", ".h":
		return "text/x-c"
	case ".cc", ".cpp", ".cxx", ".hpp", ".hh":
		return "text/x-c++"
	case ".rb":
		return "text/x-ruby"
	case ".sh", ".bash", ".zsh":
		return "text/x-shellscript"
	case ".sql":
		return "application/sql"
	case ".tex":
		return "text/x-tex"
	case ".ics":
		return "text/calendar"
	case ".vcf":
		return "text/vcard"
	case ".eml":
		return "message/rfc822"
	case ".diff", ".patch":
		return "text/x-diff"
	}
	return ""
}
