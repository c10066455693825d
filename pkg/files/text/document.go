package text

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"unicode/utf8"
	"unsafe"
)

// Document is a decoded text file. It keeps what it needs to encode a changed text
// without changing any other byte of the file. [Decode] returns it.
type Document struct {
	// Text is the file's text in UTF-8, with the line endings of the file and
	// without its byte order mark.
	Text string
	// Encoding is the name of the file's encoding: "utf-8", "utf-16le", …, a name
	// of the WHATWG Encoding Standard or of IANA, or [Raw8Bit].
	Encoding string
	// BOM says that the file begins with a byte order mark.
	BOM bool
	// Damaged are the first twenty lines, from 1, with bytes that are not valid in
	// Encoding. Text shows them as U+FFFD; the file keeps them.
	Damaged []int

	charset charset
	mark    []byte // the byte order mark
	body    []byte // what follows it
	exact   bool   // Text, encoded, is body
}

// Decode detects the encoding of a file's bytes and decodes them. The first of these
// decides:
//
//   - hint, the name of an encoding as WHATWG or IANA know it, or ""
//   - a byte order mark
//   - validity as UTF-8, or for bytes with a NUL the pattern of UTF-16
//   - UTF-8 with a few stray bytes
//   - what the text declares about itself, then statistics, if all bytes decode
//   - [Raw8Bit], which fits everything
//
// The Document keeps raw, which must not change. The faults are binary_file and
// encoding_unsupported.
func Decode(raw []byte, hint string) (*Document, error) {
	o, err := begin(raw, hint)
	if err != nil {
		return nil, err
	}
	d := &Document{mark: raw[:o.bom], body: raw[o.bom:], BOM: o.bom > 0}
	fits := d.as(o.charset)
	switch {
	case !fits && o.settled:
		return nil, notIn(o.charset.name)
	case o.settled, d.exact:
		return d, nil
	case o.charset.name != UTF8:
		return nil, binaryFault() // it only looked like UTF-16
	}
	var c census
	if c.count(d.body); c.mostlyUTF8() {
		return d, nil
	}
	if likeBinary(raw[:min(len(raw), HeadBytes)]) {
		return nil, binaryFault()
	}
	for _, cs := range guesses(raw, raw[foreign(raw):]) {
		if d.as(cs) && len(d.Damaged) == 0 {
			return d, nil
		}
	}
	d.as(rawCharset())
	return d, nil
}

// as decodes the body as cs and records how well it fits. It returns false if the
// bytes cannot be decoded at all.
func (d *Document) as(cs charset) bool {
	d.charset, d.Encoding = cs, cs.name
	d.Text, d.exact, d.Damaged = "", true, nil
	if cs.name == UTF8 && utf8.Valid(d.body) {
		// Share the bytes, so that a large file is in memory once. They must not
		// change, which Decode requires of its caller.
		d.Text = unsafe.String(unsafe.SliceData(d.body), len(d.body))
		return true
	}
	decoded, err := cs.enc.NewDecoder().Bytes(d.body)
	if err != nil {
		d.exact = false
		return false
	}
	d.Text = string(decoded)
	back, err := cs.enc.NewEncoder().Bytes(decoded)
	d.exact = err == nil && bytes.Equal(back, d.body)
	switch {
	case d.exact:
	case cs.name == UTF8:
		var c census
		c.count(d.body)
		d.Damaged = c.damage.lines
	default:
		var lost damage
		lost.decoded(d.Text)
		d.Damaged = lost.lines
	}
	return true
}

// Raw returns the file's bytes.
func (d *Document) Raw() []byte {
	return append(slices.Clip(d.mark), d.body...)
}

// Sum returns the short hash that names the state of a file: the first 16 hexadecimal
// digits of the SHA-256 of its bytes.
func Sum(raw []byte) string {
	sum := sha256.Sum256(raw)
	return shortSum(sum[:])
}

func shortSum(sum []byte) string { return hex.EncodeToString(sum[:8]) }
