package zone

import (
	"os"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// Person returns the time zone of a person: the one of a name that they have set, or else
// the system's; see [System].
func Person(name, tz string) (loc *time.Location, wrong fault.Text, err error) {
	if name == "" {
		loc, wrong = System(tz)
		return loc, wrong, nil
	}
	if loc, err = Load(name); err != nil {
		e := fault.As(err)
		return nil, wrong, fault.New(fault.NotConfigured, fault.T("the person's time zone cannot be used: %s", e.Message)).
			WithHint(fault.T("correct the setting timezone or the variable HELVE_TIMEZONE: %s", e.Hint)).Because(err)
	}
	return loc, wrong, nil
}

// System returns the zone of the system, by the name that is to be kept: its IANA name, or,
// where no zone is like it, its offset at the moment, such as +08:00. tz is the variable TZ,
// "" if it is not set. If it names no zone, the clock is that of UTC, and wrong says so.
func System(tz string) (loc *time.Location, wrong fault.Text) {
	if name := afterZoneinfo(strings.TrimPrefix(tz, ":")); name != "" && name != "/etc/localtime" {
		return variable(name)
	}
	return localZone(), fault.Text{}
}

// variable returns the zone of a value of the variable TZ.
func variable(value string) (*time.Location, fault.Text) {
	if canonical(value) != "" {
		if loc, err := load(value); err == nil {
			return loc, fault.Text{}
		}
	}
	if loc, ok := posix(value); ok {
		return loc, fault.Text{}
	}
	if loc, err := load(value); err == nil && strings.Contains(value, "/") {
		return loc, fault.Text{}
	}
	return time.UTC, fault.T("the variable TZ names no time zone: %q; times are those of UTC", clip(value))
}

// localZone returns the zone of a system whose variable TZ says nothing.
var localZone = sync.OnceValue(func() *time.Location { return local(time.Local, time.Now(), "/etc") })

// local returns the zone of a system of files by a name that others can load; here is the
// clock that the library found.
func local(here *time.Location, now time.Time, etc string) *time.Location {
	// The library knows what TZ names by its name, and the files of the system by none.
	if name := here.String(); name != "Local" && name != "UTC" {
		if loc, err := load(afterZoneinfo(name)); err == nil {
			return loc
		}
	}
	// The link says a name, also where the system has no zones, or older ones.
	if target, err := os.Readlink(etc + "/localtime"); err == nil {
		if loc, err := load(strings.TrimPrefix(afterZoneinfo(target), "posix/")); err == nil {
			return loc
		}
	}
	if text, err := os.ReadFile(etc + "/timezone"); err == nil && len(text) < 256 { // which may be outdated
		if loc, err := load(strings.TrimSpace(string(text))); err == nil && agree(here, loc, now) {
			return loc
		}
	}
	return named(here, now)
}

// named returns the zone whose clock is like one that has no name.
func named(here *time.Location, now time.Time) *time.Location {
	if loc := likest(here, now); loc != nil {
		return loc
	}
	// Windows ends here.
	_, seconds := now.In(here).Zone()
	if loc, err := load(now.In(here).Format("-07:00")); err == nil && seconds%60 == 0 {
		return loc
	}
	return time.UTC
}

// afterZoneinfo returns the name of the zone that a file of the system has.
func afterZoneinfo(path string) string {
	if _, name, ok := strings.Cut(path, "zoneinfo/"); ok {
		return name
	}
	return path
}

// agree reports whether two clocks show the same in each month of the years around now.
func agree(a, b *time.Location, now time.Time) bool {
	for month := -12; month <= 24; month++ {
		at := now.AddDate(0, month, 0)
		_, x := at.In(a).Zone()
		if _, y := at.In(b).Zone(); x != y {
			return false
		}
	}
	return true
}

// likest returns the zone that shows the same as a clock from now on and was most like it
// since 1970, of equal ones one that its country's people choose; nil if there is none, and
// for a clock that is never put forward or back, as its offset says all.
func likest(here *time.Location, now time.Time) *time.Location {
	if start, end := now.In(here).ZoneBounds(); start.IsZero() && end.IsZero() {
		return nil
	}
	chosen := chosenNames()
	var found *time.Location
	most := -1
	for name := range strings.Lines(names) {
		name = strings.TrimSuffix(name, "\n")
		loc, err := load(name)
		if err != nil || !agree(here, loc, now) {
			continue
		}
		score := 2 * alike(here, loc, now)
		if chosen[name] {
			score++
		}
		if score > most {
			found, most = loc, score
		}
	}
	return found
}

// alike counts the months since 1970 in which two clocks show the same, by the same
// abbreviation.
func alike(a, b *time.Location, now time.Time) (months int) {
	for at := time.Unix(0, 0); at.Before(now); at = at.AddDate(0, 1, 0) {
		shortA, x := at.In(a).Zone()
		if shortB, y := at.In(b).Zone(); x == y && shortA == shortB {
			months++
		}
	}
	return months
}

// chosenNames returns the names that the database offers to people of each country.
func chosenNames() map[string]bool {
	chosen := map[string]bool{}
	table, err := unpacked("zone1970.tab")
	if err != nil {
		return chosen // then the first of equal ones is taken
	}
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); len(fields) > 2 && !strings.HasPrefix(line, "#") {
			chosen[fields[2]] = true
		}
	}
	return chosen
}
