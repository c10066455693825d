package numfmt

import "strconv"

// precision is the number of significant digits of a number in a spreadsheet.
const precision = 15

// digits is a number in decimal: 0.text × 10^exp, at most fifteen digits, without zeros
// at its ends. Zero has none. As it is rounded in place of the binary number, 1.005 with
// two decimals is 1.01.
type digits struct {
	text [24]byte
	n    int
	exp  int
	neg  bool
}

// decimalOf returns a finite number's digits.
func decimalOf(value float64) digits {
	var d digits
	if value < 0 {
		d.neg = true
		value = -value
	}
	if value == 0 {
		return d
	}
	if value < 1e15 && value == float64(int64(value)) {
		b := strconv.AppendInt(d.text[:0], int64(value), 10)
		d.n, d.exp = len(b), len(b)
		d.trim()
		return d
	}
	var buffer [32]byte
	b := strconv.AppendFloat(buffer[:0], value, 'e', precision-1, 64) // d.dddddddddddddde±xx
	d.text[0] = b[0]
	copy(d.text[1:], b[2:precision+1])
	d.n = precision
	exp := 0
	for _, c := range b[precision+3:] {
		exp = exp*10 + int(c-'0')
	}
	if b[precision+2] == '-' {
		exp = -exp
	}
	d.exp = exp + 1
	d.trim()
	return d
}

func (d *digits) trim() {
	for d.n > 0 && d.text[d.n-1] == '0' {
		d.n--
	}
	if d.n == 0 {
		d.exp = 0
	}
}

// at returns the digit that stands for 10^p.
func (d *digits) at(p int) byte {
	if i := d.exp - 1 - p; i >= 0 && i < d.n {
		return d.text[i]
	}
	return '0'
}

// round keeps so many decimals, half away from zero. decimals may be negative.
func (d *digits) round(decimals int) {
	keep := d.exp + decimals
	switch {
	case keep >= d.n:
		return
	case keep < 0:
		d.n, d.exp = 0, 0
		return
	}
	up := d.text[keep] >= '5'
	d.n = keep
	if !up {
		d.trim()
		return
	}
	i := keep - 1
	for ; i >= 0 && d.text[i] == '9'; i-- {
		d.n--
	}
	if i >= 0 {
		d.text[i]++
		return
	}
	d.text[0], d.n = '1', 1
	d.exp++
}

// wholeDigits returns the number of digits before the point.
func (d *digits) wholeDigits() int { return max(d.exp, 0) }
