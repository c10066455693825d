package numfmt

// AppendAuto appends a value in the form that is best to reckon with: dates and times
// as ISO 8601 writes them, with a space between; numbers in the format General with all their digits; all else as
// it is displayed. A date that does not exist is shown as its number.
func (f *Format) AppendAuto(dst []byte, value float64, o Options) []byte {
	s, bare := f.choose(value)
	if s == nil {
		return AppendExact(dst, value)
	}
	if s.general && len(s.tokens) == 0 || s.text && s.plain() {
		return AppendExact(dst, value)
	}
	if !s.dates || s.elapsed || !s.calendar && !s.clock {
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
