package odf

import (
	"bytes"
	"io"
)

// rowless reads the content of a spreadsheet without the rows of its sheets: to list the
// sheets of a large file, looking for the ends of the rows is many times quicker than
// scanning them. It knows the prefixes that programs use; with others, nothing is left out.
// Ends of elements whose beginning was left out do not disturb a scanner.
type rowless struct {
	src     io.Reader
	buf     []byte
	in      int // what of buf is passed on already
	end     int
	cutting bool
	err     error
}

const (
	rowsBegin   = "<table:table-row" // also of groups of rows
	headBegin   = "<table:table-header-rows"
	sheetEnd    = "</table:table>"
	namesBegin  = "<table:named-expressions"
	namesEnd    = "</table:named-expressions>"
	rowlessKept = 32 << 10 // the names of a sheet come after its rows: so much is looked back
)

func (r *rowless) Read(b []byte) (int, error) {
	if r.buf == nil {
		r.buf = make([]byte, 256<<10)
	}
	for {
		if n := r.ready(); n > 0 {
			n = copy(b, r.buf[r.in:r.in+n])
			r.in += n
			return n, nil
		}
		if r.err != nil {
			return 0, r.err
		}
		copy(r.buf, r.buf[r.in:r.end])
		r.end -= r.in
		r.in = 0
		n, err := r.src.Read(r.buf[r.end:])
		r.end += n
		r.err = err
	}
}

// ready drops rows and returns how many bytes may be passed on.
func (r *rowless) ready() int {
	for {
		rest := r.buf[r.in:r.end]
		if !r.cutting {
			i := bytes.Index(rest, []byte(rowsBegin))
			if j := bytes.Index(rest, []byte(headBegin)); j >= 0 && (i < 0 || j < i) {
				i = j
			}
			if i > 0 {
				return i
			}
			if i < 0 {
				if r.err != nil {
					return len(rest)
				}
				return max(0, len(rest)-len(headBegin))
			}
			r.cutting = true
		}
		i := bytes.Index(rest, []byte(sheetEnd))
		if i < 0 {
			if r.err != nil {
				r.in = r.end
			} else {
				r.in += max(0, len(rest)-rowlessKept)
			}
			return 0
		}
		if bytes.HasSuffix(rest[:i], []byte(namesEnd)) {
			if j := bytes.LastIndex(rest[:i], []byte(namesBegin)); j >= 0 {
				i = j
			}
		}
		r.in += i
		r.cutting = false
	}
}
