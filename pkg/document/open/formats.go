package open

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/compound"
	"github.com/helve-dev/helve/pkg/document/csv"
	"github.com/helve-dev/helve/pkg/document/doc"
	"github.com/helve-dev/helve/pkg/document/docx"
	"github.com/helve-dev/helve/pkg/document/epub"
	"github.com/helve-dev/helve/pkg/document/iwork"
	"github.com/helve-dev/helve/pkg/document/lookalike"
	"github.com/helve-dev/helve/pkg/document/msg"
	"github.com/helve-dev/helve/pkg/document/odf"
	"github.com/helve-dev/helve/pkg/document/officecrypt"
	"github.com/helve-dev/helve/pkg/document/pdf"
	"github.com/helve-dev/helve/pkg/document/ppt"
	"github.com/helve-dev/helve/pkg/document/pptx"
	"github.com/helve-dev/helve/pkg/document/rtf"
	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xls"
	"github.com/helve-dev/helve/pkg/document/xlsx"
	"github.com/helve-dev/helve/pkg/files/kind"
)

// Sizes of the largest documents of a format, in bytes. A part of a larger sheet can still
// be read: only what is shown is read of it.
const (
	mostBytes      = 64 << 20
	mostPDFBytes   = 128 << 20
	mostSheetBytes = 1 << 30
)

// format is a format with its opener.
type format struct {
	Format
	most int64
	open opener
}

// opener opens a document and puts it into d.
type opener func(ctx context.Context, d *Document, file io.ReaderAt, size int64, password string) error

// text opens texts. Those with a password get it when they are rendered.
func text[R document.Reader](open func(io.ReaderAt, int64) (R, error)) opener {
	return func(_ context.Context, d *Document, file io.ReaderAt, size int64, _ string) error {
		r, err := open(file, size)
		if err == nil { // else it would be a nil pointer in an interface, which is not nil
			d.Text = r
		}
		return err
	}
}

// book opens spreadsheets.
func book[B sheet.Book](open func(ctx context.Context, file io.ReaderAt, size int64, password string) (B, error)) opener {
	return func(ctx context.Context, d *Document, file io.ReaderAt, size int64, password string) error {
		b, err := open(ctx, file, size, password)
		if err == nil {
			d.Book = b
		}
		return err
	}
}

// Media types of formats, besides those of package kind.
const (
	ooxmlMIME = "application/vnd.openxmlformats-officedocument."
	odfMIME   = "application/vnd.oasis.opendocument."
)

// isPackage reports whether documents of a media type are ZIP archives.
func isPackage(mime string) bool {
	return strings.HasPrefix(mime, ooxmlMIME) || mime == kind.BinaryExcelMIME || mime == "application/epub+zip"
}

// formatOf returns the format of a media type; nil if none is known.
func formatOf(mime string) *format {
	switch mime = strings.TrimSuffix(mime, "-template"); mime {
	case "application/pdf":
		return &format{Format{Name: "pdf", Pages: true, Password: true}, mostPDFBytes, portable}
	case ooxmlMIME + "spreadsheetml.sheet":
		return &format{Format{Name: "xlsx"}, mostSheetBytes, book(func(_ context.Context, file io.ReaderAt, size int64, _ string) (*xlsx.Book, error) {
			return xlsx.Open(file, size)
		})}
	case kind.BinaryExcelMIME:
		return &format{Format{Name: "xlsb"}, mostBytes, book(func(_ context.Context, file io.ReaderAt, size int64, _ string) (*xlsx.Book, error) {
			return xlsx.Open(file, size)
		})}
	case ooxmlMIME + "wordprocessingml.document":
		return &format{Format{Name: "docx", Changes: true}, mostBytes, text(docx.Open)}
	case ooxmlMIME + "presentationml.presentation":
		return &format{Format{Name: "pptx", Pages: true}, mostBytes, text(pptx.Open)}
	case kind.ExcelMIME:
		return &format{Format{Name: "xls", Password: true}, mostBytes, excel}
	case "application/msword":
		return &format{Format{Name: "doc", Changes: true}, mostBytes, text(contained(doc.Open))}
	case "application/vnd.ms-powerpoint":
		return &format{Format{Name: "ppt", Pages: true}, mostBytes, text(contained(ppt.Open))}
	case kind.OutlookMIME:
		return &format{Format{Name: "msg"}, mostBytes, text(contained(msg.Open))}
	case kind.IWorkMIME:
		return &format{Format{Name: "iwork"}, mostBytes, text(iwork.Open)}
	case odfMIME + "text":
		return &format{Format{Name: "odt", Changes: true, Password: true}, mostBytes, text(odf.Open)}
	case odfMIME + "graphics":
		return &format{Format{Name: "odg", Pages: true, Password: true}, mostBytes, text(odf.Open)}
	case odfMIME + "presentation":
		return &format{Format{Name: "odp", Pages: true, Password: true}, mostBytes, text(odf.Open)}
	case odfMIME + "spreadsheet":
		return &format{Format{Name: "ods", Password: true}, mostBytes, book(func(_ context.Context, file io.ReaderAt, size int64, password string) (*odf.Book, error) {
			return odf.OpenBook(file, size, password)
		})}
	case "application/epub+zip":
		return &format{Format{Name: "epub"}, mostBytes, text(epub.Open)}
	case "application/rtf":
		return &format{Format{Name: "rtf", Changes: true}, mostBytes, text(rtf.Open)}
	case "text/csv", "text/tab-separated-values": // text, of which a call may want the cells
		return &format{Format{Name: "csv"}, mostBytes, book(table)}
	case kind.EncryptedMIME:
		return &format{Format{Name: "encrypted", Password: true}, mostPDFBytes, decrypted}
	}
	return nil
}

// portable opens a PDF.
func portable(_ context.Context, d *Document, file io.ReaderAt, size int64, password string) error {
	p, err := pdf.Open(file, size, password)
	if err == nil {
		d.Text = p
	}
	return err
}

// contained opens the document in a compound file.
func contained[R document.Reader](open func(*compound.File) (R, error)) func(io.ReaderAt, int64) (R, error) {
	return func(file io.ReaderAt, size int64) (r R, err error) {
		container, err := compound.Open(file, size)
		if err != nil {
			return r, err
		}
		return open(container)
	}
}

// excel opens a file named .xls: a workbook, or another format with that extension.
func excel(ctx context.Context, d *Document, file io.ReaderAt, size int64, password string) error {
	head := make([]byte, 8)
	n, err := file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if head = head[:n]; compound.Is(head) || xls.Is(head) {
		return book(xls.Open)(ctx, d, file, size, password)
	}
	return book(func(ctx context.Context, file io.ReaderAt, size int64, _ string) (*lookalike.Book, error) {
		return lookalike.Open(ctx, file, size)
	})(ctx, d, file, size, "")
}

// table opens the rows of a text.
func table(_ context.Context, file io.ReaderAt, size int64, _ string) (*csv.Book, error) {
	raw := make([]byte, size)
	n, err := file.ReadAt(raw, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return csv.Open(raw[:n], csv.Options{})
}

// decrypted opens the document in an encrypted Office document.
func decrypted(ctx context.Context, d *Document, file io.ReaderAt, size int64, password string) error {
	container, err := compound.Open(file, size)
	if err != nil {
		return err
	}
	plain, size, err := officecrypt.Decrypt(container, password)
	if err != nil {
		return err
	}
	head := make([]byte, 8<<10)
	n, err := plain.ReadAt(head, 0)
	if err != nil && n == 0 {
		return err
	}
	k := kind.Of(head[:n], "", plain, size)
	if k.MIME == kind.EncryptedMIME {
		return unsupported(k.MIME)
	}
	*d, err = Open(ctx, plain, size, k.MIME, "")
	d.Format.Password = true
	return err
}
