// Package xls reads the spreadsheets of Excel before 2007: BIFF8 and BIFF5/7 in
// compound files, BIFF2 to BIFF4 as they are ([MS-XLS], and the OpenOffice.org
// documentation of the Excel file format for what is older). It reads the values that
// Excel stored and calculates nothing; formulas are put back into words.
//
// A workbook is a stream of records. Opening reads the part that belongs to the whole
// workbook; a sheet is surveyed in one pass over its records, and its rows are read in
// another one.
package xls

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/compound"
	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/officecrypt"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
)

var (
	_ sheet.Book   = (*Book)(nil)
	_ sheet.Warner = (*Book)(nil)
)

// Book is an open workbook.
type Book struct {
	stream  io.ReaderAt // of records
	cipher  officecrypt.Records
	version int // of BIFF: 2, 3, 4, 5 (also that of Excel 95), 8
	info    document.Info
	page    encoding.Encoding // of texts that are not UTF-16
	damaged bool

	date1904 bool
	locale   string // of the program that wrote it, as numfmt names it; "" if it is not known
	codes    []string
	byNumber map[int]string // codes of formats by number; BIFF5 and BIFF8
	xfs      []uint16       // the format's number of each XF
	formats  map[int]*numfmt.Format

	sheets  []*worksheet
	tabs    []int // index of each sheet that the file counts; -1 for one that is not shown
	names   []name
	links   links
	strings struct {
		at    int64 // of the record SST; 0 if there is none
		table *shared
	}
	drawings []segment // of the record MSODRAWINGGROUP
	blips    []blip    // what these hold, once it was looked for
}

// worksheet is a sheet and what is known of it.
type worksheet struct {
	sheet.Sheet
	at     int64 // of its BOF
	survey *survey
}

// Is reports whether a file that begins with head is a workbook outside of a compound
// file: BIFF2 to BIFF4, and BIFF5 of programs that do not write the container.
func Is(head []byte) bool {
	if len(head) < 8 || head[0] != 0x09 {
		return false
	}
	switch kind := le16(head[6:]); kind {
	case bofGlobals, bofSheet, bofChart, bofMacro, bofWorkspace:
	default:
		return false
	}
	switch le16(head) {
	case recBOF2:
		return head[2] == 4 && head[3] == 0
	case recBOF3, recBOF4:
		return head[2] == 6 && head[3] == 0
	case recBOF:
		return (head[2] == 8 || head[2] == 16) && head[3] == 0
	}
	return false
}

// Open opens a workbook. Of a workbook that is encrypted it tries the password that
// Excel uses where none was set before the given one. The faults are bad_document and
// encrypted_document.
func Open(ctx context.Context, file io.ReaderAt, size int64, password string) (*Book, error) {
	b := &Book{page: charmap.Windows1252, info: document.Info{Format: "xls"}, formats: map[int]*numfmt.Format{}, byNumber: map[int]string{}}
	head := make([]byte, 8)
	n, err := file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch {
	case compound.Is(head[:n]):
		if err := b.openCompound(file, size); err != nil {
			return nil, err
		}
	case Is(head[:n]):
		b.stream = io.NewSectionReader(file, 0, size)
	default:
		return nil, fault.New(fault.BadDocument, fault.T("the file is not a workbook of Excel 97 or before"))
	}
	if err := b.readGlobals(ctx, password); err != nil {
		return nil, err
	}
	if len(b.sheets) == 0 {
		return nil, fault.New(fault.BadDocument, fault.T("the workbook has no sheets")).
			WithHint(fault.T("it may be incomplete: get the file again"))
	}
	return b, nil
}

// openCompound finds the stream of records. Files for two versions of Excel have two of
// them; BIFF8 is the better one.
func (b *Book) openCompound(file io.ReaderAt, size int64) error {
	c, err := compound.Open(file, size)
	if err != nil {
		return err
	}
	stream, err := c.Open("Workbook")
	if errors.Is(err, fs.ErrNotExist) {
		stream, err = c.Open("Book")
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.BadDocument, fault.T("the compound file holds no workbook"))
	}
	if err != nil {
		return err
	}
	b.stream, b.damaged = stream, c.Damaged()
	b.info.Title, b.info.Author = c.Summary()
	return nil
}

// Info implements [sheet.Book].
func (b *Book) Info() document.Info { return b.info }

// Date1904 implements [sheet.Book].
func (b *Book) Date1904() bool { return b.date1904 }

// Sheets implements [sheet.Book].
func (b *Book) Sheets() []sheet.Sheet {
	list := make([]sheet.Sheet, len(b.sheets))
	for i, s := range b.sheets {
		list[i] = s.Sheet
	}
	return list
}

// Warnings implements [sheet.Warner].
func (b *Book) Warnings() []fault.Text {
	if !b.damaged {
		return nil
	}
	return []fault.Text{fault.T("the file is damaged or cut off: some of the workbook may be missing")}
}

// scan returns a scanner that reads the records from a position on.
func (b *Book) scan(at int64) *scanner { return &scanner{r: b.stream, cipher: b.cipher, pos: at} }

// narrow returns text in the code page of the workbook as UTF-8.
func (b *Book) narrow(data []byte) string { return string(appendPage(nil, data, b.page)) }

// nameOf returns a name as it is in a record: count bytes or characters.
func (b *Book) nameOf(data []byte, count int) (string, []byte) {
	if b.version == 8 {
		return short(data, count)
	}
	count = min(count, len(data))
	return b.narrow(data[:count]), data[count:]
}

// format returns the number format of a cell by its XF; nil is General.
func (b *Book) format(xf int) *numfmt.Format {
	if xf < 0 || xf >= len(b.xfs) {
		return nil
	}
	return b.formatNumbered(int(b.xfs[xf]))
}

func (b *Book) formatNumbered(number int) *numfmt.Format {
	if f, ok := b.formats[number]; ok {
		return f
	}
	var code string
	if b.version < 5 {
		if number < len(b.codes) {
			code = b.codes[number]
		}
	} else {
		var ok bool
		if code, ok = b.byNumber[number]; !ok {
			code = numfmt.Builtin(number, b.locale)
		}
	}
	var f *numfmt.Format
	if code != "" && !strings.EqualFold(code, "General") {
		f = numfmt.Parse(code)
	}
	b.formats[number] = f
	return f
}
