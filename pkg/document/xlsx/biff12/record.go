package biff12

import (
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf16"

	"github.com/helve-dev/helve/pkg/document/sheet"
)

// record is the content of a record, or what is left of it. Beyond its end there are zeros.
type record struct{ b []byte }

func (r *record) take(n int) []byte {
	if n > len(r.b) {
		padded := make([]byte, n)
		copy(padded, r.b)
		r.b = nil
		return padded
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *record) skip(n int)     { r.b = r.b[min(n, len(r.b)):] }
func (r *record) byte() byte     { return r.take(1)[0] }
func (r *record) short() uint16  { return binary.LittleEndian.Uint16(r.take(2)) }
func (r *record) long() uint32   { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *record) double() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

// text reads a text (2.5.168); "" where there is none.
func (r *record) text() string {
	n := r.long()
	if n == math.MaxUint32 {
		return ""
	}
	n = min(n, uint32(len(r.b)/2))
	kept := min(n, sheet.MaxText)
	units := make([]uint16, kept)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(r.b[2*i:])
	}
	r.skip(2 * int(n))
	return string(utf16.Decode(units))
}

// rich reads a text with formats (2.5.119), which are passed over.
func (r *record) rich() string {
	r.skip(1)
	return r.text()
}

// rk reads a number in four bytes (2.5.122).
func (r *record) rk() float64 {
	v := r.long()
	n := math.Float64frombits(uint64(v&^3) << 32)
	if v&2 != 0 {
		n = float64(int32(v) >> 2)
	}
	if v&1 != 0 {
		n /= 100
	}
	return n
}

// area reads a range of cells (2.5.154) as its address.
func (r *record) area() string {
	top, bottom, left, right := r.long(), r.long(), r.long(), r.long()
	return address(top, left) + ":" + address(bottom, right)
}

// address returns the address of a cell.
func address(row, column uint32) string {
	return sheet.ColumnName(int(min(column, sheet.MaxColumns-1))) + strconv.FormatUint(uint64(min(row, sheet.MaxRows-1))+1, 10)
}
