package zone

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestLoadAll(t *testing.T) {
	for name := range strings.Lines(names) {
		name = strings.TrimSuffix(name, "\n")
		if loc, err := Load(name); err != nil || loc.String() != name {
			t.Errorf("Load(%q) = %v, %v", name, loc, err)
		}
	}
}

func TestLoad(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		seconds    int // east of UTC in January 2026
	}{
		{"Europe/Berlin", "Europe/Berlin", 3600},
		{"europe/berlin", "Europe/Berlin", 3600},
		{"AMERICA/NEW YORK", "America/New_York", -18000},
		{" Asia/Kathmandu ", "Asia/Kathmandu", 20700},
		{"utc", "UTC", 0}, {"EST5EDT", "EST5EDT", -18000}, {"GMT+0", "GMT+0", 0}, {"GMT0", "GMT0", 0},
		{"Etc/GMT+8", "Etc/GMT+8", -28800}, // the database's sign
		{"+08:00", "+08:00", 28800}, {"+8", "+08:00", 28800}, {"UTC+8", "+08:00", 28800}, {"utc+08:00", "+08:00", 28800}, {"GMT+8", "+08:00", 28800},
		{"-0330", "-03:30", -12600}, {"UTC-3:30", "-03:30", -12600}, {"+05:45", "+05:45", 20700}, {"UTC−5", "-05:00", -18000},
		{"+00:00", "UTC", 0}, {"-0", "UTC", 0}, {"UTC+0", "UTC", 0}, {"+14", "+14:00", 50400},
	} {
		loc, err := Load(tt.name)
		if err != nil || loc.String() != tt.want {
			t.Errorf("Load(%q) = %v, %v; want %s", tt.name, loc, err, tt.want)
			continue
		}
		if _, seconds := time.Date(2026, 1, 15, 0, 0, 0, 0, loc).Zone(); seconds != tt.seconds {
			t.Errorf("%q is %d seconds east of UTC, not %d", tt.name, seconds, tt.seconds)
		}
		if again, err := Load(loc.String()); err != nil || again.String() != tt.want {
			t.Errorf("Load(%q) = %v, %v", loc, again, err)
		}
	}
	for _, name := range []string{"", "local", "Local"} {
		if loc, err := Load(name); err != nil || loc != localZone() {
			t.Errorf("Load(%q) = %v, %v", name, loc, err)
		}
	}
}

func TestUnknown(t *testing.T) {
	for _, tt := range []struct{ name, hint string }{
		{"Europe/Berln", "did you mean Europe/Berlin?"},
		{"Europ/Berlin", "did you mean Europe/Berlin?"},
		{"Berlin", "did you mean Europe/Berlin?"},
		{"berln", "did you mean Europe/Berlin?"},
		{"US/New_York", "did you mean America/New_York?"},
		{"Asia/Shanghia", "did you mean Asia/Shanghai?"},
		{"new york", "did you mean America/New_York?"},
		{"Beijing", "did you mean Asia/Shanghai?"},
		{"北京", "did you mean Asia/Shanghai?"},
		{"Asia/Beijing", "did you mean Asia/Shanghai?"},
		{"PST", "did you mean America/Los_Angeles?"},
		{"CST", "use one of America/Chicago, Asia/Shanghai"},
		{"IST", "use one of Asia/Kolkata, Europe/Dublin, Asia/Jerusalem"},
		{"Mars/Olympus", "use an IANA name"},
		{"+25:00", "use an IANA name"}, {"+08:60", "use an IANA name"}, {"UTC+", "did you mean UTC?"}, {"+", "use an IANA name"}, {"+14:30", "use an IANA name"},
		{" ", "use an IANA name"}, {"\x00", "use an IANA name"}, {"Factory", "use an IANA name"},
		{"../../etc/passwd", "use an IANA name"}, {"/etc/localtime", "use an IANA name"}, {"Europe/../Europe/Berlin", ""}, {"right/Europe/Berlin", ""}, {"posix/UTC", ""},
		{"Europe/Ber\nlin", "did you mean Europe/Berlin?"},
		{strings.Repeat("Europe/", 100), "use an IANA name"},
	} {
		loc, err := Load(tt.name)
		e := fault.As(err)
		if err == nil || e.Code != fault.InvalidArguments || !strings.HasPrefix(e.Hint.String(), tt.hint) || e.Hint.IsZero() || len(e.Error()) > 200 {
			t.Errorf("Load(%q) = %v, %v; hint %q, want %q", tt.name, loc, err, e.Hint, tt.hint)
		}
	}
	for name, want := range map[string]string{"cst": "America/Chicago Asia/Shanghai", "Europe/Brlin": "Europe/Berlin", "": ""} {
		near := nearest(name)
		if got := strings.Join(near, " "); got != want {
			t.Errorf("nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestCommon has every zone that is offered for a usual name exist.
func TestCommon(t *testing.T) {
	source, err := os.ReadFile("nearest.go")
	if err != nil {
		t.Fatal(err)
	}
	offered := 0
	for line := range strings.Lines(string(source)) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), `return "`)
		if !ok {
			continue
		}
		for name := range strings.FieldsSeq(strings.TrimSuffix(text, `"`)) {
			offered++
			if canonical(name) != name {
				t.Errorf("%q is no zone", name)
			}
		}
	}
	if offered < 20 {
		t.Errorf("only %d names", offered)
	}
}
