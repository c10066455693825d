package released

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"io"
	"io/fs"
	"time"
)

// Entry is a file of a package.
type Entry struct {
	Name string // with slashes
	Data []byte
	Mode fs.FileMode
}

// Zip returns the entries as a ZIP file, without their times: the same entries give the
// same bytes.
func Zip(entries []Entry) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.Name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(e.Mode)
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write(e.Data)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
