package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
)

// blockBytes is the size of a tar archive's blocks; a header is one.
const blockBytes = 512

// isTar reports whether data starts with a header of a tar archive: one that has the
// magic of USTAR and GNU, or the right sum, as archives from before 1988.
func isTar(data []byte) bool {
	if len(data) < blockBytes {
		return false
	}
	if bytes.Equal(data[257:262], []byte("ustar")) {
		return true
	}
	_, err := tar.NewReader(bytes.NewReader(data[:blockBytes])).Next()
	return err == nil && data[0] != 0
}

// tarball are the members of a tar archive.
type tarball struct{ open func() (io.Reader, error) }

func (t *tarball) each(ctx context.Context, yield func(Entry, func() (io.ReadCloser, error)) bool) error {
	r, err := t.open()
	if err != nil {
		return err
	}
	tr := tar.NewReader(r)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		h, err := tr.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, tar.ErrInsecurePath):
			return damaged(err)
		}
		if h.Typeflag == tar.TypeXGlobalHeader { // of git archive: about the others
			continue
		}
		// Copies: the reader's texts keep all of the header's records in memory.
		e := Entry{Name: strings.Clone(strings.TrimPrefix(h.Name, "./")), Bytes: h.Size, Modified: h.ModTime, Mode: h.FileInfo().Mode(), Link: strings.Clone(h.Linkname)}
		if e.Name == "" {
			continue // the directory that was packed
		}
		if !yield(e, func() (io.ReadCloser, error) { return io.NopCloser(tr), nil }) {
			return nil
		}
	}
}
