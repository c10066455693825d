package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// directives are those of Cache-Control (RFC 9111, section 5.2), in lower case. If
// one is given twice, the first counts.
type directives []directive

type directive struct{ name, value string }

func directivesOf(h http.Header) directives {
	var all directives
	for part := range strings.SplitSeq(strings.Join(h.Values("Cache-Control"), ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
			all = append(all, directive{name, strings.Trim(strings.TrimSpace(value), `"`)})
		}
	}
	return all
}

func (d directives) has(name string) bool {
	return slices.ContainsFunc(d, func(one directive) bool { return one.name == name })
}

// seconds returns the value of a directive; one that cannot be read is 0.
func (d directives) seconds(name string) (time.Duration, bool) {
	i := slices.IndexFunc(d, func(one directive) bool { return one.name == name })
	if i < 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(d[i].value, 10, 64)
	if err != nil || n < 0 {
		return 0, true
	}
	return time.Duration(min(n, 1<<31)) * time.Second, true
}

// keepable reports whether a response may be stored. The cache belongs to one
// user, so private responses may. A response without freshness or validator is
// stored as well, for the next parts of the same document.
func keepable(h http.Header) bool {
	return !directivesOf(h).has("no-store") && !slices.Contains(varying(h), "*")
}

// varying lists the request headers that a response depends on.
func varying(h http.Header) []string {
	var names []string
	for name := range strings.SplitSeq(strings.Join(h.Values("Vary"), ","), ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, http.CanonicalHeaderKey(name))
		}
	}
	return names
}

// maxFresh limits the age of a stored response that is used without asking the server
// again, whatever the server promised.
const maxFresh = 24 * time.Hour

// lifetime returns how long a response is fresh from its Date on (RFC 9111,
// section 4.2.1). There is no heuristic freshness: whoever works on a site wants to
// see it as it is.
func lifetime(h http.Header, received time.Time) time.Duration {
	d := directivesOf(h)
	if d.has("no-cache") || h.Get("Cache-Control") == "" && strings.Contains(strings.ToLower(h.Get("Pragma")), "no-cache") {
		return 0
	}
	life, given := d.seconds("max-age")
	if !given {
		expires, err := http.ParseTime(h.Get("Expires"))
		if err != nil {
			return 0
		}
		life = expires.Sub(dated(h, received))
	}
	return min(max(life, 0), maxFresh)
}

// dated returns when a response was made: its Date, unless that is later than its
// arrival.
func dated(h http.Header, received time.Time) time.Time {
	made, err := http.ParseTime(h.Get("Date"))
	if err != nil || made.After(received) {
		return received
	}
	return made
}

// age returns how old a response was when it was received (RFC 9111, section
// 4.2.3).
func age(h http.Header, received time.Time) time.Duration {
	apparent := received.Sub(dated(h, received))
	n, err := strconv.ParseInt(strings.TrimSpace(h.Get("Age")), 10, 64)
	if err != nil || n < 0 {
		return apparent
	}
	return max(apparent, time.Duration(min(n, 1<<31))*time.Second)
}
