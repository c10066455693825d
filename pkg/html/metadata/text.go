package metadata

import (
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/html/dom"
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
