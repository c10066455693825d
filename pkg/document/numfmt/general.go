package numfmt

import (
	"math"
	"strconv"
)

// AppendGeneral appends a number as the format General displays it in a cell that is wide enough:
// in at most eleven characters besides the sign, else in scientific notation with six digits.
func AppendGeneral(dst []byte, value float64) []byte {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return append(dst, "#NUM!"...)
	}
	d := decimalOf(value)
	if d.n == 0 {
		return append(dst, '0')
	}
	if d.exp > 11 {
		return d.appendScientific(dst)
	}
	if d.exp > -4 { // at least 0.0001
		d.round(max(10-max(d.exp, 1), 0))
	} else if d.n-d.exp > 9 { // 0.00001 fits, 0.000012345678 does not
		return d.appendScientific(dst)
	}
	if d.exp > 11 { // rounding made it one digit longer
		return d.appendScientific(dst)
	}
	return d.appendPlain(dst)
}

// AppendExact appends a number with the fifteen digits that a spreadsheet keeps, without
// an exponent unless it is tiny or at least 1e21: identifiers stay readable.
func AppendExact(dst []byte, value float64) []byte {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return append(dst, "#NUM!"...)
	}
	if value == math.Trunc(value) && math.Abs(value) < 1e15 {
		return strconv.AppendInt(dst, int64(value), 10)
	}
	d := decimalOf(value)
	switch {
	case d.n == 0:
		return append(dst, '0')
	case d.exp > 21, d.exp < -9:
		if d.neg {
			dst = append(dst, '-')
		}
		return d.appendMantissa(dst)
	}
	return d.appendPlain(dst)
}

// appendScientific appends 1.23457E+11.
func (d *digits) appendScientific(dst []byte) []byte {
	d.round(6 - d.exp)
	if d.neg {
		dst = append(dst, '-')
	}
	return d.appendMantissa(dst)
}

// appendMantissa appends all digits with one before the point, and the exponent with at
// least two digits.
func (d *digits) appendMantissa(dst []byte) []byte {
	dst = append(dst, d.at(d.exp-1))
	if d.n > 1 {
		dst = append(dst, '.')
		dst = append(dst, d.text[1:d.n]...)
	}
	exp := d.exp - 1
	dst = append(dst, 'E')
	if exp < 0 {
		dst = append(dst, '-')
		exp = -exp
	} else {
		dst = append(dst, '+')
	}
	if exp < 10 {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, int64(exp), 10)
}

// appendPlain appends all digits without an exponent.
func (d *digits) appendPlain(dst []byte) []byte {
	if d.n == 0 {
		return append(dst, '0')
	}
	if d.neg {
		dst = append(dst, '-')
	}
	if d.exp <= 0 {
		dst = append(dst, '0')
	}
	for p := d.exp - 1; p >= 0; p-- {
		dst = append(dst, d.at(p))
	}
	if d.n > d.exp {
		dst = append(dst, '.')
		for p := -1; p >= d.exp-d.n; p-- {
			dst = append(dst, d.at(p))
		}
	}
	return dst
}
