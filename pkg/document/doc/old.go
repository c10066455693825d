package doc

import (
	"encoding/binary"
	"strings"

	"github.com/helve-dev/helve/pkg/document/codepage"
	"github.com/helve-dev/helve/pkg/fault"
)

// Places in the header of Word 6 and 95.
const (
	word6      = 0x65
	oldLocale  = 0x06
	oldFirst   = 0x18 // of the text in the stream
	oldCounts  = 0x34 // of the characters of each part
	oldClx     = 0x160
	oldComplex = 0x4 // the text lies in pieces
)

// readOld reads the text of a document of Word 6 or 95. What its paragraphs look like is not
// read; the cells of a row stand on one line.
func (d *Document) readOld() error {
	if d.short(2) < word6 {
		return fault.New(fault.UnsupportedContent, fault.T("documents of Word 2 and before are not read")).
			WithHint(fault.T("convert a copy with: soffice --headless --convert-to docx FILE"))
	}
	raw := d.oldText()
	decoder := codepage.Encoding(oldCodePage(d.short(oldLocale))).NewDecoder()
	var all strings.Builder
	for i := range d.counts {
		n := min(d.count(oldCounts+4*i), len(raw))
		text, err := decoder.Bytes(raw[:n])
		if err != nil {
			text = raw[:n]
		}
		raw = raw[n:]
		plain := strings.NewReplacer("\a\a", "\r", "\a", "\t").Replace(string(text))
		d.counts[i] = len([]rune(plain))
		all.WriteString(plain)
	}
	if d.text = []rune(all.String()); len(d.text) == 0 {
		return damaged(fault.T("it does not say where its text is"))
	}
	return nil
}

// oldText returns the bytes of all characters, in their order.
func (d *Document) oldText() []byte {
	if d.short(10)&oldComplex == 0 {
		return d.main[min(d.count(oldFirst), len(d.main)):]
	}
	from := min(d.count(oldClx), len(d.main))
	clx := d.main[from:min(from+d.count(oldClx+4), len(d.main))]
	var text []byte
	for count, fc := range pieces(clx) {
		at := min(int(fc), len(d.main))
		text = append(text, d.main[at:min(at+count, len(d.main))]...)
		if len(text) > maxCharacters {
			break
		}
	}
	return text
}

// pieces iterates over the pieces of a document: how many characters each has, and where they lie (2.8.35).
func pieces(clx []byte) func(yield func(count int, fc uint32) bool) {
	return func(yield func(count int, fc uint32) bool) {
		for len(clx) > 3 && clx[0] == 1 { // properties that pieces share
			clx = clx[min(3+int(binary.LittleEndian.Uint16(clx[1:])), len(clx)):]
		}
		if len(clx) < 5 || clx[0] != 2 {
			return
		}
		size := min(int64(binary.LittleEndian.Uint32(clx[1:])), int64(len(clx)-5))
		table := clx[5 : 5+size]
		n := (len(table) - 4) / 12
		for i := range max(n, 0) {
			first, last := int(binary.LittleEndian.Uint32(table[4*i:])), int(binary.LittleEndian.Uint32(table[4*i+4:]))
			if last > first && !yield(last-first, binary.LittleEndian.Uint32(table[4*(n+1)+8*i+2:])) {
				return
			}
		}
	}
}

// oldCodePage returns the code page of a language.
func oldCodePage(language int) int {
	switch language {
	case 0x0404:
		return 950
	case 0x0804:
		return 936
	}
	switch language & 0x3ff {
	case 0x01, 0x20, 0x29: // Arabic, Urdu, Persian
		return 1256
	case 0x05, 0x0e, 0x15, 0x18, 0x1a, 0x1b, 0x1c, 0x24: // Czech, Hungarian, Polish, Romanian, …
		return 1250
	case 0x02, 0x19, 0x22, 0x23, 0x2f: // Bulgarian, Russian, Ukrainian, …
		return 1251
	case 0x08:
		return 1253
	case 0x1f:
		return 1254
	case 0x0d:
		return 1255
	case 0x25, 0x26, 0x27:
		return 1257
	case 0x11:
		return 932
	case 0x12:
		return 949
	case 0x1e:
		return 874
	}
	return 1252
}
