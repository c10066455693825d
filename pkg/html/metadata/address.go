package metadata

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// inAddress returns the day that an address names, as in /2021/09/08/a-title,
// /2021-09-08-a-title or /20210908/; "" for none.
func inAddress(address *url.URL, now time.Time) string {
	words := split(address.Path)
	for i, w := range words {
		y, m, d := w.year(), 0, 0
		switch {
		case len(w.text) == 8 && w.digit:
			if t, err := time.Parse("20060102", w.text); err == nil {
				y, m, d = t.Year(), int(t.Month()), t.Day()
			}
		case y > 0 && i+2 < len(words) && adjacent(address.Path, w, words[i+1]) && adjacent(address.Path, words[i+1], words[i+2]):
			m, d = words[i+1].small(), words[i+2].small()
			if m == 0 {
				m = month(words[i+1].text)
			}
			if len(words[i+2].text) != 2 && address.Path[w.end] != '/' {
				d = 0
			}
		}
		if iso := fmt.Sprintf("%04d-%02d-%02d", y, m, d); valid(y, m, d) && plausible(iso, now) {
			return iso
		}
	}
	return ""
}

// monthInAddress returns the month that an address names, as in /2021/09/a-title; ""
// for none.
func monthInAddress(address *url.URL, now time.Time) string {
	words := split(address.Path)
	for i, w := range words[:max(len(words)-1, 0)] {
		next := words[i+1]
		y, m := w.year(), next.small()
		if y == 0 || len(next.text) != 2 || !whole(address.Path, w) || !whole(address.Path, next) || address.Path[w.end:next.start] != "/" {
			continue
		}
		if iso := fmt.Sprintf("%04d-%02d", y, m); valid(y, m, 1) && plausible(iso, now) {
			return iso
		}
	}
	return ""
}

// adjacent reports whether one separator stands between two words of a path.
func adjacent(path string, a, b word) bool {
	gap := path[a.end:b.start]
	return gap == "/" || gap == "-" || gap == "_" || gap == "."
}

// whole reports whether a word is a whole segment of a path.
func whole(path string, w word) bool {
	return w.start > 0 && path[w.start-1] == '/' && strings.HasPrefix(path[w.end:], "/")
}
