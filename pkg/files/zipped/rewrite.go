package zipped

import (
	"archive/zip"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// NewPart is a part with other content than the package has, or one that it lacks.
type NewPart struct {
	Name  string
	Write func(w io.Writer) error // writes all of the content; nil takes the part out
}

// Rewrite copies a package with some of its parts replaced. Every other entry keeps its
// packed bytes, its place in the order and its time; a replaced one keeps its place and
// time, and one that the package lacks comes last. A package that a reader merely salvages
// is refused: what is not understood cannot be kept.
func Rewrite(w io.Writer, file io.ReaderAt, size int64, parts []NewPart) error {
	z, err := Open(file, size)
	if err != nil {
		return err
	}
	if len(z.File) > PackageEntries {
		return damaged(fault.T("it has %d entries; a document may have %d", len(z.File), PackageEntries))
	}
	if err := checkOverlaps(z.File); err != nil {
		return err
	}
	out := zip.NewWriter(w)
	out.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.DefaultCompression) })
	left := slices.Clone(parts)
	for _, f := range z.File {
		i := slices.IndexFunc(left, func(p NewPart) bool { return fold(p.Name) == fold(f.Name) })
		switch {
		case i < 0:
			err = copyEntry(out, f)
		case left[i].Write != nil:
			err = replaceEntry(out, f, left[i])
		}
		if i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
		if err != nil {
			return err
		}
	}
	for _, p := range left {
		if p.Write == nil {
			continue
		}
		e, err := out.CreateHeader(&zip.FileHeader{Name: p.Name, Method: zip.Deflate, Modified: earliest()})
		if err == nil {
			err = p.Write(e)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(out.SetComment(z.Comment), out.Close())
}

// earliest returns the first time that an archive can hold: so that what is written depends
// on nothing but the request.
func earliest() time.Time { return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC) }

// copyEntry copies an entry as it is packed.
func copyEntry(out *zip.Writer, f *zip.File) error {
	in, err := f.OpenRaw()
	if err != nil {
		return damaged(fault.T("%s: %s", f.Name, err.Error())).Because(err)
	}
	h := f.FileHeader
	h.Extra = withoutSizes(h.Extra)
	to, err := out.CreateRaw(&h)
	if err != nil {
		return err
	}
	n, err := io.Copy(to, in)
	if err == nil && uint64(n) != f.CompressedSize64 {
		return damaged(fault.T("it ends within %s", f.Name))
	}
	return err
}

// replaceEntry writes other content in the place of an entry.
func replaceEntry(out *zip.Writer, f *zip.File, p NewPart) error {
	const encrypted = 1 // APPNOTE 4.4.4
	if f.Flags&encrypted != 0 || strings.HasSuffix(f.Name, "/") {
		return fault.New(fault.EncryptedDocument, fault.T("the part %s is encrypted", f.Name)).
			WithHint(fault.T("ask for a copy without a password"))
	}
	h := f.FileHeader
	h.Modified = time.Time{} // the time is kept as it is stored
	h.Method, h.Extra = zip.Deflate, withoutSizes(h.Extra)
	e, err := out.CreateHeader(&h)
	if err != nil {
		return err
	}
	return p.Write(e)
}

// withoutSizes drops the field of long sizes (APPNOTE 4.5.3) from the extra fields of an
// entry: the writer adds one where it is needed.
func withoutSizes(extra []byte) []byte {
	const sizes, header = 1, 4
	var kept []byte
	for len(extra) >= header {
		n := header + int(binary.LittleEndian.Uint16(extra[2:]))
		if n > len(extra) {
			return kept
		}
		if binary.LittleEndian.Uint16(extra) != sizes {
			kept = append(kept, extra[:n]...)
		}
		extra = extra[n:]
	}
	return kept
}
