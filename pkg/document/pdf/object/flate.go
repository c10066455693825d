package object

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
)

// inflate decodes FlateDecode: 7.4.4. The check sum is not looked at, and what was inflated
// before an error is returned with it.
func (f *File) inflate(data []byte, limit int) ([]byte, error) {
	for len(data) > 0 && (data[0] == '\r' || data[0] == '\n') {
		data = data[1:] // 0x0a and 0x0d start no zlib data
	}
	if isZlib(data) {
		data = data[2:]
	}
	out, err := f.inflateRaw(data, limit)
	if len(out) == 0 && err != nil && len(data) > 2 {
		// The two bytes may be damaged alone.
		if again, e := f.inflateRaw(data[2:], limit); len(again) > 0 {
			return again, e
		}
	}
	return out, err
}

// isZlib reports whether data starts with the header of RFC 1950.
func isZlib(data []byte) bool {
	return len(data) >= 2 && data[0]&0x0f == 8 && (int(data[0])<<8|int(data[1]))%31 == 0
}

// inflateRaw decodes RFC 1951.
func (f *File) inflateRaw(data []byte, limit int) ([]byte, error) {
	in := bytes.NewReader(data)
	if f.inflater == nil {
		f.inflater = flate.NewReader(in)
	} else if err := f.inflater.(flate.Resetter).Reset(in, nil); err != nil {
		return nil, err
	}
	out := make([]byte, 0, min(4*len(data)+64, limit+1, 1<<20))
	for {
		if len(out) == cap(out) {
			out = append(make([]byte, 0, min(2*cap(out), limit+1)), out...)
		}
		n, err := f.inflater.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		switch {
		case len(out) > limit:
			return out[:limit], errLarge
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return out, errFilter
		}
	}
}

// Limits of a predictor's parameters.
const (
	maxColors  = 64
	maxColumns = 1 << 24
)

// unpredict undoes a predictor: 7.4.4.4. A last row that is cut is kept as far as it goes.
func (f *File) unpredict(data []byte, parms Dict, predictor int64) []byte {
	colors := f.parameter(parms, "Colors", 1, maxColors)
	bits := f.parameter(parms, "BitsPerComponent", 8, 16)
	columns := f.parameter(parms, "Columns", 1, maxColumns)
	row := (colors*bits*columns + 7) / 8
	pixel := max(1, colors*bits/8)
	if predictor == 2 {
		untiff(data, row, colors, bits)
		return data
	}
	return unpng(data, row, pixel)
}

// parameter returns a number from 1 to most.
func (f *File) parameter(parms Dict, key Name, absent, most int64) int {
	n, ok := f.Int(parms[key])
	if !ok || n < 1 {
		n = absent
	}
	return int(min(n, most))
}

// unpng undoes the predictors of PNG, in place: each row starts with the one it uses.
func unpng(data []byte, row, pixel int) []byte {
	out := data[:0]
	above := make([]byte, min(row, len(data)))
	for len(data) > 1 {
		tag := data[0]
		data = data[1:]
		current := data[:min(row, len(data))]
		data = data[len(current):]
		switch tag {
		case 1:
			for i := pixel; i < len(current); i++ {
				current[i] += current[i-pixel]
			}
		case 2:
			for i := range current {
				current[i] += above[i]
			}
		case 3:
			for i := range current {
				left := 0
				if i >= pixel {
					left = int(current[i-pixel])
				}
				current[i] += byte((left + int(above[i])) / 2)
			}
		case 4:
			for i := range current {
				var left, corner byte
				if i >= pixel {
					left, corner = current[i-pixel], above[i-pixel]
				}
				current[i] += paeth(left, above[i], corner)
			}
		}
		copy(above, current)
		out = append(out, current...)
	}
	return out
}

// paeth chooses the neighbour that is nearest to left + above - corner.
func paeth(left, above, corner byte) byte {
	p := int(left) + int(above) - int(corner)
	a, b, c := abs(p-int(left)), abs(p-int(above)), abs(p-int(corner))
	switch {
	case a <= b && a <= c:
		return left
	case b <= c:
		return above
	}
	return corner
}

func abs(n int) int { return max(n, -n) }

// untiff undoes predictor 2 of TIFF, in place: each component is the difference from the
// one before it.
func untiff(data []byte, row, colors, bits int) {
	for ; len(data) > 0; data = data[min(row, len(data)):] {
		current := data[:min(row, len(data))]
		switch bits {
		case 8:
			for i := colors; i < len(current); i++ {
				current[i] += current[i-colors]
			}
		case 16:
			for i := 2 * colors; i+1 < len(current); i += 2 {
				sum := uint16(current[i])<<8 + uint16(current[i+1]) + uint16(current[i-2*colors])<<8 + uint16(current[i-2*colors+1])
				current[i], current[i+1] = byte(sum>>8), byte(sum)
			}
		default:
			untiffBits(current, colors, bits)
		}
	}
}

// untiffBits does so for components of 1, 2 or 4 bits.
func untiffBits(row []byte, colors, bits int) {
	if 8%bits != 0 {
		return
	}
	mask := byte(1<<bits - 1)
	last := make([]byte, colors)
	for i := range len(row) * 8 / bits {
		at, shift := i*bits/8, 8-bits-i*bits%8
		sum := (row[at]>>shift + last[i%colors]) & mask
		last[i%colors] = sum
		row[at] = row[at]&^(mask<<shift) | sum<<shift
	}
}
