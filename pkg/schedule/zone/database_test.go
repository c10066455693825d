package zone

import (
	"crypto/sha256"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The database is that of the package that scripts/zones names, whose own list of hashes
// is in testdata.
func TestDatabaseIsItsSource(t *testing.T) {
	t.Parallel()
	files, err := archive()
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("testdata/hashes.txt")
	if err != nil {
		t.Fatal(err)
	}
	var zones []string
	n := 0
	for line := range strings.Lines(string(list)) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		data, err := unpacked(name)
		if err != nil {
			t.Error(err)
			continue
		}
		sum := sha256.Sum256(data)
		if got := "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if n++; name != "zone1970.tab" && name != "Factory" {
			zones = append(zones, name)
		}
	}
	if n != len(files.File) || len(zones) < 500 || !isRelease(release) {
		t.Errorf("%d hashes, %d files, %d zones, release %q", n, len(files.File), len(zones), release)
	}
	slices.Sort(zones)
	if names != strings.Join(zones, "\n")+"\n" {
		t.Error("names.txt has other names")
	}
}

// Morocco keeps the time of Greenwich since 20 September 2026, which a database of the year
// before does not know.
func TestDatabaseIsNew(t *testing.T) {
	t.Parallel()
	loc, err := Load("Africa/Casablanca")
	if err != nil {
		t.Fatal(err)
	}
	if _, seconds := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC).In(loc).Zone(); seconds != 0 {
		t.Errorf("Morocco is %d seconds east", seconds)
	}
}

func TestDatabaseAmong(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	for name, text := range map[string]string{
		"linux/tzdata.zi": "# version 2025b\n# This\n", "mac/+VERSION": "2024a\n", "odd/tzdata.zi": "# redistributed\n", "odd/+VERSION": "2023c",
	} {
		file := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{"linux": "2025b", "mac": "2024a", "odd": "2023c", "none": ""} {
		if _, got := databaseAmong(filepath.Join(top, "none"), filepath.Join(top, dir)); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}
