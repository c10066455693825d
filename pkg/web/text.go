package web

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	legacy "github.com/helve-dev/helve/pkg/files/charset"
	encodings "github.com/helve-dev/helve/pkg/files/text"
)

// metaBytes limits the bytes of a page that are searched for a declaration of its
// encoding.
const metaBytes = 8 << 10

// Text is a body as text.
type Text struct {
	Text    string // valid UTF-8, without a byte order mark
	Charset string // of the body, by its name in the WHATWG Encoding Standard
	Source  string // where the charset is from: bom, utf-8, header, meta or guess
	// Replaced counts the bytes or characters that could not be decoded; they are U+FFFD
	// in Text.
	Replaced int
}

// Text decodes the body. What determines the charset is, in this order, a byte order
// mark, the header, valid UTF-8, the page's own declaration, or a guess from the
// bytes. The header is ignored if the bytes contradict it: valid UTF-8 beyond ASCII
// is UTF-8, and a body that is declared UTF-8 and is not valid is read by the other
// signs.
func (r *Response) Text() Text { return Decode(r.Body, r.Charset, markup(r)) }

func markup(r *Response) bool {
	return r.MIME == "" || strings.Contains(r.MIME, "html") || strings.Contains(r.MIME, "xml")
}

// Decode is [Response.Text] for any bytes. header is the charset that the sender
// named, "" for none; with markup it looks for a declaration in the body.
func Decode(body []byte, header string, markup bool) Text {
	if name, rest, ok := mark(body); ok {
		return decode(rest, name, "bom")
	}
	named, inside := canonical(header), ""
	if markup {
		inside = declared(body[:min(len(body), metaBytes)])
	}
	if name := wide(body); name != "" {
		if name == named {
			return decode(body, name, "header")
		}
		return decode(body, name, "guess")
	}
	if strings.HasPrefix(named, "utf-16") || strings.HasPrefix(named, "utf-32") {
		if bytes.IndexByte(body, 0) >= 0 || !utf8.Valid(cutRune(body)) {
			return decode(body, named, "header")
		}
		named = "" // a text so wide has bytes that are 0
	}
	if whole := cutRune(body); utf8.Valid(body) || utf8.Valid(whole) && !ascii(whole) {
		switch {
		case modal(named, body):
			return decode(body, named, "header")
		case modal(inside, body):
			return decode(body, inside, "meta")
		case modal("iso-2022-jp", body) && slices.Equal(legacy.Guess(body), []string{"iso-2022-jp"}):
			return decode(body, "iso-2022-jp", "guess")
		case named == "utf-8", named != "" && ascii(body):
			return decode(body, named, "header")
		}
		return decode(body, "utf-8", "utf-8")
	}
	if named != "" && named != "utf-8" {
		return decode(body, named, "header")
	}
	if inside != "" && inside != "utf-8" {
		return decode(body, inside, "meta")
	}
	if mostlyUTF8(body) {
		if named == "utf-8" {
			return decode(body, named, "header")
		}
		return decode(body, "utf-8", "guess")
	}
	if names := legacy.Guess(body); len(names) > 0 {
		return decode(body, names[0], "guess")
	}
	return decode(body, "windows-1252", "guess")
}

// mark finds a byte order mark.
func mark(body []byte) (name string, rest []byte, ok bool) {
	switch {
	case bytes.HasPrefix(body, []byte("\xff\xfe\x00\x00")):
		return encodings.UTF32LE, body[4:], true
	case bytes.HasPrefix(body, []byte("\x00\x00\xfe\xff")):
		return encodings.UTF32BE, body[4:], true
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return "utf-8", body[3:], true
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		return "utf-16le", body[2:], true
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		return "utf-16be", body[2:], true
	}
	return "", body, false
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// modal reports whether an ASCII body is in an encoding that switches to other
// characters by escape sequences.
func modal(name string, body []byte) bool {
	shift := ""
	switch name {
	case "iso-2022-jp":
		shift = "\x1b"
	case "hz-gb-2312":
		shift = "~{"
	}
	return shift != "" && bytes.Contains(body, []byte(shift)) && ascii(body)
}

// cutRune drops an incomplete character at the end of a body.
func cutRune(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// mostlyUTF8 reports whether a body is UTF-8 except for a few bytes, as pages are
// that were put together from several sources. Those in English have few characters beyond
// ASCII; other encodings have a valid sequence by chance less often than they have none.
func mostlyUTF8(body []byte) bool {
	good, bad := 0, 0
	for b := body; len(b) > 0; {
		r, n := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && n == 1:
			bad++
		case n > 1:
			good++
		}
		b = b[n:]
	}
	return good > 3*bad
}

// canonical returns the standard's name of an encoding; "" for an unknown one.
func canonical(label string) string {
	label = strings.ToLower(strings.Trim(label, " \t\r\n\"'"))
	switch label {
	case "hz-gb-2312", "hz":
		return "hz-gb-2312" // no longer in the standard, but old pages use it
	case "utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8", "utf8mb4", "utf-8-sig":
		return "utf-8"
	case "utf-16", "utf-16le", "csunicode", "iso-10646-ucs-2", "ucs-2", "unicode", "unicodefeff":
		return "utf-16le"
	case "utf-16be", "unicodefffe":
		return "utf-16be"
	case "utf-32", "utf-32le", "ucs-4", "iso-10646-ucs-4":
		return encodings.UTF32LE
	case "utf-32be":
		return encodings.UTF32BE
	case "cp932", "ms932":
		return "shift_jis"
	case "cp936":
		return "gbk"
	case "cp949":
		return "euc-kr"
	case "cp950":
		return "big5"
	}
	name, _ := encodings.WHATWG(label)
	return name
}

func encodingOf(name string) encoding.Encoding {
	switch name {
	case "hz-gb-2312":
		return simplifiedchinese.HZGB2312
	case "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case "utf-16be":
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	case encodings.UTF32LE:
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)
	case encodings.UTF32BE:
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
	case "gbk":
		return simplifiedchinese.GB18030 // a superset, which browsers use
	}
	if _, enc := encodings.WHATWG(name); enc != nil {
		return enc
	}
	return charmap.Windows1252
}

func decode(body []byte, name, source string) Text {
	t := Text{Charset: name, Source: source}
	if name == "utf-8" {
		for b := body; len(b) > 0; {
			r, n := utf8.DecodeRune(b)
			if r == utf8.RuneError && n == 1 {
				t.Replaced++
			}
			b = b[n:]
		}
		t.Text = strings.ToValidUTF8(string(body), "\uFFFD")
		return t
	}
	out, err := encodingOf(name).NewDecoder().Bytes(body)
	if err != nil {
		out = bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	t.Replaced = bytes.Count(out, []byte("\uFFFD"))
	t.Text = string(bytes.TrimPrefix(out, []byte("\ufeff")))
	return t
}

// declared returns the encoding that a page declares in a meta element, or in the
// declaration of XML or CSS; "" for none. A page that declares UTF-16 in ASCII is
// UTF-8.
func declared(head []byte) string {
	text := strings.ToLower(string(head))
	for rest := text; ; {
		at := strings.Index(rest, "charset")
		if xml := strings.Index(rest, "encoding"); xml >= 0 && (at < 0 || xml < at) && strings.HasPrefix(strings.TrimSpace(text), "<?xml") {
			at = xml + 1
		}
		if at < 0 {
			return ""
		}
		rest = rest[at+len("charset"):]
		after := strings.TrimLeft(rest, " \t\r\n")
		if !strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "\"") {
			continue
		}
		after = strings.TrimLeft(after, "= \t\r\n\"'")
		end := strings.IndexAny(after, " \t\r\n\"'/>;?")
		if end < 0 {
			end = len(after)
		}
		name := canonical(after[:end])
		switch {
		case strings.HasPrefix(name, "utf-16"), strings.HasPrefix(name, "utf-32"):
			return "utf-8"
		case name == "x-user-defined":
			return "windows-1252"
		case name != "":
			return name
		}
	}
}
