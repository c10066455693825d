package picture

import (
	"bytes"
	"io"

	"golang.org/x/image/ccitt"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// maxFax bounds the bytes of a decoded fax, of which each holds eight pixels.
const maxFax = maxPixels / 8

// fax decodes CCITTFaxDecode: 7.4.6. It returns how many pixels a row has, too. A row that
// is damaged ends the image.
func fax(f *object.File, parms object.Dict, data []byte, height int) ([]byte, int, error) {
	k, _ := f.Int(parms["K"])
	if k > 0 {
		return nil, 0, unsupported("CCITTFaxDecode with K > 0")
	}
	columns, ok := f.Int(parms["Columns"])
	if !ok || columns < 1 || columns > maxEdge {
		columns = 1728
	}
	if rows, ok := f.Int(parms["Rows"]); ok && rows > 0 && (height == 0 || rows < int64(height)) {
		height = int(rows)
	}
	if height == 0 || int64(height)*((columns+7)/8) > maxFax {
		return nil, 0, bad(nil)
	}
	black, _ := f.Bool(parms["BlackIs1"])
	align, _ := f.Bool(parms["EncodedByteAlign"])
	format := ccitt.Group3
	if k < 0 {
		format = ccitt.Group4
	}
	r := ccitt.NewReader(bytes.NewReader(data), ccitt.MSB, format, int(columns), height, &ccitt.Options{Align: align, Invert: black})
	out, err := io.ReadAll(io.LimitReader(r, maxFax))
	if len(out) == 0 {
		return nil, 0, bad(err)
	}
	return out, int(columns), nil
}
