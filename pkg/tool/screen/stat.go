package screen

import (
	"strconv"
	"time"
)

// NoSize is the size of what has none to show, such as a directory.
const NoSize = -1

// Stat returns what follows the name of a file in a list: its size and when it was
// modified, in UTC to the minute, as in "  1.2K  2026-11-22 14:05Z". It is "" if the
// time is not known.
func (v View) Stat(size int64, modified time.Time) string {
	if modified.IsZero() {
		return ""
	}
	s := "  "
	if size >= 0 {
		s += Size(size) + "  "
	}
	return v.Text(Faint, s+modified.UTC().Format("2006-01-02 15:04Z"))
}

// Size returns a number of bytes as "ls -h" shows it, at most four characters and
// rounded up: 20, 1.2K, 34M.
func Size(bytes int64) string {
	if bytes < 1<<10 {
		return strconv.FormatInt(bytes, 10)
	}
	const letters = "KMGTP"
	unit, n := int64(1<<10), 0
	for (bytes-1)/unit+1 >= 1<<10 && n < len(letters)-1 {
		unit, n = unit<<10, n+1
	}
	letter := letters[n : n+1]
	if tenths := bytes/unit*10 + (bytes%unit*10+unit-1)/unit; tenths < 100 {
		return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10) + letter
	}
	return strconv.FormatInt((bytes-1)/unit+1, 10) + letter
}
