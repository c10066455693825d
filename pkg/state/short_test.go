package state

import (
	"regexp"
	"strings"
	"testing"
)

func TestShortID(t *testing.T) {
	for name, want := range map[string]string{
		"Back up":                "back-up-",
		"":                       "job-",
		" — ":                    "job-",
		"备份":                     "job-",
		"../../etc/passwd":       "etc-passwd-",
		"a\x00b\nc":              "a-b-c-",
		strings.Repeat("a", 100): strings.Repeat("a", maxSlug) + "-",
		"nineteen letters so -x": "nineteen-letters-so-",
	} {
		id := ShortID(name)
		if begin, end := id[:len(id)-4], id[len(id)-4:]; begin != want || !regexp.MustCompile(`^[2-9a-z]{4}$`).MatchString(end) {
			t.Errorf("%q: %s, want %s and four digits", name, id, want)
		}
	}
	seen := map[string]bool{}
	for range 200 {
		seen[ShortID("x")] = true
	}
	if len(seen) < 190 {
		t.Errorf("%d of 200 are different", len(seen))
	}
}
