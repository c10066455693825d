package metadata

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/web/dom"
)

// bare returns the title of a page without the name of the site before or after it.
func bare(title, site string) string {
	title = dom.Collapse(title)
	for _, sep := range [...]string{" | ", " - ", " – ", " — ", " · ", " :: ", " » ", " / "} {
		head, tail, ok := cutLast(title, sep)
		if !ok {
			continue
		}
		switch {
		case site != "" && strings.EqualFold(tail, site):
			return head
		case site != "" && strings.EqualFold(head, site):
			return tail
		case site == "" && utf8.RuneCountInString(head) > 3*utf8.RuneCountInString(tail) && len(strings.Fields(head)) >= 4:
			return head
		}
	}
	return title
}

func cutLast(s, sep string) (head, tail string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+len(sep):]), true
}

// byline returns the name of an author; "" for the address of a profile.
func byline(s string) string {
	if strings.Contains(s, "://") {
		return ""
	}
	for _, by := range [...]string{"by ", "von ", "par ", "por "} {
		if len(s) > len(by) && strings.EqualFold(s[:len(by)], by) {
			return s[len(by):]
		}
	}
	return s
}

// date returns a time in RFC 3339, or a date. Short texts in other forms stay as
// they are.
func date(s string) string {
	if s == "" {
		return ""
	}
	for _, layout := range [...]string{
		time.RFC3339, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700", time.RFC1123Z, time.RFC1123, time.RFC850,
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format(time.RFC3339)
		}
	}
	for _, layout := range [...]string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format("2006-01-02T15:04:05") // without a time zone
		}
	}
	for _, layout := range [...]string{
		time.DateOnly, "2006/01/02", "20060102", "2006/1/2", "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006", "Jan. 2, 2006", "Monday, January 2, 2006",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format(time.DateOnly)
		}
	}
	if utf8.RuneCountInString(s) > 40 {
		return ""
	}
	return s
}
