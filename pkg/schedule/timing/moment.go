package timing

import (
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule/zone"
	"github.com/helve-dev/helve/pkg/schema"
)

// parseMoment reads a moment, in loc unless it has an offset.
func parseMoment(text string, loc *time.Location, now time.Time) (time.Time, []fault.Text, error) {
	plain := normal(text)
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04Z07"} {
		if t, err := time.Parse(layout, plain); err == nil {
			return t.In(loc), nil, tooFar(t)
		}
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04"} {
		clock, err := time.Parse(layout, plain)
		if err != nil {
			continue
		}
		moment, reading := zone.At(clock, loc)
		shown := clock.Format("2006-01-02 15:04:05")
		switch reading {
		case zone.Never:
			return moment, []fault.Text{fault.T("the clock of %s never shows %s: it leaps over it; the job runs when it has leapt, at %s", loc, shown, Show(moment))}, tooFar(moment)
		case zone.Twice:
			return moment, []fault.Text{fault.T("the clock of %s shows %s twice: the job runs the first time, at %s", loc, shown, Show(moment))}, tooFar(moment)
		}
		return moment, nil, tooFar(moment)
	}
	return time.Time{}, nil, schema.Invalid("/at", fault.T("%q is no moment", clip(text))).
		WithHint(fault.T("pass a date that exists and a time, such as %s for the clock of %s, or with an offset, %s; for a while from now use in, such as \"20m\"",
			now.Add(24*time.Hour).Format("2006-01-02T15:04"), loc, now.Add(24*time.Hour).Format("2006-01-02T15:04Z07:00")))
}

// normal returns a moment as RFC 3339 writes it where others differ in characters only:
// 2026/11/23 09:00:00 +01:00, and t and z.
func normal(text string) string {
	text = strings.ToUpper(strings.TrimSpace(text))
	if len(text) < 16 || len(text) > 40 {
		return ""
	}
	date, rest := text[:10], text[10:]
	if date[4] == '/' && date[7] == '/' {
		date = strings.ReplaceAll(date, "/", "-")
	}
	if rest[0] == ' ' {
		rest = "T" + rest[1:]
	}
	for _, before := range []string{" +", " -", " Z"} {
		rest = strings.Replace(rest, before, before[1:], 1)
	}
	return date + rest
}

// tooFar returns the fault of a moment that cannot be kept.
func tooFar(moment time.Time) error {
	if moment.Unix() > lastSecond || moment.Year() < 1 {
		return schema.Invalid("/at", fault.T("the year is out of range")).
			WithHint(fault.T("pass a year with four digits"))
	}
	return nil
}

// clip returns what a message shows of a long value.
func clip(text string) string {
	if len(text) <= 60 {
		return text
	}
	return strings.ToValidUTF8(text[:60], "") + "…"
}
