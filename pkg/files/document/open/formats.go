package open

import (
	"context"
	"io"

	"github.com/helve-dev/helve/pkg/files/document/compound"
	"github.com/helve-dev/helve/pkg/files/document/officecrypt"
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

// formatOf returns the format of a media type; nil if none is known.
func formatOf(mime string) *format {
	switch mime {
	case kind.EncryptedMIME:
		return &format{Format{Name: "encrypted", Password: true}, mostPDFBytes, decrypted}
	}
	return nil
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
