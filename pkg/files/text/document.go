package text

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"unicode/utf8"
	"unsafe"

	"github.com/helve-dev/helve/pkg/fault"
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
	// Declined is the encoding that the caller named, if the bytes are not valid in it:
	// Encoding is then the detected one.
	Declined string

	charset charset
	mark    []byte // the byte order mark
	body    []byte // what follows it
	exact   bool   // Text, encoded, is body
	fit     fit
}

// Decode detects the encoding of a file's bytes and decodes them. The first of these
// decides:
//
//   - hint, the name of an encoding as WHATWG or IANA know it, or "", if all bytes
//     decode; see Declined
//   - a byte order mark
//   - for bytes with a NUL the pattern of UTF-32 or UTF-16
//   - the escape sequences of ISO-2022-JP in what is otherwise ASCII
//   - validity as UTF-8
//   - UTF-8 with a few stray bytes
//   - what the text declares about itself, then statistics, if all bytes decode
//   - [Raw8Bit], which fits everything
//
// The Document keeps raw, which must not change. The faults are binary_file and
// encoding_unsupported.
func Decode(raw []byte, hint string) (*Document, error) {
	named, known := lookup(hint)
	d, err := decode(raw, hint)
	if !known || err == nil && d.fit.clean() {
		return d, err
	}
	detected, again := decode(raw, "")
	switch {
	case again == nil && d == nil, again == nil && declines(d.fit, detected.Encoding, detected.fit):
		detected.Declined = named.name
		return detected, nil
	case d == nil:
		return nil, fault.As(err).Because(again)
	}
	return d, nil
}

// decode is [Decode] without a second try.
func decode(raw []byte, hint string) (*Document, error) {
	o, err := begin(raw, hint)
	if err != nil {
		return nil, err
	}
	d := &Document{mark: raw[:o.bom], body: raw[o.bom:], BOM: o.bom > 0}
	fits := d.as(o.charset)
	switch {
	case !fits && o.settled:
		return nil, notIn(o.charset.name)
	case o.settled:
		return d, nil
	case d.exact && o.charset.name == UTF8 && shifts(d.body):
		if jp, _ := lookup(ISO2022JP); !d.as(jp) || !d.fit.clean() || foreign([]byte(d.Text)) == len(d.Text) {
			d.as(utf8Charset())
		}
		return d, nil
	case d.exact:
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
		if d.as(cs) && d.fit.clean() {
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
	d.Text, d.exact, d.Damaged, d.fit = "", true, nil, fit{}
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
		d.Damaged, d.fit = c.damage.lines, fit{lost: c.invalid, kept: c.multibyte}
	default:
		var lost damage
		lost.decoded(d.Text)
		d.Damaged, d.fit = lost.lines, lost.fit
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
