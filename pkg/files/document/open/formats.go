package open

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/files/document"
	"github.com/helve-dev/helve/pkg/files/document/compound"
	"github.com/helve-dev/helve/pkg/files/document/csv"
	"github.com/helve-dev/helve/pkg/files/document/doc"
	"github.com/helve-dev/helve/pkg/files/document/docx"
	"github.com/helve-dev/helve/pkg/files/document/epub"
	"github.com/helve-dev/helve/pkg/files/document/lookalike"
	"github.com/helve-dev/helve/pkg/files/document/odf"
	"github.com/helve-dev/helve/pkg/files/document/officecrypt"
	"github.com/helve-dev/helve/pkg/files/document/pdf"
	"github.com/helve-dev/helve/pkg/files/document/ppt"
	"github.com/helve-dev/helve/pkg/files/document/pptx"
	"github.com/helve-dev/helve/pkg/files/document/rtf"
	"github.com/helve-dev/helve/pkg/files/document/sheet"
	"github.com/helve-dev/helve/pkg/files/document/xls"
	"github.com/helve-dev/helve/pkg/files/document/xlsx"
	"github.com/helve-dev/helve/pkg/files/kind"
)

// Sizes of the largest documents of a format, in bytes. A part of a larger sheet can still
// be read: only what is shown is read of it.
const (
	mostBytes      = 64 << 20
	mostPDFBytes   = 128 << 20
	mostSheetBytes = 1 << 30
)

// format is a format with what opens it.
type format struct {
	Format
	most int64
	open func(ctx context.Context, d *Document, file io.ReaderAt, size int64, password string) error
}

// Media types of formats, beside those of package kind.
const (
	ooxmlMIME = "application/vnd.openxmlformats-officedocument."
	odfMIME   = "application/vnd.oasis.opendocument."
)

// isPackage reports whether documents of a media type are ZIP archives.
func isPackage(mime string) bool {
	return strings.HasPrefix(mime, ooxmlMIME) || mime == "application/epub+zip"
}

// formatOf returns the format of a media type; nil if none is known.
func formatOf(mime string) *format {
	switch mime {
	case "application/pdf":
		return &format{Format{Name: "pdf", Pages: true, Password: true}, mostPDFBytes, func(_ context.Context, d *Document, file io.ReaderAt, size int64, password string) (err error) {
			d.Text, err = reader(pdf.Open(file, size, password))
			return err
		}}
	case ooxmlMIME + "spreadsheetml.sheet":
		return &format{Format{Name: "xlsx"}, mostSheetBytes, func(_ context.Context, d *Document, file io.ReaderAt, size int64, _ string) (err error) {
			d.Book, err = book(xlsx.Open(file, size))
			return err
		}}
	case kind.ExcelMIME:
		return &format{Format{Name: "xls", Password: true}, mostBytes, func(ctx context.Context, d *Document, file io.ReaderAt, size int64, password string) error {
			head := make([]byte, 8)
			n, err := file.ReadAt(head, 0)
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			if head = head[:n]; compound.Is(head) || xls.Is(head) {
				d.Book, err = book(xls.Open(ctx, file, size, password))
			} else {
				d.Book, err = book(lookalike.Open(ctx, file, size))
			}
			return err
		}}
	case ooxmlMIME + "wordprocessingml.document":
		return &format{Format{Name: "docx", Changes: true}, mostBytes, func(_ context.Context, d *Document, file io.ReaderAt, size int64, _ string) (err error) {
			d.Text, err = reader(docx.Open(file, size))
			return err
		}}
	case ooxmlMIME + "presentationml.presentation":
		return &format{Format{Name: "pptx", Pages: true}, mostBytes, func(_ context.Context, d *Document, file io.ReaderAt, size int64, _ string) (err error) {
			d.Text, err = reader(pptx.Open(file, size))
			return err
		}}
	case "application/msword":
		return &format{Format{Name: "doc", Changes: true}, mostBytes, func(_ context.Context, d *Document, file io.ReaderAt, size int64, _ string) error {
			container, err := compound.Open(file, size)
			if err != nil {
				return err
			}
			d.Text, err = reader(doc.Open(container))
			return err
		}}
	case "application/vnd.ms-powerpoint":
		return &format{Format{Name: "ppt", Pages: true}, mostBytes, func(_ context.Context, d *Document, file io.ReaderAt, size int64, _ string) error {
			container, err := compound.Open(file, size)
			if err != nil {
				return err
			}
			d.Text, err = reader(ppt.Open(container))
			return err
		}}
	case "application/epub+zip":
		return &format{Format{Name: "epub"}, mostBytes, func(_ context.Context, d *Document, file io.ReaderAt, size int64, _ string) (err error) {
			d.Text, err = reader(epub.Open(file, size))
			return err
		}}
	case odfMIME + "text", odfMIME + "presentation":
		name := "odt"
		if mime == odfMIME+"presentation" {
			name = "odp"
		}
		return &format{Format{Name: name, Pages: name == "odp", Changes: name == "odt", Password: true}, mostBytes, func(_ context.Context, d *Document, file io.ReaderAt, size int64, _ string) (err error) {
			d.Text, err = reader(odf.Open(file, size))
			return err
		}}
	case odfMIME + "spreadsheet":
		return &format{Format{Name: "ods", Password: true}, mostBytes, func(_ context.Context, d *Document, file io.ReaderAt, size int64, password string) (err error) {
			d.Book, err = book(odf.OpenBook(file, size, password))
			return err
		}}
	case "application/rtf":
		return &format{Format{Name: "rtf", Changes: true}, mostBytes, func(_ context.Context, d *Document, file io.ReaderAt, size int64, _ string) (err error) {
			d.Text, err = reader(rtf.Open(file, size))
			return err
		}}
	case "text/csv", "text/tab-separated-values": // text, of which a call may want the cells
		return &format{Format{Name: "csv"}, mostBytes, func(_ context.Context, d *Document, file io.ReaderAt, size int64, _ string) error {
			raw := make([]byte, size)
			n, err := file.ReadAt(raw, 0)
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			d.Book, err = book(csv.Open(raw[:n], csv.Options{}))
			return err
		}}
	case kind.EncryptedMIME:
		return &format{Format{Name: "encrypted", Password: true}, mostPDFBytes, decrypted}
	}
	return nil
}

// reader returns a reader as what it is to others, and none with an error: a nil pointer in
// an interface is not nil.
func reader[R document.Reader](r R, err error) (document.Reader, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// book does the same for spreadsheets.
func book[B sheet.Book](b B, err error) (sheet.Book, error) {
	if err != nil {
		return nil, err
	}
	return b, nil
}

// decrypted opens what an encrypted Office document is.
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
