// Package zone finds time zones by name, says which one is meant by a name that is none,
// and what a zone's clock shows when.
package zone

import (
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// loaded has the zones that were asked for: reading one takes a file.
var loaded sync.Map // from string to *time.Location

// Load returns the zone of a name: an IANA name in any case, with spaces for underscores
// if need be, or an offset such as +08:00, UTC+8 or GMT-03:30. Its String is the name to
// keep: the IANA name as it is written, or the offset as +08:00. No name and "local" are
// the zone of the system. The fault of an unknown name is invalid_arguments, with the
// nearest names in its hint.
func Load(name string) (*time.Location, error) {
	if name == "" || strings.EqualFold(name, "local") {
		loc, _ := System("")
		return loc, nil
	}
	return load(name)
}

func load(name string) (*time.Location, error) {
	if loc, ok := offset(name); ok {
		return loc, nil
	}
	exact := canonical(name)
	if exact == "" && strings.Contains(name, ",") {
		if loc, ok := posix(name); ok {
			return loc, nil
		}
	}
	if exact == "" {
		// The system may know zones that are newer than the program. "posix/" and "right/" are
		// copies of all zones, the latter with leap seconds.
		if !strings.Contains(name, "/") || strings.HasPrefix(name, "posix/") || strings.HasPrefix(name, "right/") {
			return nil, unknown(name)
		}
		exact = name
	}
	if loc, ok := loaded.Load(exact); ok {
		return loc.(*time.Location), nil
	}
	loc, err := fromDatabase(exact)
	if err != nil {
		return nil, unknown(name).Because(err)
	}
	loaded.Store(exact, loc)
	return loc, nil
}

// canonical returns how a name is written in the database, or "".
func canonical(name string) string {
	if len(name) > 64 {
		return ""
	}
	name = strings.ReplaceAll(strings.TrimSpace(name), " ", "_")
	for known := range strings.Lines(names) {
		if known = strings.TrimSuffix(known, "\n"); strings.EqualFold(known, name) {
			return known
		}
	}
	return ""
}

// offset returns the zone of a fixed offset from UTC: +08:00, +8, UTC+8, GMT-0330. Unlike
// in "Etc/GMT-8", plus is east, as people write it.
func offset(name string) (*time.Location, bool) {
	text := strings.ToUpper(strings.TrimSpace(name))
	if rest, ok := strings.CutPrefix(text, "UTC"); ok {
		text = rest
	} else if rest, ok := strings.CutPrefix(text, "GMT"); ok && rest != "+0" && rest != "-0" { // these are names
		text = rest
	}
	text = strings.Replace(text, "−", "-", 1) // the minus sign of typography
	if len(text) < 2 || text[0] != '+' && text[0] != '-' {
		return nil, false
	}
	hours, minutes, colon := strings.Cut(text[1:], ":")
	if !colon && len(hours) == 4 {
		hours, minutes = hours[:2], hours[2:]
	}
	h, okH := digits(hours, 1)
	m, okM := 0, !colon && minutes == ""
	if !okM {
		m, okM = digits(minutes, 2)
	}
	// The clocks of the world are from -12:00 to +14:00.
	if !okH || !okM || m > 59 || h*60+m > 14*60 {
		return nil, false
	}
	seconds := h*3600 + m*60
	if text[0] == '-' {
		seconds = -seconds
	}
	if seconds == 0 {
		return time.UTC, true
	}
	return time.FixedZone(time.Unix(0, 0).In(time.FixedZone("", seconds)).Format("-07:00"), seconds), true
}

// digits returns a number of at least so many and at most two digits.
func digits(text string, least int) (n int, ok bool) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = n*10 + int(text[i]-'0')
	}
	return n, len(text) >= least && len(text) <= 2
}

// unknown is the fault of a name that no zone has.
func unknown(name string) *fault.Error {
	e := fault.New(fault.InvalidArguments, fault.T("there is no time zone %q", clip(name)))
	near := nearest(name)
	switch len(near) {
	case 0:
		return e.WithHint(fault.T("use an IANA name such as Europe/Berlin, America/New_York, Asia/Shanghai or UTC, or an offset such as +08:00"))
	case 1:
		return e.WithHint(fault.T("did you mean %s?", near[0]))
	default:
		return e.WithHint(fault.T("use one of %s", strings.Join(near, ", ")))
	}
}

// clip returns what a message shows of a long name.
func clip(name string) string {
	if len(name) <= 60 {
		return name
	}
	return strings.ToValidUTF8(name[:60], "") + "…"
}
