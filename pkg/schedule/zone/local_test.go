package zone

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
		here  *time.Location
		names []string
		want  string
	}{
		{berlin, []string{"Asia/Tokyo"}, "Europe/Berlin"}, // of TZ
		{time.UTC, []string{"Asia/Tokyo"}, "UTC"},
		{unnamed("Europe/Berlin"), []string{"Europe/Berlin"}, "Europe/Berlin"},
		{unnamed("Europe/Berlin"), []string{"Asia/Tokyo", "Europe/Paris"}, "Europe/Paris"}, // the first is outdated
		{unnamed("Europe/Berlin"), []string{"Asia/Tokyo"}, "+01:00"},
		{unnamed("Europe/Berlin"), []string{"nonsense", ""}, "+01:00"},
		{unnamed("Asia/Kathmandu"), nil, "+05:45"},
		{time.FixedZone("Local", 20), nil, "UTC"},
	} {
		if tt.names != nil && slices.Contains(tt.names, "") {
			tt.names = tt.names[:1]
		}
		if got := local(tt.here, now, func() []string { return tt.names }); got.String() != tt.want {
			t.Errorf("%s, %v: %s, want %s", tt.here, tt.names, got, tt.want)
		}
	}
	if _, err := Load(localZone().String()); err != nil {
		t.Errorf("the system's zone %s: %v", localZone(), err)
	}
}

// zoneFile returns the bytes of a zone that comes with Go.
func zoneFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := fs.ReadFile(database(t), name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestSystemNames(t *testing.T) {
	etc := t.TempDir()
	if got := systemNames(etc); len(got) != 0 {
		t.Errorf("an empty directory has %q", got)
	}
	if err := os.Symlink("../usr/share/zoneinfo/America/Argentina/Ushuaia", filepath.Join(etc, "localtime")); err != nil {
		t.Skip("no symbolic links")
	}
	if err := os.WriteFile(filepath.Join(etc, "timezone"), []byte("Asia/Tokyo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := systemNames(etc); !slices.Equal(got, []string{"America/Argentina/Ushuaia", "Asia/Tokyo"}) {
		t.Errorf("%q", got)
	}
}
