package numfmt

import (
	"bytes"
	"slices"
)

// AppendAuto appends a value in a form that is easy to calculate with: dates and times in ISO 8601,
// with a space between them; numbers in the format General with all their digits; everything else
// as displayed, but with the minus sign where only a colour marks a negative number. A date that
// does not exist is shown as its number.
func (f *Format) AppendAuto(dst []byte, value float64, o Options) []byte {
	s, bare := f.choose(value)
	if s == nil {
		return AppendExact(dst, value)
	}
	if s.general && len(s.tokens) == 0 || s.text && s.plain() {
		return AppendExact(dst, value)
	}
	if !s.dates || s.elapsed || !s.calendar && !s.clock {
		if bare && value < 0 {
			return f.appendNegative(dst, value, o)
		}
		return s.append(dst, value, bare, o)
	}
	m, ok := momentOf(value, s.subseconds, s.clock, o)
	if !ok || value < 0 {
		return AppendExact(dst, value)
	}
	if s.calendar && m.serial == 0 {
		if value == 0 {
			return s.append(dst, value, bare, o)
		}
	} else if s.calendar {
		dst = pad(dst, m.year, 4)
		dst = append(dst, '-')
		dst = pad(dst, m.month, 2)
		dst = append(dst, '-')
		dst = pad(dst, m.day, 2)
		if !s.clock {
			return dst
		}
		dst = append(dst, ' ')
	}
	dst = pad(dst, m.hour, 2)
	dst = append(dst, ':')
	dst = pad(dst, m.minute, 2)
	dst = append(dst, ':')
	dst = pad(dst, m.second, 2)
	if s.subseconds > 0 {
		dst = append(dst, '.')
		dst = pad(dst, m.fraction, s.subseconds)
	}
	return dst
}

// appendNegative appends a negative number as displayed, with a minus sign if it differs
// from the positive number only by its colour (0.00;[Red]0.00).
func (f *Format) appendNegative(dst []byte, value float64, o Options) []byte {
	start := len(dst)
	dst = f.Append(dst, value, o)
	shown := bytes.TrimSpace(dst[start:])
	if !bytes.ContainsAny(shown, "123456789") || !bytes.Equal(shown, bytes.TrimSpace(f.Append(nil, -value, o))) {
		return dst
	}
	return slices.Insert(dst, start+bytes.Index(dst[start:], shown), '-')
}
