package compound

import (
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/helve-dev/helve/pkg/document/codepage"
)

// maxProperties limits the bytes read of a stream of properties.
const maxProperties = 1 << 20

// Summary returns the title and the author that Office's programs keep in a stream of
// properties (MS-OLEPS), each "" if there is none.
func (f *File) Summary() (title, author string) {
	stream, err := f.Open("\x05SummaryInformation")
	if err != nil {
		return "", ""
	}
	data, err := io.ReadAll(io.LimitReader(stream, maxProperties))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) || len(data) < 48 {
		return "", ""
	}
	const (
		propCodePage = 1
		propTitle    = 2
		propAuthor   = 4
	)
	start := uint64(binary.LittleEndian.Uint32(data[44:]))
	if start+8 > uint64(len(data)) {
		return "", ""
	}
	set := data[start:]
	page := 1252
	read := func(wanted uint32) []byte {
		count := binary.LittleEndian.Uint32(set[4:])
		for i := uint64(0); i < uint64(count) && 16+8*i <= uint64(len(set)); i++ {
			entry := set[8+8*i:]
			at := uint64(binary.LittleEndian.Uint32(entry[4:]))
			if binary.LittleEndian.Uint32(entry) == wanted && at+8 <= uint64(len(set)) {
				return set[at:]
			}
		}
		return nil
	}
	if p := read(propCodePage); p != nil {
		page = int(binary.LittleEndian.Uint16(p[4:]))
	}
	return propertyText(read(propTitle), page), propertyText(read(propAuthor), page)
}

// propertyText decodes a property that is text (MS-OLEPS 2.15).
func propertyText(p []byte, page int) string {
	const (
		bytesOfPage = 0x1E
		wide        = 0x1F
		utf8Page    = 65001
		utf16Page   = 1200
	)
	if len(p) < 8 {
		return ""
	}
	kind, size := binary.LittleEndian.Uint16(p), uint64(binary.LittleEndian.Uint32(p[4:]))
	p = p[8:]
	text := ""
	switch {
	case kind == wide || kind == bytesOfPage && page == utf16Page:
		if kind == wide {
			size *= 2
		}
		p = p[:min(size, uint64(len(p)))&^1]
		units := make([]uint16, len(p)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(p[2*i:])
		}
		text = string(utf16.Decode(units))
	case kind == bytesOfPage:
		p = p[:min(size, uint64(len(p)))]
		text = string(p)
		if page != utf8Page {
			if decoded, err := codepage.Encoding(page).NewDecoder().String(text); err == nil {
				text = decoded
			}
		}
	}
	text, _, _ = strings.Cut(text, "\x00")
	return strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
}
