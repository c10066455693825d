// Package ppt reads the slides of PowerPoint 97 to 2003: their text and notes. Pictures,
// charts and the places of shapes are not read.
//
// The format is MS-PPT:
// https://learn.microsoft.com/en-us/openspecs/office_file_formats/ms-ppt
package ppt

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/compound"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// maxStream limits the size of the stream of a presentation, in bytes.
	maxStream = 128 << 20
	// maxSlides, maxObjects and maxEdits limit the lists.
	maxSlides  = 20_000
	maxObjects = 200_000
	maxEdits   = 1000
)

// dualStorage is the storage of a presentation that PowerPoint 95 can read, too: what is beside
// it is for that.
const dualStorage = "PP97_DUALSTORAGE"

// Document is an open presentation.
type Document struct {
	file   *compound.File
	data   []byte
	places map[uint32]uint32 // where objects are, by their identifiers
	slides []slide
	notes  map[uint32][]text // by the identifier of the slide
	left   int               // bytes of objects that may be looked into
}

// slide is a slide as the document lists it, with the texts of its placeholders.
type slide struct {
	object, id uint32
	texts      []text
}

// text is the text of one shape.
type text struct {
	kind uint32 // of 2.9.42
	text string
}

var _ document.Reader = (*Document)(nil)

// Open reads a presentation into memory. The faults are bad_document and
// encrypted_document.
func Open(file *compound.File) (*Document, error) {
	d := &Document{file: file, places: map[uint32]uint32{}, notes: map[uint32][]text{}}
	within := ""
	switch {
	case file.Find(dualStorage) != nil:
		within = dualStorage + "/"
	case file.Find("PP40") != nil && file.Find("PowerPoint Document") == nil:
		return nil, fault.New(fault.UnsupportedContent, fault.T("presentations of PowerPoint 95 are not read")).
			WithHint(fault.T("convert a copy with: soffice --headless --convert-to pptx FILE"))
	}
	var err error
	if d.data, err = stream(file, within+"PowerPoint Document"); err != nil {
		return nil, err
	}
	d.left = 4 * len(d.data)
	user, err := stream(file, within+"Current User")
	if err != nil {
		return nil, err
	}
	if len(user) < 20 {
		return nil, damaged(fault.T("it does not say where it begins"))
	}
	const encrypted = 0xf3d1c4df // 2.3.2
	if binary.LittleEndian.Uint32(user[12:]) == encrypted {
		return nil, locked()
	}
	root, err := d.readEdits(binary.LittleEndian.Uint32(user[16:]))
	if err != nil {
		return nil, err
	}
	d.readDocument(root)
	if len(d.slides) == 0 && len(d.object(root)) == 0 {
		return nil, damaged(fault.T("it has no document"))
	}
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
	return fault.New(fault.BadDocument, fault.T("the presentation is damaged: %s", why)).
		WithHint(fault.T("it may be incomplete: get the file again, or convert a copy with: soffice --headless --convert-to pptx FILE"))
}

func locked() error {
	return fault.New(fault.EncryptedDocument, fault.T("the presentation is encrypted")).
		WithHint(fault.T("open it in PowerPoint or LibreOffice and save it without a password"))
}

// Info returns the title, the author and the number of slides.
func (d *Document) Info() document.Info {
	info := document.Info{Format: "ppt", Slides: len(d.slides)}
	info.Title, info.Author = d.file.Summary()
	return info
}

// readEdits reads where objects are: each time the presentation was saved, some moved. It
// returns the identifier of the document.
func (d *Document) readEdits(at uint32) (root uint32, err error) {
	for n := range maxEdits {
		kind, body := d.record(at)
		const userEdit, directory = 4085, 6002
		if kind != userEdit || len(body) < 20 {
			if n == 0 {
				return 0, damaged(fault.T("it does not say where its slides are"))
			}
			return root, nil
		}
		if n == 0 {
			root = binary.LittleEndian.Uint32(body[16:])
			if len(body) >= 32 && binary.LittleEndian.Uint32(body[28:]) != 0 {
				return 0, locked()
			}
		}
		if kind, list := d.record(binary.LittleEndian.Uint32(body[12:])); kind == directory {
			d.readPlaces(list)
		}
		before := binary.LittleEndian.Uint32(body[8:])
		if before == 0 || before >= at {
			break
		}
		at = before
	}
	return root, nil
}

// readPlaces reads a directory of objects (2.3.4). The entry of a later save stays.
func (d *Document) readPlaces(list []byte) {
	for len(list) >= 4 {
		head := binary.LittleEndian.Uint32(list)
		first, count := head&0xfffff, int(head>>20)
		list = list[4:]
		for i := 0; i < count && len(list) >= 4; i++ {
			id := first + uint32(i)
			if _, known := d.places[id]; !known && len(d.places) < maxObjects {
				d.places[id] = binary.LittleEndian.Uint32(list)
			}
			list = list[4:]
		}
	}
}

// record returns the record at an offset: its type and its content.
func (d *Document) record(at uint32) (kind int, body []byte) {
	if uint64(at)+8 > uint64(len(d.data)) {
		return 0, nil
	}
	kind, _, body, _ = next(d.data[at:])
	return kind, body
}

// next splits the first record off (2.3.1); kind is 0 at the end.
func next(b []byte) (kind, instance int, body, rest []byte) {
	if len(b) < 8 {
		return 0, 0, nil, nil
	}
	size := min(uint64(binary.LittleEndian.Uint32(b[4:])), uint64(len(b)-8))
	return int(binary.LittleEndian.Uint16(b[2:])), int(binary.LittleEndian.Uint16(b) >> 4), b[8 : 8+size], b[8+size:]
}

// object returns the content of an object by its identifier.
func (d *Document) object(id uint32) []byte {
	at, ok := d.places[id]
	if !ok {
		return nil
	}
	_, body := d.record(at)
	if d.left -= len(body); d.left < 0 {
		return nil // many identifiers are of one object
	}
	return body
}

// Render writes the slides that are wanted, each with its title, its texts and its notes.
func (d *Document) Render(ctx context.Context, q *document.Request, w *markdown.Writer) error {
	pages, err := document.ParsePages(q.Pages, len(d.slides))
	if err != nil {
		return err
	}
	d.left = 4 * len(d.data)
	at := 0
	for number := range pages.All {
		if w.Full() || ctx.Err() != nil {
			break
		}
		at++
		q.At(at, pages.Len())
		d.slide(number, w)
		if at > 1 && d.left < 0 {
			q.Leave(pages.From(at - 1)) // this one again: it may lack something
			break
		}
	}
	return ctx.Err()
}

func (d *Document) slide(number int, w *markdown.Writer) {
	s := &d.slides[number-1]
	c := content{listed: slices.Clone(s.texts)}
	c.read(d.object(s.object), 0)
	texts := c.texts
	if len(texts) == 0 {
		texts = s.texts
	}
	head, title := "Slide "+strconv.Itoa(number), -1
	for i, t := range texts {
		if t.isTitle() && strings.TrimSpace(t.text) != "" {
			title = i
			head += ": " + markdown.Escape(strings.Join(strings.Fields(t.text), " "))
			break
		}
	}
	if c.hidden {
		head += " (hidden)"
	}
	w.Heading(2, head)
	for i, t := range texts {
		if i == title {
			continue
		}
		for _, line := range t.lines() {
			if t.isList() {
				w.Item(0, "-", line)
			} else {
				w.Paragraph(line)
			}
		}
	}
	var notes []string
	for _, t := range d.notes[s.id] {
		notes = append(notes, t.lines()...)
	}
	if len(notes) > 0 {
		w.Quote("Notes: " + strings.Join(notes, "\n\n"))
	}
}

func (t text) isTitle() bool { return t.kind == 0 || t.kind == 6 }
func (t text) isList() bool  { return t.kind == 1 || t.kind == 7 || t.kind == 8 }

// lines returns the paragraphs that are not empty, as inline Markdown.
func (t text) lines() (lines []string) {
	for line := range strings.SplitSeq(t.text, "\r") {
		if line = strings.TrimSpace(line); line == "" || line == "*" { // the place of a number or a date
			continue
		}
		var in markdown.Inline
		for i, part := range strings.Split(line, "\v") {
			if i > 0 {
				in.Break()
			}
			in.Text(part, 0, "")
		}
		lines = append(lines, in.String())
	}
	return lines
}

// wide decodes UTF-16.
func wide(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// narrow decodes characters below 256.
func narrow(b []byte) string {
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}
