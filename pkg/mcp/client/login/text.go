package login

import (
	"net/url"
	"strings"
	"unicode"
)

// maxReason is the most that is shown of what a server says, in bytes.
const maxReason = 500

// shown returns a text of a server as a line for people.
func shown(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(text, "?"))
	if len(text) > maxReason {
		text = strings.ToValidUTF8(text[:maxReason], "") + "…"
	}
	return strings.TrimSpace(text)
}

// isAddress reports whether a client's id is the address of a document about it.
func isAddress(id string) bool {
	u, err := url.Parse(id)
	return err == nil && u.Scheme == "https" && u.Host != "" && strings.Trim(u.Path, "/") != ""
}
