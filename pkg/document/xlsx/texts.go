package xlsx

import (
	"encoding/binary"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// maxTexts limits the memory of the shared strings, in bytes.
const maxTexts = 128 << 20

// chunkBytes is the step by which the memory for texts grows without being moved, which would
// take twice as much; all texts are shorter. chunkPlaces is the same for their places.
const (
	chunkBytes  = 1 << 20
	chunkPlaces = 1 << 14
)

// texts are the shared strings (18.4.8), read up to the greatest that was asked for. Each
// is in a chunk, behind its length; their places take four bytes each.
type texts struct {
	places [][]uint32 // number of the chunk and offset in it; 0 is an empty text
	count  int        // of texts
	chunks [][]byte
	bytes  int // of all chunks and places

	s       *xmlscan.Scanner // nil once the part is read
	src     *source
	failed  error // why there are no more
	missing bool  // one was asked for that is not there
	plain   bool
	buf     []byte
}

// text returns a shared string; ok is false if there is none. It is valid for as long as
// the book.
func (b *Book) text(id int) (text []byte, ok bool) {
	if b.strings == nil {
		b.strings = b.openTexts()
	}
	t := b.strings
	if id >= t.count && t.s != nil {
		t.readTo(id)
	}
	if id < 0 || id >= t.count {
		t.missing = true
		return nil, false
	}
	place := t.places[id/chunkPlaces][id%chunkPlaces]
	if place == 0 {
		return nil, true
	}
	at := t.chunks[place>>20][place&(chunkBytes-1):]
	length, n := binary.Uvarint(at)
	return at[n : n+int(length)], true
}

// openTexts opens the shared strings.
func (b *Book) openTexts() *texts {
	t := &texts{plain: b.plain}
	part := "xl/sharedStrings.xml"
	if r, ok := b.rels.Of("sharedStrings"); ok && !r.External {
		part = r.Target
	}
	src, err := b.source(part)
	if err != nil {
		t.failed = err
		return t
	}
	t.s, t.src = xmlscan.New(src), src
	return t
}

// resumeTexts lets another call read on where the last one ended.
func (b *Book) resumeTexts() {
	t := b.strings
	if t == nil {
		return
	}
	t.missing = false
	switch {
	case t.src == nil:
	case t.failed != nil && t.src.ctx.Err() != nil: // the last call was ended
		b.strings = nil
	default:
		t.src.ctx = b.ctx
	}
}

// err returns the reason why a text was missing; nil if none was.
func (t *texts) err() error {
	switch {
	case t == nil || !t.missing:
		return nil
	case t.failed != nil:
		return t.failed
	}
	return damaged(fault.T("cells refer to texts that it does not have"))
}

// readTo reads texts up to the one of an ID.
func (t *texts) readTo(id int) {
	for t.count <= id {
		if t.bytes > maxTexts {
			t.failed = fault.New(fault.TooLarge, fault.T("the texts of the workbook take more than %d bytes", maxTexts)).
				WithHint(fault.T("save its sheets as workbooks of their own"))
			t.end()
			return
		}
		if !t.plain && t.fast() {
			continue
		}
		switch t.s.Next() {
		case xmlscan.Start:
			if t.s.Local() == "si" {
				t.buf = readRich(t.s, t.buf[:0])
				if t.s.Err() == nil { // else it is cut off
					t.add(unescape(t.buf))
				}
			}
		case xmlscan.EOF:
			t.failed = t.s.Err()
			t.end()
			return
		}
	}
}

func (t *texts) end() {
	t.src.Close()
	t.s = nil
}

// fast reads what follows if it is a plain text as nearly all are: <si><t>…</t></si> or
// <si/>.
func (t *texts) fast() bool {
	const begin, end = "<si><t", "</si>"
	for _, least := range [...]int{len(begin), fastBytes} {
		b := t.s.Peek(least)
		if hasPrefix(b, "<si/>") {
			t.add(nil)
			t.s.Discard(len("<si/>"))
			return true
		}
		if !hasPrefix(b, begin) {
			return false
		}
		if value, rest, ok := plainText(b[len(begin):]); ok && hasPrefix(rest, end) {
			t.buf = append(t.buf[:0], value...)
			t.s.Discard(len(b) - len(rest) + len(end))
			t.add(unescape(t.buf))
			return true
		}
		if len(b) >= fastBytes {
			break
		}
	}
	return false
}

// add appends a text to the table.
func (t *texts) add(text []byte) {
	if t.count%chunkPlaces == 0 {
		t.places = append(t.places, make([]uint32, 0, chunkPlaces))
		t.bytes += 4 * chunkPlaces
	}
	places := &t.places[t.count/chunkPlaces]
	t.count++
	if len(text) == 0 {
		*places = append(*places, 0)
		return
	}
	const longest = sheet.MaxText + binary.MaxVarintLen32
	n := len(t.chunks) - 1
	if n < 0 || cap(t.chunks[n])-len(t.chunks[n]) < len(text)+binary.MaxVarintLen32 {
		size := chunkBytes
		if n < 0 {
			size = longest // most workbooks have little text
		}
		c := make([]byte, 0, size)
		if n < 0 {
			c = append(c, 0) // no text is at place 0
		}
		t.chunks = append(t.chunks, c)
		t.bytes += size
		n++
	}
	c := t.chunks[n]
	*places = append(*places, uint32(n<<20|len(c)))
	c = binary.AppendUvarint(c, uint64(len(text)))
	t.chunks[n] = append(c, text...)
}
