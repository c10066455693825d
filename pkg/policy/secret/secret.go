// Package secret knows what secrets look like, so that none is written down or
// handed on. It does not find those that look like nothing else.
package secret

import (
	"slices"
	"strings"
)

// Hidden stands for a secret.
const Hidden = "[secret]"

// Mask is a text with the secrets in it replaced: keys of known services, the
// values of parameters, variables and headers whose names say that they are
// secret, passwords in addresses, and private keys.
func Mask(text string) string {
	text = maskBlocks(text)
	var b strings.Builder
	rest := text
	hide := false  // the next word is the value of what is secret
	named := false // the last word was the name of a secret, as in {"token": …
	for rest != "" {
		n := strings.IndexFunc(rest, wordRune)
		if n < 0 {
			n = len(rest)
		}
		gap := rest[:n]
		b.WriteString(gap)
		rest = rest[n:]
		if strings.ContainsAny(gap, "\r\n;&|") {
			hide = false
		}
		if n = strings.IndexFunc(rest, func(r rune) bool { return !wordRune(r) }); n < 0 {
			n = len(rest)
		}
		word := rest[:n]
		rest = rest[n:]
		if word == "" {
			continue
		}
		if hide && isScheme(word) {
			b.WriteString(word) // Bearer and the like; the secret comes yet
			continue
		}
		if hide {
			b.WriteString(Hidden)
			hide = false
			continue
		}
		if named && (word == ":" || word == "=") {
			b.WriteString(word)
			hide, named = true, false
			continue
		}
		named = Named(word)
		word, hide = maskWord(word)
		b.WriteString(word)
	}
	return b.String()
}

// wordRune are the characters of which names, keys, addresses and assignments
// consist.
func wordRune(r rune) bool {
	return r > ' ' && r < 0x7f && !strings.ContainsRune("\"'`,;&|<>()[]{}\\", r)
}

// isScheme are the words between the name of a header and its secret; see
// RFC 9110, section 11.1.
func isScheme(word string) bool {
	switch strings.ToLower(word) {
	case "bearer", "basic", "token", "digest", "apikey", "=", ":":
		return true
	}
	return false
}

// maskWord hides what is secret in a word, and says whether the word after it is.
func maskWord(word string) (masked string, next bool) {
	if isKey(word) {
		return Hidden, false
	}
	if scheme, rest, ok := strings.Cut(word, "://"); ok {
		return scheme + "://" + maskAddress(rest, isWeb(scheme)), false
	}
	named := Named(word) // else no part of it before a colon is, of which a PATH has many
	for i, c := range []byte(word) {
		if c != '=' && c != ':' {
			continue
		}
		name, value := word[:i], word[i+1:]
		switch {
		case named && Named(name) && value == "":
			return word, true
		case named && Named(name):
			return word[:i+1] + Hidden, false
		case isKey(value):
			return word[:i+1] + Hidden, false
		}
	}
	return word, strings.HasPrefix(word, "-") && named
}

// isWeb reports whether a scheme, which may stand behind other text, is http or
// https.
func isWeb(scheme string) bool {
	scheme = strings.ToLower(scheme)
	return strings.HasSuffix(scheme, "http") || strings.HasSuffix(scheme, "https")
}

// maskAddress hides the password and the secret parameters of an address without
// its scheme. On the web, a user without a password is a token.
func maskAddress(s string, web bool) string {
	end := strings.IndexAny(s, "/?#")
	if end < 0 {
		end = len(s)
	}
	_, port, ported := strings.Cut(s[:end], ":")
	if ported && strings.Trim(port, "0123456789") != "" && !strings.HasPrefix(s, "[") && !strings.Contains(s[:end], "@") && strings.Contains(s, "@") {
		end = len(s) // no port but a password with a slash in it, which should have been an escape
	}
	if at := strings.LastIndexByte(s[:end], '@'); at >= 0 {
		user, _, password := strings.Cut(s[:at], ":")
		switch {
		case password:
			user += ":" + Hidden
		case web, isKey(user):
			user = Hidden
		}
		s = user + s[at:]
	}
	path, query, ok := strings.Cut(s, "?")
	if !ok {
		return s
	}
	name, value, ok := strings.Cut(query, "=") // further ones are words of their own
	if ok && (Named(name) || isKey(value)) {
		query = name + "=" + Hidden
	}
	return path + "?" + query
}

// Named reports whether a name is one of a secret: of a variable, a parameter, an
// option or a header.
func Named(name string) bool {
	parts := strings.FieldsFunc(strings.ToLower(separate(name)), func(r rune) bool { return r < 'a' || r > 'z' })
	for i, part := range parts {
		switch part {
		case "password", "passwd", "passphrase", "pwd", "secret", "secrets", "token", "credential", "credentials", "authorization", "apikey", "cookie", "accesskey",
			"privatekey", "authtoken", "accesstoken", "pat":
			return true
		case "key":
			if i > 0 && slices.Contains([]string{"api", "access", "private", "secret", "signing", "encryption", "auth", "account", "service", "license", "subscription"}, parts[i-1]) {
				return true
			}
		}
	}
	return false
}

// separate puts an underscore before each capital letter that follows a small
// one, as in apiKey.
func separate(name string) string {
	var b strings.Builder
	small := false
	for _, c := range []byte(name) {
		if c >= 'A' && c <= 'Z' && small {
			b.WriteByte('_')
		}
		small = c >= 'a' && c <= 'z'
		b.WriteByte(c)
	}
	return b.String()
}

// prefixes are those of the keys that services give out, with the least length
// of such a key.
var prefixes = [...]struct {
	text  string
	least int
}{
	{"sk-", 20}, {"sk_live_", 20}, {"sk_test_", 20}, {"rk_live_", 20}, {"pk_live_", 20},
	{"ghp_", 20}, {"gho_", 20}, {"ghs_", 20}, {"ghu_", 20}, {"ghr_", 20}, {"github_pat_", 30}, {"glpat-", 20},
	{"xoxb-", 20}, {"xoxp-", 20}, {"xoxa-", 20}, {"xoxs-", 20}, {"xapp-", 20},
	{"AKIA", 20}, {"ASIA", 20}, {"AIza", 35}, {"ya29.", 20}, {"GOCSPX-", 20},
	{"eyJ", 40}, {"npm_", 30}, {"pypi-", 30}, {"hf_", 20}, {"dop_v1_", 30}, {"SG.", 30}, {"tvly-", 20}, {"BSA", 27}, {"gsk_", 20}, {"AGE-SECRET-KEY-", 30},
}

// isKey knows a key by its prefix and its length.
func isKey(word string) bool {
	for _, p := range prefixes {
		if len(word) >= p.least && strings.HasPrefix(word, p.text) && !strings.ContainsAny(word, "/:@") {
			return true
		}
	}
	return false
}

// Value reports whether a text as a whole is, or holds, a secret; it is stricter
// than [Mask], as for a value that is handed on the length of a key counts for
// nothing.
func Value(text string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p.text) {
			return true
		}
	}
	return strings.HasPrefix(text, "-----BEGIN") || Mask(text) != text
}

// maskBlocks hides private keys in PEM.
func maskBlocks(text string) string {
	const begin, end = "-----BEGIN ", "-----END "
	for from := 0; ; {
		i := strings.Index(text[from:], begin)
		if i < 0 {
			return text
		}
		i += from
		line, _, _ := strings.Cut(text[i:], "\n")
		from = i + len(begin)
		if !strings.Contains(line, "PRIVATE KEY") {
			continue
		}
		stop := len(text)
		if j := strings.Index(text[i:], end); j >= 0 {
			stop = i + j + len(end)
			if k := strings.Index(text[stop:], "-----"); k >= 0 {
				stop += k + len("-----")
			}
		}
		text = text[:i] + Hidden + text[stop:]
		from = i + len(Hidden)
	}
}
