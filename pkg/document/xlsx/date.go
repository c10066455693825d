package xlsx

import (
	"strings"
	"time"
)

// parseDate returns the serial number of a date or time as ISO 8601 writes it (18.17.4):
// the strict variant of the format may have it in cells of type "d".
func parseDate(value []byte, date1904 bool) (float64, bool) {
	if len(value) > len("2006-01-02T15:04:05.999999999+00:00") {
		return 0, false
	}
	v := strings.TrimSuffix(strings.TrimSpace(string(value)), "Z")
	for _, layout := range [...]string{"2006-01-02T15:04:05", "2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04", "15:04:05", "15:04"} {
		t, err := time.Parse(layout, v) // fractions of seconds are taken by themselves
		if err != nil {
			continue
		}
		clock := t.Sub(t.Truncate(24*time.Hour)).Hours() / 24
		if !strings.Contains(layout, "2006") {
			return clock, true
		}
		epoch := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
		if date1904 {
			epoch = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		days := float64(t.Truncate(24*time.Hour).Unix()-epoch.Unix()) / (24 * 60 * 60)
		if !date1904 && days < 61 {
			days-- // Excel has a 29 February 1900
		}
		return days + clock, days >= 0
	}
	return 0, false
}
