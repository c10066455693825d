package zone

import (
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// FuzzLoad has whatever is loaded load again by its name, and every other name be a fault
// whose suggestions can be loaded.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{"Europe/Berlin", "europe/berln", "UTC+8", "-03:30", "GMT+0", "PST", "北京", "+14:00", "../etc", "right/UTC", "\xff", "", "local", "Etc/GMT-14", "−5"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		loc, err := Load(name)
		if err != nil {
			if e := fault.As(err); e.Code != fault.InvalidArguments || e.Hint.IsZero() || len(e.Error()) > 400 {
				t.Fatalf("%v, hint %q", err, e.Hint)
			}
			for _, near := range nearest(name) {
				if _, err := Load(near); err != nil {
					t.Fatalf("%q is offered for %q: %v", near, name, err)
				}
			}
			return
		}
		again, err := Load(loc.String())
		if err != nil || again.String() != loc.String() {
			t.Fatalf("%q is %s, and that is %v, %v", name, loc, again, err)
		}
	})
}
