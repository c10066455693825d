package zone

import (
	"archive/zip"
	_ "embed"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// The time-zone database that helve brings with it, and its release; scripts/zones makes them.
var (
	//go:embed zones.zip
	packed string
	//go:embed release.txt
	release string
	// names are those of its zones, one a line, sorted.
	//
	//go:embed names.txt
	names string
)

// Releases returns the release of the database that helve brings with it, such as 2026f,
// and that of the system's; "" where the system has none that says. The newer one is used.
func Releases() (own, system string) {
	_, system = systemDatabase()
	return release, system
}

// fromDatabase returns the zone of a name, from the newer one of the two databases that
// has it.
func fromDatabase(name string) (*time.Location, error) {
	if name == "UTC" {
		return time.UTC, nil
	}
	if dir, theirs := systemDatabase(); theirs > release {
		if data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err == nil {
			if loc, err := time.LoadLocationFromTZData(name, data); err == nil {
				return loc, nil
			}
		}
	}
	if data, err := unpacked(name); err == nil {
		return time.LoadLocationFromTZData(name, data)
	}
	return time.LoadLocation(name)
}

// archive opens the database that helve brings with it.
var archive = sync.OnceValues(func() (*zip.Reader, error) {
	return zip.NewReader(strings.NewReader(packed), int64(len(packed)))
})

// unpacked returns a file of the database that helve brings with it.
func unpacked(name string) ([]byte, error) {
	files, err := archive()
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(files, name)
}

// systemDatabase finds the database of the system.
var systemDatabase = sync.OnceValues(func() (dir, release string) {
	return databaseAmong("/usr/share/zoneinfo", "/usr/share/lib/zoneinfo", "/usr/lib/locale/TZ", "/etc/zoneinfo")
})

// databaseAmong returns the first directory with a database that says its release.
func databaseAmong(dirs ...string) (dir, release string) {
	for _, dir := range dirs {
		for _, file := range []string{"tzdata.zi", "+VERSION"} {
			text, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				continue
			}
			line, _, _ := strings.Cut(string(text), "\n")
			if said := strings.TrimSpace(strings.TrimPrefix(line, "# version ")); isRelease(said) {
				return dir, said
			}
		}
	}
	return "", ""
}

// isRelease reports whether a text is the name of a release: a year and a letter, or two.
func isRelease(text string) bool {
	return len(text) > 4 && len(text) < 7 && strings.Trim(text[:4], "0123456789") == "" && strings.Trim(text[4:], "abcdefghijklmnopqrstuvwxyz") == ""
}
