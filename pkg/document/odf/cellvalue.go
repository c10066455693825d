package odf

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/sheet"
)

var (
	percentFormat  = sync.OnceValue(func() *numfmt.Format { return numfmt.Parse("0%") })
	dateFormat     = sync.OnceValue(func() *numfmt.Format { return numfmt.Parse("yyyy-mm-dd") })
	dateTimeFormat = sync.OnceValue(func() *numfmt.Format { return numfmt.Parse("yyyy-mm-dd hh:mm:ss") })
	timeFormat     = sync.OnceValue(func() *numfmt.Format { return numfmt.Parse("hh:mm:ss") })
	elapsedFormat  = sync.OnceValue(func() *numfmt.Format { return numfmt.Parse("[h]:mm:ss") })
)

// dated makes a cell a date: the number of days that other spreadsheets have for it. Dates
// before March 1900, where these disagree, stay text.
func dated(c *sheet.Cell, value string, format *numfmt.Format) {
	day, clock, hasTime := strings.Cut(value, "T")
	at, err := time.Parse("2006-01-02", day)
	if err != nil || at.Year() < 1900 || at.Year() == 1900 && at.Month() < time.March {
		c.Content, c.Text = sheet.Text, []byte(strings.Replace(value, "T", " ", 1))
		return
	}
	c.Content = sheet.Number
	c.Number = float64(at.Unix()/86400 - time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).Unix()/86400)
	if hasTime {
		c.Number += clockDays(clock)
	}
	switch {
	case format != nil && format.Class().IsDate():
		c.Format = format
	case hasTime:
		c.Format = dateTimeFormat()
	default:
		c.Format = dateFormat()
	}
}

// clockDays returns the part of a day of a time such as "14:05:07.25".
func clockDays(clock string) float64 {
	days, unit := 0.0, 1.0/24
	for _, part := range strings.SplitN(strings.TrimSuffix(clock, "Z"), ":", 3) {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil || n < 0 || n >= 60 {
			return 0
		}
		days += n * unit
		unit /= 60
	}
	return days
}

// timed makes a cell a time or a duration such as "PT30H05M00S".
func timed(c *sheet.Cell, value string, format *numfmt.Format) {
	rest, negative := strings.CutPrefix(value, "-")
	rest, ok := strings.CutPrefix(rest, "PT")
	days := 0.0
	for _, unit := range [...]struct {
		mark byte
		days float64
	}{{'H', 1.0 / 24}, {'M', 1.0 / 1440}, {'S', 1.0 / 86400}} {
		i := strings.IndexByte(rest, unit.mark)
		if i < 0 {
			continue
		}
		n, err := strconv.ParseFloat(strings.Replace(rest[:i], ",", ".", 1), 64)
		if err != nil || n < 0 || n > 1e9 {
			ok = false
			break
		}
		days += n * unit.days
		rest = rest[i+1:]
	}
	if !ok {
		c.Content, c.Text = sheet.Text, c.Display
		return
	}
	c.Content, c.Number = sheet.Number, days
	if negative {
		c.Number = -days
	}
	switch {
	case format != nil:
		c.Format = format
	case days >= 1 || negative:
		c.Format = elapsedFormat()
	default:
		c.Format = timeFormat()
	}
}
