package zone

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestLocal(t *testing.T) {
	berlin, err := Load("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	unnamed := func(name string) *time.Location { // as the library reads /etc/localtime
		data := zoneFile(t, name)
		loc, err := time.LoadLocationFromTZData("Local", data)
		if err != nil {
			t.Fatal(err)
		}
		return loc
	}
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		here               *time.Location
		link, timezoneFile string
		want               string
	}{
		{time.UTC, "", "", "UTC"},
		{time.UTC, "/usr/share/zoneinfo/Asia/Tokyo", "", "Asia/Tokyo"}, // a link into zones that are not there
		{time.UTC, "../usr/share/zoneinfo/posix/Asia/Tokyo", "", "Asia/Tokyo"},
		{time.UTC, "/etc/clock", "", "UTC"},
		{berlin, "", "Asia/Tokyo", "Europe/Berlin"},
		{berlin, "/usr/share/zoneinfo/Asia/Tokyo", "", "Europe/Berlin"}, // TZ says more than the link
		{unnamed("Europe/Berlin"), "", "Europe/Paris", "Europe/Paris"},
		{unnamed("Europe/Berlin"), "", "Asia/Tokyo", "Europe/Berlin"}, // the file is outdated
		{unnamed("Europe/Berlin"), "", "nonsense", "Europe/Berlin"},
		{unnamed("Asia/Kathmandu"), "", "", "Asia/Kathmandu"},
		{unnamed("Asia/Shanghai"), "", "", "Asia/Shanghai"},
		{unnamed("America/New_York"), "", "", "America/New_York"},
		{unnamed("Africa/Casablanca"), "", "", "Africa/Casablanca"},
		{unnamed("Etc/UTC"), "", "", "UTC"},
		{unnamed("Etc/GMT-8"), "", "", "+08:00"},
		{time.FixedZone("Local", 20), "", "", "UTC"},
	} {
		etc := t.TempDir()
		if tt.link != "" {
			if err := os.Symlink(tt.link, filepath.Join(etc, "localtime")); err != nil {
				t.Skip("no symbolic links")
			}
		}
		if tt.timezoneFile != "" {
			if err := os.WriteFile(filepath.Join(etc, "timezone"), []byte(tt.timezoneFile+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := local(tt.here, now, etc); got.String() != tt.want {
			t.Errorf("%s, %q, %q: %s, want %s", tt.here, tt.link, tt.timezoneFile, got, tt.want)
		}
	}
	if _, err := Load(localZone().String()); err != nil {
		t.Errorf("the system's zone %s: %v", localZone(), err)
	}
}

// The variable TZ has a name, a file, or a rule as POSIX writes it, in which the west is
// positive.
func TestSystemOfVariable(t *testing.T) {
	for _, tt := range []struct {
		tz, want string
		seconds  int // east of UTC in January
		wrong    bool
	}{
		{"Asia/Tokyo", "Asia/Tokyo", 9 * 3600, false},
		{":Asia/Tokyo", "Asia/Tokyo", 9 * 3600, false},
		{"/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo", 9 * 3600, false},
		{"UTC", "UTC", 0, false}, {"UTC0", "UTC", 0, false},
		{"CST-8", "+08:00", 8 * 3600, false}, {"<+08>-8", "+08:00", 8 * 3600, false}, {"UTC+8", "-08:00", -8 * 3600, false},
		{"IST-5:30", "+05:30", 19800, false},
		{"EST5EDT", "EST5EDT", -5 * 3600, false},
		{"EST5EDT,M3.2.0,M11.1.0", "EST5EDT,M3.2.0,M11.1.0", -5 * 3600, false},
		{"CET-1CEST,M3.5.0,M10.5.0/3", "CET-1CEST,M3.5.0,M10.5.0/3", 3600, false},
		{"AAA-3BBB", "AAA-3BBB,M3.2.0,M11.1.0", 3 * 3600, false},
		{"Mars/Phobos", "UTC", 0, true}, {"nonsense", "UTC", 0, true}, {"CST", "UTC", 0, true}, {"Foo/Bar-3", "UTC", 0, true},
	} {
		loc, wrong := System(tt.tz)
		_, seconds := time.Date(2026, 1, 15, 0, 0, 0, 0, loc).Zone()
		if loc.String() != tt.want || seconds != tt.seconds || wrong.IsZero() == tt.wrong {
			t.Errorf("%q is %s, %d seconds, %q", tt.tz, loc, seconds, wrong)
		}
		if again, err := Load(loc.String()); err != nil || again.String() != loc.String() {
			t.Errorf("%q cannot be kept as %s: %v", tt.tz, loc, err)
		}
	}
}

// zoneFile returns the bytes of a zone.
func zoneFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := unpacked(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
