package text

import (
	"bytes"

	"github.com/helve-dev/helve/pkg/files/kind"
)

// HeadBytes is the size of the beginning of a file that decides whether it is binary.
const HeadBytes = 8 << 10

// The byte order marks of UTF-32. The first begins like that of UTF-16, with a U+0000
// after it that no text has.
const (
	markUTF32LE = "\xFF\xFE\x00\x00"
	markUTF32BE = "\x00\x00\xFE\xFF"
)

// opening is the encoding that the first bytes of a file indicate.
type opening struct {
	charset charset
	bom     int // bytes of the byte order mark
	// settled says that the caller or a byte order mark named charset. Otherwise it
	// is only the first to try.
	settled bool
}

// begin examines the beginning of a file, at least [HeadBytes] if the file has as
// many. Its faults are encoding_unsupported and binary_file.
func begin(head []byte, hint string) (opening, error) {
	if hint != "" {
		return beginAs(head, hint)
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")):
		return opening{utf8Charset(), 3, true}, nil
	case bytes.HasPrefix(head, []byte(markUTF32LE)):
		return opening{utf32Charset(false), len(markUTF32LE), true}, nil
	case bytes.HasPrefix(head, []byte(markUTF32BE)):
		return opening{utf32Charset(true), len(markUTF32BE), true}, nil
	case bytes.HasPrefix(head, []byte("\xFF\xFE")):
		return opening{utf16Charset(false), 2, true}, nil
	case bytes.HasPrefix(head, []byte("\xFE\xFF")):
		return opening{utf16Charset(true), 2, true}, nil
	}
	head = head[:min(len(head), HeadBytes)]
	if bytes.IndexByte(head, 0) < 0 {
		return opening{charset: utf8Charset()}, nil
	}
	if bigEndian, likely := kind.LikeUTF32(head); likely {
		return opening{charset: utf32Charset(bigEndian)}, nil
	}
	if bigEndian, likely := kind.LikeUTF16(head); likely {
		return opening{charset: utf16Charset(bigEndian)}, nil
	}
	return opening{}, binaryFault()
}

// beginAs is begin for an encoding that the caller names.
func beginAs(head []byte, hint string) (opening, error) {
	cs, known := lookup(hint)
	if !known {
		return opening{}, unsupported(hint)
	}
	o := opening{charset: cs, settled: true}
	switch {
	case cs.name == UTF8 && bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")):
		o.bom = 3
	case cs.name == UTF16LE && bytes.HasPrefix(head, []byte("\xFF\xFE")):
		o.bom = 2
	case (cs.name == UTF16BE || cs.name == UTF16LE) && bytes.HasPrefix(head, []byte("\xFE\xFF")):
		// The name "utf-16" leaves the byte order to the mark.
		o.charset, o.bom = utf16Charset(true), 2
	case cs.name == UTF32LE && bytes.HasPrefix(head, []byte(markUTF32LE)):
		o.bom = len(markUTF32LE)
	case (cs.name == UTF32BE || cs.name == UTF32LE) && bytes.HasPrefix(head, []byte(markUTF32BE)):
		o.charset, o.bom = utf32Charset(true), len(markUTF32BE)
	}
	return o, nil
}

// likeBinary reports whether bytes that are not UTF-8 have too many control
// characters, more than one in twenty, to be text in any encoding.
func likeBinary(head []byte) bool {
	n := 0
	for _, c := range head {
		if kind.Control(c) {
			n++
		}
	}
	return n*20 > len(head)
}
