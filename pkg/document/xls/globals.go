package xls

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/document/codepage"
	"github.com/helve-dev/helve/pkg/document/officecrypt"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
)

// Kinds of substreams, as BOF names them.
const (
	bofGlobals   = 0x05
	bofSheet     = 0x10
	bofChart     = 0x20
	bofMacro     = 0x40
	bofWorkspace = 0x100
)

// Limits of what belongs to the whole workbook.
const (
	maxSheets  = 4096
	maxXFs     = 1 << 16
	maxFormats = 1 << 14
	maxNames   = 1 << 14
)

// checkEvery is the number of records after which a reader checks its context.
const checkEvery = 4096

// readGlobals reads the first substream. In BIFF2 to BIFF4 that is the only sheet, too,
// except in workspaces of BIFF4, which hold several.
func (b *Book) readGlobals(ctx context.Context, password string) error {
	s := b.scan(0)
	if !s.next() || !b.readVersion(s) {
		if s.err != nil {
			return s.err
		}
		return fault.New(fault.BadDocument, fault.T("the workbook does not begin as one"))
	}
	start, kind := int64(0), 0
	if len(s.data) >= 4 {
		kind = le16(s.data[2:])
	}
	depth := 1
	for n := 0; depth > 0; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !s.next() {
			b.damaged = true
			break
		}
		switch {
		case isBOF(s.id):
			depth++
			if kind == bofWorkspace && depth == 2 {
				b.addSheet(worksheet{Sheet: sheet.Sheet{Name: fmt.Sprintf("Sheet%d", len(b.sheets)+1)}, at: s.at - 4})
			}
		case s.id == recEOF:
			depth--
		case s.id == recFilePass:
			var err error
			if b.cipher, err = officecrypt.NewRecords(s.data, b.version == 8, password); err != nil {
				return err
			}
			s.cipher = b.cipher
		case depth == 1 || kind == bofWorkspace:
			b.global(s)
		}
	}
	if s.err != nil {
		return s.err
	}
	if b.version < 5 && kind != bofWorkspace {
		b.addSheet(worksheet{Sheet: sheet.Sheet{Name: "Sheet1"}, at: start})
	}
	if len(b.sheets) == 0 {
		return b.findSheets(ctx)
	}
	return nil
}

// readVersion reads the first record.
func (b *Book) readVersion(s *scanner) bool {
	switch s.id {
	case recBOF2:
		b.version = 2
	case recBOF3:
		b.version = 3
	case recBOF4:
		b.version = 4
	case recBOF:
		b.version = 8
		if len(s.data) >= 2 && le16(s.data) == 0x0500 {
			b.version = 5
		}
	default:
		return false
	}
	return true
}

// findSheets looks for the records that begin sheets where no list names them: the file
// is damaged before the list, or consists of one sheet.
func (b *Book) findSheets(ctx context.Context) error {
	begin := []byte{0x09, 0x08, 0x10, 0x00, 0x00, 0x06, bofSheet, 0x00}
	if b.version == 5 {
		begin[2], begin[5] = 0x08, 0x05
	}
	buffer := make([]byte, bufferSize)
	for at := int64(0); ; at += int64(len(buffer) - len(begin) + 1) { // a beginning may lie across two reads
		if ctx.Err() != nil {
			return ctx.Err()
		}
		n, err := b.stream.ReadAt(buffer, at)
		for off := 0; ; off += len(begin) {
			i := bytes.Index(buffer[off:n], begin)
			if i < 0 {
				break
			}
			off += i
			b.addSheet(worksheet{Sheet: sheet.Sheet{Name: fmt.Sprintf("Sheet%d", len(b.sheets)+1)}, at: at + int64(off)})
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// global reads a record that belongs to the whole workbook.
func (b *Book) global(s *scanner) {
	d := s.data
	switch s.id {
	case recCodePage:
		if len(d) >= 2 {
			b.page = codepage.Encoding(le16(d))
		}
	case recDate1904:
		b.date1904 = len(d) >= 2 && le16(d) == 1
	case recCountry:
		if len(d) >= 2 {
			b.locale = country(le16(d))
		}
	case recFormat, recFormat2:
		b.readFormat(d)
	case recXF, recXF3, recXF4, recXF2:
		b.readXF(s.id, d)
	case recBoundSheet:
		b.readBoundSheet(d)
	case recSheetHeader: // the name of the sheet whose BOF comes next
		if len(d) >= 5 && len(b.sheets) > 0 && s.peek() >= 0 {
			b.sheets[len(b.sheets)-1].Name, _ = b.nameOf(d[5:], int(d[4]))
		}
	case recSST:
		b.strings.at = s.at - 4
	case recName, recName3:
		b.readName(d)
	case recSupBook:
		b.readSupBook(d)
	case recExternSheet:
		b.readExternSheet(s)
	case recExternName, recExternName3:
		b.readExternName(d)
	case recDrawGroup:
		b.drawings = append(b.drawings, segment{s.at, len(d)})
		for s.peek() == recContinue && s.next() {
			b.drawings = append(b.drawings, segment{s.at, len(s.data)})
		}
	}
}

// readFormat reads FORMAT. Before BIFF5 the formats are numbered as they come.
func (b *Book) readFormat(d []byte) {
	if len(b.codes)+len(b.byNumber) >= maxFormats {
		return
	}
	switch {
	case b.version <= 3 && len(d) >= 1:
		code, _ := b.nameOf(d[1:], int(d[0]))
		b.codes = append(b.codes, code)
	case b.version == 4 && len(d) >= 3:
		code, _ := b.nameOf(d[3:], int(d[2]))
		b.codes = append(b.codes, code)
	case b.version == 5 && len(d) >= 3:
		b.byNumber[le16(d)], _ = b.nameOf(d[3:], int(d[2]))
	case b.version == 8 && len(d) >= 5:
		b.byNumber[le16(d)], _ = b.nameOf(d[4:], le16(d[2:]))
	}
}

// readXF reads of a cell's style which number format it has. Cells of BIFF2 say that
// themselves.
func (b *Book) readXF(id int, d []byte) {
	if len(b.xfs) >= maxXFs {
		return
	}
	number := 0
	switch {
	case id == recXF && len(d) >= 4:
		number = le16(d[2:])
	case id == recXF3 && len(d) >= 2, id == recXF4 && len(d) >= 2:
		number = int(d[1])
	case id == recXF2 && len(d) >= 3:
		number = int(d[2] & 0x3F)
	}
	b.xfs = append(b.xfs, uint16(number))
}

// readBoundSheet reads BOUNDSHEET: where a sheet is, its state, kind and name (MS-XLS
// 2.4.28).
func (b *Book) readBoundSheet(d []byte) {
	if len(d) < 7 || b.version < 5 {
		return
	}
	w := worksheet{at: int64(le32(d))}
	switch d[4] & 3 {
	case 1:
		w.State = sheet.Hidden
	case 2:
		w.State = sheet.VeryHidden
	}
	switch d[5] {
	case 1:
		w.Kind = sheet.Macrosheet
	case 2:
		w.Kind = sheet.Chartsheet
	case 6: // a module of Visual Basic
		b.tabs = append(b.tabs, -1)
		return
	}
	w.Name, _ = b.nameOf(d[7:], int(d[6]))
	b.tabs = append(b.tabs, len(b.sheets))
	b.addSheet(w)
}

// addSheet lists a sheet.
func (b *Book) addSheet(w worksheet) {
	if len(b.sheets) >= maxSheets {
		b.damaged = true
		return
	}
	if w.State == "" {
		w.State = sheet.Visible
	}
	if w.Kind == "" {
		w.Kind = sheet.Worksheet
	}
	w.Name = strings.ToValidUTF8(strings.ReplaceAll(w.Name, "\x00", ""), "\uFFFD")
	b.sheets = append(b.sheets, &w)
}

// country returns the locale of a country as COUNTRY names it, by its number in the
// telephone system, where formats depend on it.
func country(number int) string {
	switch number {
	case 81:
		return "ja-JP"
	case 82:
		return "ko-KR"
	case 86:
		return "zh-CN"
	case 886:
		return "zh-TW"
	case 66:
		return "th-TH"
	}
	return ""
}
