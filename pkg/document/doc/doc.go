// Package doc reads the documents of Word 97 to 2003: their text, with headings, tables,
// notes, links, text boxes and plain emphasis. Numbers of lists, pictures and what else is drawn
// are not read. Of Word 6 and 95 it reads the text alone.
//
// The format is MS-DOC:
// https://learn.microsoft.com/en-us/openspecs/office_file_formats/ms-doc
package doc

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/compound"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
)

// maxStream limits the size of each stream of a document, in bytes.
const maxStream = 64 << 20

// Document is an open document.
type Document struct {
	file        *compound.File
	main, table []byte     // the streams
	text        []rune     // of all parts of the document, by character position
	counts      [parts]int // characters of each part; they lie one behind the other
	places      []piece
	paragraphs  []run
	characters  []run
	styles      []style
}

var _ document.Reader = (*Document)(nil)

// word97 is the first version of the format that is read with its looks.
const word97 = 0xc1

// Open reads a document into memory. The faults are bad_document, encrypted_document, and
// unsupported_content for documents of versions before 6.
func Open(file *compound.File) (*Document, error) {
	d := &Document{file: file}
	var err error
	if d.main, err = stream(file, "WordDocument"); err != nil {
		return nil, err
	}
	const encrypted, second = 0x0100, 0x0200 // 2.5.2
	if len(d.main) < 0x200 {
		return nil, damaged(fault.T("it has no header"))
	}
	if d.short(10)&encrypted != 0 {
		return nil, fault.New(fault.EncryptedDocument, fault.T("the document is encrypted")).
			WithHint(fault.T("open it in Word or LibreOffice and save it without a password"))
	}
	if d.short(2) < word97 {
		return d, d.readOld()
	}
	name := "0Table"
	if d.short(10)&second != 0 {
		name = "1Table"
	}
	if d.table, err = stream(file, name); err != nil {
		return nil, err
	}
	if err := d.readText(); err != nil {
		return nil, err
	}
	for i := range d.counts {
		d.counts[i] = d.count(ccpText + 4*i)
	}
	d.paragraphs = d.readRuns(plcfBtePapx)
	d.characters = d.readRuns(plcfBteChpx)
	d.readStyles()
	return d, nil
}

func stream(file *compound.File, name string) ([]byte, error) {
	r, err := file.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, damaged(fault.T("it has no stream %s", name))
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, maxStream))
}

func damaged(why fault.Text) *fault.Error {
	return fault.New(fault.BadDocument, fault.T("the Word document is damaged: %s", why)).
		WithHint(fault.T("it may be incomplete: get the file again, or convert a copy with: soffice --headless --convert-to docx FILE"))
}

// Info returns the title and the author.
func (d *Document) Info() document.Info {
	info := document.Info{Format: "doc"}
	info.Title, info.Author = d.file.Summary()
	return info
}

// Render writes the document; its notes come at the end.
func (d *Document) Render(ctx context.Context, q *document.Request, w *markdown.Writer) error {
	return newWriter(d, q, w).render(ctx)
}

// short returns the two bytes of the header at an offset; 0 beyond its end.
func (d *Document) short(at int) int {
	if at < 0 || at+2 > len(d.main) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(d.main[at:]))
}

// count returns a count of characters of the header (2.5.4).
func (d *Document) count(at int) int {
	if at+4 > len(d.main) {
		return 0
	}
	return max(0, int(int32(binary.LittleEndian.Uint32(d.main[at:]))))
}

// ccpText is the offset of the counts of characters in the header (2.5.4).
const ccpText = 0x4c

// The parts of a document, in the order of their characters. Macros are reserved now.
const (
	mainText = iota
	footnotes
	headers
	macros
	remarks
	endnotes
	boxes
	headerBoxes
	parts
)

// span returns the characters of a part.
func (d *Document) span(part int) (from, last int) {
	for _, n := range d.counts[:part] {
		from += n
	}
	return min(from, len(d.text)), min(from+d.counts[part], len(d.text))
}

// Parts of the table stream by their numbers in the header (2.5.6).
const (
	stshf       = 1
	plcffndRef  = 2
	plcffndTxt  = 3
	plcfBteChpx = 12
	plcfBtePapx = 13
	clxPart     = 33
	plcfendRef  = 46
	plcfendTxt  = 47
)

// part returns a part of the table stream; the header has its place (2.5.6).
func (d *Document) part(number int) []byte {
	at := 0x9a + 8*number
	if number >= d.short(0x98) || at+8 > len(d.main) {
		return nil
	}
	from := int64(binary.LittleEndian.Uint32(d.main[at:]))
	size := int64(binary.LittleEndian.Uint32(d.main[at+4:]))
	if from > int64(len(d.table)) {
		return nil
	}
	return d.table[from:min(from+size, int64(len(d.table)))]
}
