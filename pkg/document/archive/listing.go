package archive

import (
	"io/fs"
	"strconv"
	"strings"
	"unicode"
)

// Below returns the entries of the directory dir and of those in it; all if dir is "".
func (l *Listing) Below(dir string) []Entry {
	if dir == "" {
		return l.Entries
	}
	dir = strings.TrimSuffix(dir, "/") + "/"
	var below []Entry
	for _, e := range l.Entries {
		if name := plain(e.Name); strings.HasPrefix(name, dir) && name != dir {
			below = append(below, e)
		}
	}
	return below
}

// Lines renders entries, one a line: the size in bytes, the time as it is stored, and the
// name. What an entry is shows at the end of its name: / is a directory, -> a link.
func Lines(entries []Entry) string {
	width := 1
	for _, e := range entries {
		width = max(width, len(sizeOf(e)))
	}
	var b strings.Builder
	for _, e := range entries {
		size := sizeOf(e)
		b.WriteString(strings.Repeat(" ", width-len(size)) + size + "  ")
		if e.Modified.Unix() > 0 {
			b.WriteString(e.Modified.Format("2006-01-02 15:04  "))
		} else {
			b.WriteString("                  ")
		}
		b.WriteString(shown(e.Name))
		if e.Link != "" {
			b.WriteString(" -> " + shown(e.Link))
		}
		if e.Encrypted {
			b.WriteString("  (encrypted)")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func sizeOf(e Entry) string {
	if e.Bytes < 0 || e.dir() || e.Link != "" {
		return "-"
	}
	return strconv.FormatInt(e.Bytes, 10)
}

// dir reports whether the entry is a directory.
func (e *Entry) dir() bool { return e.Mode&fs.ModeDir != 0 || strings.HasSuffix(e.Name, "/") }

// shown returns a name in one line: one with control characters is quoted.
func shown(name string) string {
	if strings.IndexFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
		return strconv.Quote(name)
	}
	return name
}

// plain returns a name without the prefixes that some programs write.
func plain(name string) string {
	for {
		rest := strings.TrimPrefix(strings.TrimPrefix(name, "./"), "/")
		if rest == name {
			return name
		}
		name = rest
	}
}
