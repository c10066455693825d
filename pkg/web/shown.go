package web

import (
	"net/url"
	"strings"

	"github.com/helve-dev/helve/pkg/policy/secret"
)

// maxShown is the longest address in a message, in characters.
const maxShown = 160

// Shown returns an address as messages have it: without the user, the fragment and what
// may be a secret in the query, and not too long.
func Shown(u *url.URL) string {
	bare := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	text := secret.Mask(bare.String())
	if u.RawQuery != "" {
		text += "?" + shownQuery(u.RawQuery)
	}
	return Shorten(OneLine(text), maxShown)
}

// shownQuery returns a query without the values that are secrets by their names or forms.
func shownQuery(query string) string {
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		plain, err := url.QueryUnescape(name)
		if err != nil {
			plain = name
		}
		if value != "" && (secret.Named(plain) || isTicket(plain) || secret.Value(value)) {
			parts[i] = name + "=" + secret.Hidden
		}
	}
	return strings.Join(parts, "&")
}

// isTicket reports whether a parameter of this name admits whoever has its value: a key, a
// signature or a session.
func isTicket(name string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' }) {
		switch word {
		case "key", "sig", "signature", "hmac", "auth", "code", "session", "sessionid", "sid", "jwt", "otp", "ticket", "state":
			return true
		}
	}
	return false
}
