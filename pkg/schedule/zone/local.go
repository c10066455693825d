package zone

import (
	"os"
	"strings"
	"sync"
	"time"
)

// localZone returns the zone of the system, by the name that is to be kept: its IANA name, or,
// where that cannot be found out, its offset at the moment, such as +08:00.
var localZone = sync.OnceValue(func() *time.Location {
	return local(time.Local, time.Now(), func() []string { return systemNames("/etc") })
})

// local returns the zone by a name that others can load for the clock that the library
// calls here. names are asked only if here has none.
func local(here *time.Location, now time.Time, names func() []string) *time.Location {
	candidates := []string{afterZoneinfo(here.String())}
	if candidates[0] == "Local" {
		candidates = names()
	}
	for _, name := range candidates {
		if loc, err := load(name); err == nil && agree(here, loc, now) {
			return loc
		}
	}
	// Windows ends here, and so does a system whose file of the zone has no name.
	_, seconds := now.In(here).Zone()
	if loc, err := load(now.In(here).Format("-07:00")); err == nil && seconds%60 == 0 {
		return loc
	}
	return time.UTC
}

// systemNames returns the names that a system of files says its zone has: the target of
// the link localtime, and what Debian writes to timezone.
func systemNames(etc string) []string {
	var names []string
	if target, err := os.Readlink(etc + "/localtime"); err == nil {
		names = append(names, afterZoneinfo(target))
	}
	if text, err := os.ReadFile(etc + "/timezone"); err == nil && len(text) < 256 {
		names = append(names, strings.TrimSpace(string(text)))
	}
	return names
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
