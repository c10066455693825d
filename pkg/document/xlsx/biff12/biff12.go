// Package biff12 turns the parts of binary workbooks (.xlsb) into the XML of an .xlsx: the same
// workbook in other words. Formulas, and what no reader of .xlsx looks at, are left out.
//
// The format is [MS-XLSB]: https://learn.microsoft.com/openspecs/office_file_formats/ms-xlsb/
package biff12

import (
	"bufio"
	"errors"
	"io"

	"github.com/helve-dev/helve/pkg/fault"
)

// maxRecord limits the bytes of a record that are kept; the rest of a longer one is passed over.
const maxRecord = 1 << 20

// Reader is a part as XML.
type Reader struct {
	in  *bufio.Reader
	out []byte // what was not read yet
	at  int
	t   teller
	rec []byte
	err error
}

// teller writes the XML of one record after the other.
type teller struct {
	out    []byte
	row    uint32
	column uint32 // of the last cell
	open   []string
	links  sheetLinks
	inXFs  bool // the styles at hand are those of cells
	ended  bool
}

// NewReader returns a part that is read from in.
func NewReader(in io.Reader) *Reader { return &Reader{in: bufio.NewReaderSize(in, 32<<10)} }

// Read implements [io.Reader].
func (r *Reader) Read(b []byte) (int, error) {
	for r.at == len(r.out) {
		if r.err != nil {
			return 0, r.err
		}
		r.t.out, r.at = r.out[:0], 0
		for len(r.t.out) < 16<<10 && r.err == nil {
			r.err = r.next()
		}
		if errors.Is(r.err, io.EOF) {
			r.t.end()
		}
		r.out = r.t.out
	}
	n := copy(b, r.out[r.at:])
	r.at += n
	return n, nil
}

// next tells the next record (2.1.4): its type and its size are numbers of seven bits a byte.
func (r *Reader) next() error {
	kind, err := r.number(2)
	if err != nil {
		return err
	}
	size, err := r.number(4)
	if err != nil {
		return cut(err)
	}
	keep := min(size, maxRecord)
	if cap(r.rec) < keep {
		r.rec = make([]byte, keep)
	}
	r.rec = r.rec[:keep]
	if _, err := io.ReadFull(r.in, r.rec); err != nil {
		return cut(err)
	}
	if _, err := r.in.Discard(size - keep); err != nil {
		return cut(err)
	}
	r.t.tell(kind, record{r.rec})
	return nil
}

// number reads a number of at most so many bytes.
func (r *Reader) number(most int) (n int, err error) {
	for i := range most {
		c, err := r.in.ReadByte()
		if err != nil {
			return 0, err
		}
		n |= int(c&0x7f) << (7 * i)
		if c < 0x80 {
			break
		}
	}
	return n, nil
}

// cut returns the error of a part that ends within a record.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.New(fault.BadDocument, fault.T("the workbook is damaged: a part of it is cut off")).
			WithHint(fault.T("it may be incomplete: get the file again, or repair a copy with another program")).
			Because(io.ErrUnexpectedEOF)
	}
	return err
}
