package login

import (
	"fmt"
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

// escaped returns an address with nothing in it but visible ASCII. It leads where it did:
// https://url.spec.whatwg.org/#utf-8-percent-encode
func escaped(address string) string {
	var b strings.Builder
	for _, c := range []byte(address) {
		if c <= ' ' || c > '~' {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// isAddress reports whether a client's id is the address of a document about it.
func isAddress(id string) bool {
	u, err := url.Parse(id)
	return err == nil && u.Scheme == "https" && u.Host != "" && strings.Trim(u.Path, "/") != ""
}
