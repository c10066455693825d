package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// directives are those of Cache-Control (RFC 9111, section 5.2), in lower case.
// Of one that is given twice the first counts.
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

// seconds is a directive's value; an unreadable one counts as none at all.
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

// keepable reports whether a response may be stored: by this user alone, so that
// private ones may. Without freshness or a validator it is worth keeping, too,
// for the next pages of the same document.
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

// maxFresh is how long a stored response is used at most before the server is
// asked again, whatever the server promised.
const maxFresh = 24 * time.Hour

// lifetime is how long a response counts as fresh from when it was made (RFC
// 9111, section 4.2.1). What the server says nothing about is never fresh: who
// works on a site wants to see it as it is.
func lifetime(h http.Header, received time.Time) time.Duration {
	d := directivesOf(h)
	if d.has("no-cache") || h.Get("Cache-Control") == "" && strings.Contains(strings.ToLower(h.Get("Pragma")), "no-cache") {
		return 0
	}
	life, told := d.seconds("max-age")
	if !told {
		expires, err := http.ParseTime(h.Get("Expires"))
		if err != nil {
			return 0
		}
		life = expires.Sub(dated(h, received))
	}
	return min(max(life, 0), maxFresh)
}

// dated is when a response was made, by its own word if that is not later than
// its arrival.
func dated(h http.Header, received time.Time) time.Time {
	made, err := http.ParseTime(h.Get("Date"))
	if err != nil || made.After(received) {
		return received
	}
	return made
}

// age is how old a response was when it came (RFC 9111, section 4.2.3).
func age(h http.Header, received time.Time) time.Duration {
	apparent := received.Sub(dated(h, received))
	n, err := strconv.ParseInt(strings.TrimSpace(h.Get("Age")), 10, 64)
	if err != nil || n < 0 {
		return apparent
	}
	return max(apparent, time.Duration(min(n, 1<<31))*time.Second)
}
