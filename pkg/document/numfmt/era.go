package numfmt

import "unicode/utf8"

// reigns of Japan by the day they begin, latest first.
var reigns = [...]struct {
	year, month, day int
	letter           string
	name             string
}{
	{2019, 5, 1, "R", "令和"},
	{1989, 1, 8, "H", "平成"},
	{1926, 12, 25, "S", "昭和"},
	{1912, 7, 30, "T", "大正"},
	{0, 0, 0, "M", "明治"},
}

// reign returns the index of the reign that a date is in.
func (m *moment) reign() int {
	for i := range reigns {
		r := &reigns[i]
		if m.year != r.year {
			if m.year > r.year {
				return i
			}
			continue
		}
		if m.month > r.month || m.month == r.month && m.day >= r.day {
			return i
		}
	}
	return len(reigns) - 1
}

// appendEra shows the era that years are counted in: g its letter, gg its first
// character, ggg its name. Calendars with one era show none.
func (s *section) appendEra(dst []byte, m *moment, n int) []byte {
	switch {
	case s.language == taiwan && n >= 3:
		return append(dst, "中華民國"...)
	case s.language == taiwan:
		return append(dst, "民國"...)
	case s.language&primary != langJapanese:
		return dst
	}
	r := &reigns[m.reign()]
	switch n {
	case 1:
		return append(dst, r.letter...)
	case 2:
		_, size := utf8.DecodeRuneInString(r.name)
		return append(dst, r.name[:size]...)
	}
	return append(dst, r.name...)
}

// appendEraYear shows the year of the era: of the reign in Japan, of the republic in
// Taiwan, else the common one.
func (s *section) appendEraYear(dst []byte, m *moment, n int) []byte {
	const (
		meiji    = 1867 // the year before the first
		republic = 1911
	)
	year := m.year
	switch {
	case s.language == taiwan && year > republic:
		return pad(dst, year-republic, n)
	case s.language&primary == langJapanese && s.language != 0:
		first := reigns[m.reign()].year - 1
		if first < 0 {
			first = meiji
		}
		return pad(dst, year-first, n)
	}
	return pad(dst, year, 4)
}
