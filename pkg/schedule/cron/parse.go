package cron

import (
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// longest limits the bytes of an expression: a list of all seconds and of all minutes
// fits in.
const longest = 512

// Parse reads an expression. A fault is invalid_arguments: it names the field, the value
// and what is allowed. An expression that matches no day of any year is a fault too.
func Parse(text string) (*Expression, error) {
	if len(text) > longest {
		return nil, fault.New(fault.InvalidArguments, fault.T("the cron expression has %d bytes; at most %d are allowed", len(text), longest)).
			WithHint(shape())
	}
	parts := strings.Fields(text)
	e := &Expression{text: strings.Join(parts, " ")}
	if err := e.split(parts); err != nil {
		return nil, err
	}
	for i, set := range []*uint64{&e.second, &e.minute, &e.hour, nil, &e.month, nil} {
		if set == nil {
			continue
		}
		if err := readField(field(i), e.fields[i], func(it item) { it.into(set) }); err != nil {
			return nil, err
		}
	}
	if err := e.days.read(e.fields[dayOfMonth], e.fields[dayOfWeek]); err != nil {
		return nil, err
	}
	e.fixed = !strings.ContainsAny(e.fields[second]+e.fields[minute]+e.fields[hour], "*/")
	if err := e.possible(); err != nil {
		return nil, err
	}
	return e, nil
}

// Remark returns what somebody may not know who wrote an expression for Quartz, which it
// looks like: there, the week is numbered from 1, which is Sunday. It is empty for others.
func Remark(text string) fault.Text {
	parts := strings.Fields(text)
	if len(parts) != 6 || !slices.Contains(parts, "?") {
		return fault.Text{}
	}
	for element := range strings.FieldsFuncSeq(parts[5], func(c rune) bool { return c == ',' || c == '-' }) {
		day, _, _ := strings.Cut(element, "#")
		n, ok := number(strings.TrimSuffix(strings.ToUpper(day), "L"))
		if !ok || n < 1 || n > 7 {
			continue
		}
		name := func(day int) string { return dayOfWeek.names()[day%7*3:][:3] }
		return fault.T("day of week %d is %s here, and %s in Quartz: write the name of the day", n, name(n), name(n-1))
	}
	return fault.Text{}
}

// split sets the six fields from those that are given.
func (e *Expression) split(parts []string) error {
	if len(parts) > 0 && parts[0][0] == '@' {
		full, err := alias(e.text)
		if err != nil {
			return err
		}
		parts = strings.Fields(full)
	}
	if len(parts) > 0 {
		if name, _, ok := strings.Cut(parts[0], "="); ok && (name == "TZ" || name == "CRON_TZ") {
			return fault.New(fault.InvalidArguments, fault.T("a cron expression has no room for %s=", name)).
				WithHint(fault.T("give the time zone as an argument of its own, and the fields alone as the expression"))
		}
	}
	switch len(parts) {
	case 5:
		e.fields[second] = "0"
		copy(e.fields[minute:], parts)
	case 6:
		copy(e.fields[:], parts)
	case 7:
		return fault.New(fault.InvalidArguments, fault.T("the cron expression has 7 fields; a year is not supported")).
			WithHint(fault.T("leave the year out; for a single moment use at instead of a cron expression"))
	default:
		return fault.New(fault.InvalidArguments, fault.T("the cron expression %q has %d fields, not 5 or 6", clip(e.text), len(parts))).
			WithHint(shape())
	}
	return nil
}

// shape is the hint that says how an expression is made.
func shape() fault.Text {
	return fault.T("write minute, hour, day of month, month and day of week, such as \"30 9 * * MON-FRI\" for 09:30 on working days; six fields have the seconds first")
}

// alias returns the five fields that a name stands for.
func alias(name string) (string, error) {
	switch strings.ToLower(name) {
	case "@yearly", "@annually":
		return "0 0 1 1 *", nil
	case "@monthly":
		return "0 0 1 * *", nil
	case "@weekly":
		return "0 0 * * 0", nil
	case "@daily", "@midnight":
		return "0 0 * * *", nil
	case "@hourly":
		return "0 * * * *", nil
	case "@reboot":
		return "", fault.New(fault.InvalidArguments, fault.T("@reboot is not supported: it is no time")).
			WithHint(fault.T("have the system start it, such as with a systemd unit"))
	}
	e := fault.New(fault.InvalidArguments, fault.T("there is no cron alias %q", clip(name)))
	if strings.HasPrefix(strings.ToLower(name), "@every") {
		return "", e.WithHint(fault.T("for a period use every_seconds instead of a cron expression"))
	}
	return "", e.WithHint(fault.T("the aliases are @yearly, @annually, @monthly, @weekly, @daily, @midnight and @hourly"))
}

// read sets the days from the two fields of days.
func (s *daySet) read(dom, dow string) error {
	dow, and := strings.CutPrefix(dow, "+")
	s.both = and || star(dom) || star(dow)
	if err := readField(dayOfMonth, dom, func(it item) {
		switch it.special {
		case 'L':
			s.last = true
		case 'w':
			s.lastWD = true
		case 'W':
			s.nearest |= 1 << it.from
		default:
			it.into(&s.dom)
		}
	}); err != nil {
		return err
	}
	return readField(dayOfWeek, dow, func(it item) {
		if it.special == 0 {
			it.into(&s.dow)
			s.dow = s.dow&(1<<7-1) | s.dow>>7 // 7 is Sunday, too
			return
		}
		for day := it.from; day <= it.to; day++ {
			s.nth[day%7] |= 1 << it.nth
		}
	})
}

// star reports whether a field counts as unrestricted when the two of days are joined.
func star(text string) bool { return strings.HasPrefix(text, "*") || strings.HasPrefix(text, "?") }

// possible returns a fault if no day of any year matches.
func (e *Expression) possible() error {
	// These 28 years begin on each weekday as common years and as leap years.
	day := int64(10957) // 1 January 2000
	for c := civilOf(day); c.year < 2028; {
		if e.month>>c.month&1 == 0 {
			c, _ = c.nextMonth()
			continue
		}
		if e.days.match(c) {
			return nil
		}
		c = c.tomorrow()
	}
	months, dom, dow := e.fields[month], e.fields[dayOfMonth], e.fields[dayOfWeek]
	if star(dow) {
		return fault.New(fault.InvalidArguments, fault.T("day of month %q does not exist in month %q: this would never run", clip(dom), clip(months))).
			WithHint(fault.T("name a day that the months have: February has 28 or 29; April, June, September and November have 30; L is the last day of any month"))
	}
	return fault.New(fault.InvalidArguments, fault.T("no day is day of month %q, month %q and day of week %q at once: this would never run", clip(dom), clip(months), clip(dow))).
		WithHint(fault.T("let one of the three fields allow more"))
}

// field identifies one of the six fields.
type field int

const (
	second field = iota
	minute
	hour
	dayOfMonth
	month
	dayOfWeek
)

// bounds returns the least and the greatest value that may be written.
func (f field) bounds() (least, greatest int) {
	switch f {
	case second, minute:
		return 0, 59
	case hour:
		return 0, 23
	case dayOfMonth:
		return 1, 31
	case month:
		return 1, int(time.December)
	default:
		return 0, 7
	}
}

// names returns the names of a field's values by three letters each, from the least on.
func (f field) names() string {
	switch f {
	case month:
		return "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"
	case dayOfWeek:
		return "SUNMONTUEWEDTHUFRISAT"
	default:
		return ""
	}
}

// clip returns what a message shows of a long value.
func clip(text string) string {
	if len(text) <= 60 {
		return text
	}
	return strings.ToValidUTF8(text[:60], "") + "…"
}
