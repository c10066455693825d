package numfmt

import (
	"math"
	"strconv"
)

// The days that a spreadsheet has dates for: to the end of the year 9999, in both epochs.
const (
	lastDay     = 2958466
	lastDay1904 = 2957004
	days1904    = 1462 // from the epoch of 1900 to that of 1904
)

// moment is a point in time as a spreadsheet counts it.
type moment struct {
	serial           int // whole days of the epoch of 1900
	year, month, day int
	hour, minute     int
	second, fraction int // fraction in units of the section's subseconds
}

// civil sets the date from the serial day of the epoch of 1900, which takes 1900 for a leap year:
// day 60 is 29 February, day 0 is "0 January".
func (m *moment) civil() {
	switch {
	case m.serial == 60:
		m.year, m.month, m.day = 1900, 2, 29
		return
	case m.serial == 0:
		m.year, m.month, m.day = 1900, 1, 0
		return
	}
	z := m.serial
	if z < 60 {
		z++
	}
	// Days from 1 March of the year 0, in eras of 400 years (Howard Hinnant, chrono-compatible date algorithms).
	z += 693899
	era := z / 146097
	inEra := z - era*146097
	yearOfEra := (inEra - inEra/1460 + inEra/36524 - inEra/146096) / 365
	inYear := inEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	mp := (5*inYear + 2) / 153
	m.day = inYear - (153*mp+2)/5 + 1
	m.month = mp + 3
	m.year = yearOfEra + era*400
	if m.month > 12 {
		m.month -= 12
		m.year++
	}
}

// weekday is 0 for Sunday.
func (m *moment) weekday() int { return (m.serial + 6) % 7 }

// momentOf splits a value, which is not negative, into a date and a time of day with so many digits of a
// second, rounded. It fails for days that have no date.
func momentOf(value float64, subseconds int, round bool, o Options) (m moment, ok bool) {
	last := lastDay
	if o.Date1904 {
		last = lastDay1904
	}
	if !(value < float64(last)) {
		return m, false
	}
	day := math.Floor(value)
	unit := math.Pow10(subseconds)
	ticks := (value - day) * 86400 * unit
	if round {
		ticks = math.Round(ticks + 1e-6*unit)
	} else {
		ticks = math.Floor(ticks + 1e-4) // a binary number may be a little less than the second it stands for
	}
	if ticks >= 86400*unit {
		ticks -= 86400 * unit
		day++
	}
	if day >= float64(last) {
		return m, false
	}
	m.serial = int(day)
	if o.Date1904 {
		m.serial += days1904
	}
	m.civil()
	t := int(ticks)
	u := int(unit)
	m.fraction = t % u
	t /= u
	m.hour, m.minute, m.second = t/3600, t/60%60, t%60
	return m, true
}

// arrangeDate distinguishes minutes from months, and digits of a second from other digits.
func (s *section) arrangeDate() {
	previous := literal
	for i := range s.tokens {
		t := &s.tokens[i]
		switch t.kind {
		case months:
			if t.n <= 2 && (previous == hours || previous == elapsedHours || s.beforeSeconds(i+1)) {
				t.kind, s.clock = minutes, true
			} else {
				s.calendar = true
			}
			previous = t.kind
		case noonMark, literal, digit, point, comma, percent, slash, exponent, textMark, generalMark:
		default:
			previous = t.kind
		}
	}
	kept := s.tokens[:0]
	timed := false
	for i := 0; i < len(s.tokens); i++ {
		t := s.tokens[i]
		switch t.kind {
		case seconds, elapsedSeconds:
			timed = true
		case point:
			n := 0
			for i+n+1 < len(s.tokens) && s.tokens[i+n+1].kind == digit && s.tokens[i+n+1].n == '0' {
				n++
			}
			if timed && n > 0 {
				t = token{kind: subsecond, n: uint8(min(n, mostSubseconds))}
				s.subseconds = max(s.subseconds, int(t.n))
				i += n
			}
		case textMark, generalMark:
			continue
		}
		kept = append(kept, t)
	}
	s.tokens = kept
}

// mostSubseconds limits the digits shown of a fraction of a second: Excel knows milliseconds.
const mostSubseconds = 3

// beforeSeconds reports whether the next part of a date from the token i on is seconds.
func (s *section) beforeSeconds(i int) bool {
	for ; i < len(s.tokens); i++ {
		switch s.tokens[i].kind {
		case seconds, elapsedSeconds:
			return true
		case literal, point, comma, percent, slash, digit, exponent, noonMark:
		default:
			return false
		}
	}
	return false
}

// appendDate shows a value as a date, a time or elapsed time.
func (s *section) appendDate(dst []byte, value float64, bare bool, o Options) []byte {
	if value != value {
		return append(dst, overflow...)
	}
	start := len(dst)
	if value < 0 {
		if !o.Date1904 && !bare && !(s.elapsed && !s.calendar) {
			return append(dst, overflow...)
		}
		if !bare {
			dst = append(dst, '-')
		}
		value = -value
	}
	m, ok := momentOf(value, s.subseconds, s.clock, o)
	if !ok && (!s.elapsed || s.calendar || value > mostElapsed) {
		return append(dst[:start], overflow...)
	}
	if !ok { // elapsed time may be longer than there are dates
		day := math.Floor(value)
		m, _ = momentOf(value-day, s.subseconds, true, Options{})
		m.serial += int(day)
	}
	if o.Date1904 && s.elapsed && ok {
		m.serial -= days1904
	}
	for i := range s.tokens {
		dst = s.appendPart(dst, &s.tokens[i], &m)
	}
	return dst
}

// mostElapsed limits the days of which elapsed time is counted.
const mostElapsed = 1e11

func (s *section) appendPart(dst []byte, t *token, m *moment) []byte {
	n := int(t.n)
	switch t.kind {
	case years:
		year := m.year
		if s.thaiYears {
			year += buddhist
		}
		if n <= 2 {
			return pad(dst, year%100, 2)
		}
		return pad(dst, year, 4)
	case months:
		if n <= 2 {
			return pad(dst, m.month, n)
		}
		return s.appendMonth(dst, m.month, n)
	case days:
		if n <= 2 {
			return pad(dst, m.day, n)
		}
		return s.appendWeekday(dst, m.weekday(), n)
	case easternWeekday:
		return s.appendEasternWeekday(dst, m.weekday(), n)
	case hours:
		h := m.hour
		if s.noon {
			h = (h+11)%12 + 1
		}
		return pad(dst, h, min(n, 2))
	case minutes:
		return pad(dst, m.minute, n)
	case seconds:
		return pad(dst, m.second, min(n, 2))
	case subsecond:
		dst = append(dst, '.')
		f := m.fraction
		for i := n; i < s.subseconds; i++ {
			f /= 10
		}
		return pad(dst, f, n)
	case noonMark:
		return s.appendNoon(dst, t.n, m.hour >= 12)
	case elapsedHours:
		return pad(dst, m.serial*24+m.hour, n)
	case elapsedMinutes:
		return pad(dst, m.serial*1440+m.hour*60+m.minute, n)
	case elapsedSeconds:
		return pad(dst, m.serial*86400+m.hour*3600+m.minute*60+m.second, n)
	case era:
		return s.appendEra(dst, m, n)
	case eraYears:
		return s.appendEraYear(dst, m, n)
	case buddhistYear:
		if n <= 2 {
			return pad(dst, (m.year+buddhist)%100, 2)
		}
		return pad(dst, m.year+buddhist, 4)
	}
	return t.literal(dst)
}

// buddhist is the number of years by which the Thai calendar is ahead.
const buddhist = 543

// pad appends n, with zeros in front to fill the width.
func pad(dst []byte, n, width int) []byte {
	for limit := 10; width > 1; width-- {
		if n < limit {
			break
		}
		limit *= 10
	}
	for ; width > 1; width-- {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, int64(n), 10)
}
