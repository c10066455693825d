// Package lookalike reads what programs call .xls and write as something else, which
// Excel opens all the same: tables in HTML, web archives (MHTML), the XML of Excel 2003
// (SpreadsheetML) and SYLK. Each becomes a spreadsheet whose warning says what it is.
package lookalike

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/text"
)

var (
	_ sheet.Book   = (*Book)(nil)
	_ sheet.Warner = (*Book)(nil)
)

// maxBytes limits the size of such a file: it is read as a whole.
const maxBytes = 64 << 20

// Kind is the real format of a file with the extension .xls.
type Kind uint8

// The kinds of files; None is another one.
const (
	None Kind = iota
	HTML
	MHTML
	XML2003
	SYLK
)

// headBytes is the size of the beginning that decides the kind of a file.
const headBytes = 4 << 10

// kindOf returns what a file that begins with head is. HTML counts only if the file is
// called .xls: call it then.
func kindOf(head []byte) Kind {
	head = head[:min(len(head), headBytes)]
	if bytes.HasPrefix(head, []byte("\xFF\xFE")) || bytes.HasPrefix(head, []byte("\xFE\xFF")) {
		head = bytes.ReplaceAll(head, []byte{0}, nil) // UTF-16: its ASCII is enough
		head = head[2:]
	}
	start := strings.ToLower(string(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n")))
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(start, p) {
				return true
			}
		}
		return false
	}
	switch {
	case strings.HasPrefix(start, "id;p"):
		return SYLK
	case strings.HasPrefix(start, "<") && has("urn:schemas-microsoft-com:office:spreadsheet", `progid="excel.sheet"`) && !has("<html"):
		return XML2003
	case strings.HasPrefix(start, "mime-version:"), has("\nmime-version:") && has("content-type: multipart"):
		return MHTML
	case strings.HasPrefix(start, "<") && has("<html", "<!doctype html", "<table", "<meta", "<head", "<body", "<style", "<tr"):
		return HTML
	}
	return None
}

// Book is such a file.
type Book struct {
	kind     Kind
	info     document.Info
	date1904 bool
	tables   []*table
	names    []sheet.Name
	full     bool // there are more cells than are kept
}

// Open reads a file. The faults are bad_document, too_large and those of
// [text.Decode].
func Open(ctx context.Context, file io.ReaderAt, size int64) (*Book, error) {
	if size > maxBytes {
		return nil, fault.New(fault.TooLarge, fault.T("the file is text that is called a spreadsheet, and has %d bytes; the limit is %d", size, int64(maxBytes))).
			WithHint(fault.T("convert it, then read the result: soffice --headless --convert-to xlsx FILE"))
	}
	raw := make([]byte, size)
	n, err := file.ReadAt(raw, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	raw = raw[:n]
	b := &Book{kind: kindOf(raw), info: document.Info{Format: "xls"}}
	switch b.kind {
	case HTML:
		err = b.readHTML(ctx, raw)
	case MHTML:
		err = b.readMHTML(ctx, raw)
	case XML2003:
		err = b.readXML(ctx, raw)
	case SYLK:
		err = b.readSYLK(ctx, raw)
	default:
		err = fault.New(fault.BadDocument, fault.T("the file is no spreadsheet"))
	}
	if err != nil {
		return nil, err
	}
	if len(b.tables) == 0 {
		return nil, fault.New(fault.BadDocument, fault.T("the file has no table")).
			WithHint(fault.T("it is %s, not a spreadsheet: give a copy of it a name that says so, then read that", b.kind.name()))
	}
	return b, nil
}

// decode returns the text of a file.
func decode(raw []byte) (string, error) {
	d, err := text.Decode(raw, "")
	if err != nil {
		return "", err
	}
	return d.Text, nil
}

// name returns what a kind is called.
func (k Kind) name() string {
	switch k {
	case MHTML:
		return "MHTML"
	case XML2003:
		return "SpreadsheetML"
	case SYLK:
		return "SYLK"
	}
	return "HTML"
}

// Warnings says what the file is, and what of it is missing.
func (b *Book) Warnings() []fault.Text {
	list := []fault.Text{fault.T("the file is called a workbook of Excel and is %s", b.kind.name())}
	if b.full {
		list = append(list, fault.T("it has more than %d cells; the others are left out", maxCells))
	}
	return list
}

// Info implements [sheet.Book].
func (b *Book) Info() document.Info { return b.info }

// Date1904 implements [sheet.Book].
func (b *Book) Date1904() bool { return b.date1904 }

// Sheets implements [sheet.Book].
func (b *Book) Sheets() []sheet.Sheet {
	list := make([]sheet.Sheet, len(b.tables))
	for i, t := range b.tables {
		list[i] = sheet.Sheet{Name: t.name, State: t.state, Kind: sheet.Worksheet}
	}
	return list
}

// Names implements [sheet.Book].
func (b *Book) Names(context.Context) ([]sheet.Name, error) { return b.names, nil }

// Survey implements [sheet.Book].
func (b *Book) Survey(_ context.Context, index int) (sheet.Survey, error) {
	return sheet.Survey{Used: b.tables[index].used, Exact: true}, nil
}
