package metadata

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	dateBytes  = 120  // longest text, in bytes, that is read as one date
	firstYear  = 1990 // earliest year of a date that is only seen, not declared
	futureDays = 2    // how far such a date may lie ahead: zones and clocks differ
)

// order is the order of day and month in a date of numbers such as 09/08/2021.
type order uint8

const (
	unknownOrder order = iota
	dayFirst
	monthFirst
)

// orderOf returns the order that a language and a host use. Plain English is written
// in both; then the country of the host decides, and America's order is the default.
func orderOf(language, host string) order {
	language = strings.ToLower(language)
	switch language {
	case "":
		return unknownOrder
	case "en-us", "en-ph":
		return monthFirst
	case "en-ca":
		return unknownOrder
	case "en":
		switch host[strings.LastIndexByte(host, '.')+1:] {
		case "uk", "au", "nz", "ie", "in", "za", "sg", "my", "eu":
			return dayFirst
		case "ca":
			return unknownOrder
		}
		return monthFirst
	}
	return dayFirst
}

// date reads a date that the page declares as such. It returns it in ISO 8601 with
// the precision that it has: 2021, 2021-09, 2021-09-08, a local time without a zone,
// or RFC 3339. It returns "" for what is no date, and for the zeros of computers'
// clocks.
func date(s string, o order) string {
	s = strings.TrimSpace(digits(s))
	if s == "" || len(s) > dateBytes {
		return ""
	}
	iso := exact(s)
	if iso == "" {
		iso = stamp(s)
	}
	if iso == "" {
		if found := datesIn(s, o); len(found) > 0 {
			iso = found[0].iso
		}
	}
	if iso == "" {
		iso = coarse(s)
	}
	if iso < "1000" || strings.HasPrefix(iso, "1970-01-01") {
		return ""
	}
	return iso
}

// exact reads the forms that programs write.
func exact(s string) string {
	if at := strings.Index(s, " ("); at > 0 && strings.HasSuffix(s, ")") { // as JavaScript names the zone
		s = s[:at]
	}
	for _, layout := range [...]string{
		time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04Z07:00", "2006-01-02T15:04Z0700",
		"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05Z0700", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04Z07:00", "20060102T150405Z0700",
		time.RFC1123Z, "Mon, 2 Jan 2006 15:04:05 -0700", time.RubyDate, "Mon Jan 2 2006 15:04:05 GMT-0700",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format(time.RFC3339)
		}
	}
	for _, layout := range [...]string{
		time.RFC1123, "Mon, 2 Jan 2006 15:04:05 MST", time.RFC850, time.UnixDate, "2006-01-02 15:04:05 MST", "2006-01-02 15:04 MST",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			if zone, _ := t.Zone(); zone == "UTC" || zone == "GMT" {
				return t.Format("2006-01-02T15:04:05") + "Z"
			}
			return t.Format(local) // time.Parse knows no other names of zones
		}
	}
	for _, layout := range [...]string{
		local, "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006/01/02 15:04:05", "2006/01/02 15:04", "20060102T150405", "20060102150405", time.ANSIC,
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format(local)
		}
	}
	for _, layout := range [...]string{time.DateOnly, "2006/01/02", "2006-1-2", "2006/1/2", "20060102"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}

// local is the form of a time whose zone is not known.
const local = "2006-01-02T15:04:05"

// stamp reads the seconds or milliseconds since 1970.
func stamp(s string) string {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil:
		return ""
	case len(s) == 13:
		n /= 1000
	case len(s) != 10:
		return ""
	}
	return time.Unix(n, 0).UTC().Format(time.RFC3339)
}

// coarse reads a month or a year.
func coarse(s string) string {
	for _, layout := range [...]string{"2006-01", "2006/01", "2006/1", "200601"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format("2006-01")
		}
	}
	words := split(s)
	for i := range words {
		if m := month(words[i].text); m > 0 {
			for _, j := range [...]int{i + 1, i + 2, i - 1} {
				if j >= 0 && j < len(words) && words[j].year() > 0 {
					return fmt.Sprintf("%04d-%02d", words[j].year(), m)
				}
			}
		}
	}
	if t, err := time.Parse("2006", s); err == nil {
		return t.Format("2006")
	}
	return ""
}

// dated is a date in a text.
type dated struct {
	iso        string
	start, end int // bytes
}

// datesIn finds the full dates in a text: of numbers, or with the name of a month.
func datesIn(s string, o order) []dated {
	s = digits(s)
	words := split(s)
	var all []dated
	for i := 0; i < len(words); i++ {
		for _, form := range [...]func(string, []word, order) (int, int, int, int){ideographs, numbers, dayMonth, monthDay, yearMonth} {
			y, m, d, n := form(s, words[i:], o)
			if n == 0 || !valid(y, m, d) {
				continue
			}
			all = append(all, dated{fmt.Sprintf("%04d-%02d-%02d", y, m, d), words[i].start, words[i+n-1].end})
			i += n - 1
			break
		}
	}
	return all
}

func valid(y, m, d int) bool {
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return y >= 1000 && t.Day() == d && int(t.Month()) == m
}

// plausible reports whether a date that was only seen may be that of a page.
func plausible(iso string, now time.Time) bool {
	return len(iso) >= 4 && iso >= strconv.Itoa(firstYear) && iso < now.AddDate(0, 0, futureDays).UTC().Format(time.DateOnly)
}

// word is a run of digits or of letters.
type word struct {
	text       string // lower case
	digit      bool
	start, end int
}

func (w word) value() int {
	if !w.digit || len(w.text) > 4 {
		return -1
	}
	n, _ := strconv.Atoi(w.text)
	return n
}

// year returns the year that w is; 0 for none.
func (w word) year() int {
	if v := w.value(); len(w.text) == 4 && v >= 1000 {
		return v
	}
	return 0
}

// small returns the day or the number of a month that w is; 0 for none.
func (w word) small() int {
	if v := w.value(); len(w.text) <= 2 && v > 0 {
		return v
	}
	return 0
}

func split(s string) []word {
	var all []word
	start, digit := -1, false
	flush := func(end int) {
		if start >= 0 {
			all = append(all, word{strings.ToLower(s[start:end]), digit, start, end})
		}
		start = -1
	}
	for i, r := range s {
		isDigit := r >= '0' && r <= '9'
		switch {
		case !isDigit && !unicode.IsLetter(r) && !unicode.IsMark(r):
			flush(i)
		case start < 0 || isDigit != digit:
			flush(i)
			start, digit = i, isDigit
		}
	}
	flush(len(s))
	return all
}

// digits writes the digits of other scripts as ASCII.
func digits(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsDigit(r) }) {
		return s
	}
	return strings.Map(func(r rune) rune {
		for _, zero := range [...]rune{'٠', '۰', '०', '০', '๐', '０'} {
			if r >= zero && r <= zero+9 {
				return '0' + r - zero
			}
		}
		return r
	}, s)
}

// near reports whether what stands between two words may stand within a date.
func near(s string, a, b word) bool {
	gap := s[a.end:b.start]
	return len(gap) <= 4 && strings.Trim(gap, " .,،'’-/\u00a0") == ""
}

// ideographs reads 2021年9月8日 and 2021년 9월 8일.
func ideographs(_ string, w []word, _ order) (y, m, d, n int) {
	if len(w) < 5 || !starts(w[1].text, "年", "년") || !starts(w[3].text, "月", "월") {
		return 0, 0, 0, 0
	}
	return w[0].year(), w[2].small(), w[4].small(), 5
}

func starts(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// numbers reads 2021-09-08, 8.9.2021 and, in the order given, 09/08/2021.
func numbers(s string, w []word, o order) (y, m, d, n int) {
	if len(w) < 3 || !w[1].digit || !w[2].digit || !near(s, w[0], w[1]) || !near(s, w[1], w[2]) {
		return 0, 0, 0, 0
	}
	sep := strings.TrimSpace(s[w[0].end:w[1].start])
	if sep != strings.TrimSpace(s[w[1].end:w[2].start]) || sep != "." && sep != "/" && sep != "-" {
		return 0, 0, 0, 0
	}
	if y := w[0].year(); y > 0 {
		return y, w[1].small(), w[2].small(), 3
	}
	a, b, y := w[0].small(), w[1].small(), w[2].year()
	switch {
	case y == 0 || a == 0 || b == 0:
		return 0, 0, 0, 0
	case a == b, sep == ".", a > 12, o == dayFirst && b <= 12:
		return y, b, a, 3
	case b > 12, o == monthFirst:
		return y, a, b, 3
	}
	return 0, 0, 0, 0 // either may be the month
}

// dayMonth reads 8 September 2021, 8. září 2021, 8 de septiembre de 2021, 8 tháng 9
// năm 2021.
func dayMonth(s string, w []word, _ order) (y, m, d, n int) {
	d, n = w[0].small(), 1
	if d == 0 {
		return 0, 0, 0, 0
	}
	n += particles(s, w[n:])
	if n+1 < len(w) && w[n].text == "tháng" {
		m, n = w[n+1].small(), n+2
	} else if n < len(w) && near(s, w[n-1], w[n]) {
		m, n = month(w[n].text), n+1
	}
	if m == 0 {
		return 0, 0, 0, 0
	}
	n += particles(s, w[n:])
	if n >= len(w) || !near(s, w[n-1], w[n]) {
		return 0, 0, 0, 0
	}
	return w[n].year(), m, d, n + 1
}

// monthDay reads September 8th, 2021.
func monthDay(s string, w []word, _ order) (y, m, d, n int) {
	m = month(w[0].text)
	if m == 0 || len(w) < 3 || !near(s, w[0], w[1]) {
		return 0, 0, 0, 0
	}
	d, n = w[1].small(), 2
	n += particles(s, w[n:])
	if d == 0 || n >= len(w) || !near(s, w[n-1], w[n]) {
		return 0, 0, 0, 0
	}
	return w[n].year(), m, d, n + 1
}

// yearMonth reads 2021. szeptember 8.
func yearMonth(s string, w []word, _ order) (y, m, d, n int) {
	if len(w) < 3 || w[0].year() == 0 || !near(s, w[0], w[1]) || !near(s, w[1], w[2]) {
		return 0, 0, 0, 0
	}
	return w[0].year(), month(w[1].text), w[2].small(), 3
}

// particles counts the words before the first that may be part of a date.
func particles(_ string, w []word) int {
	n := 0
	for n < len(w) && n < 2 {
		switch w[n].text {
		case "st", "nd", "rd", "th", "er", "º", "of", "de", "del", "di", "d", "den", "da", "năm", "г", "в":
			n++
		default:
			return n
		}
	}
	return n
}
