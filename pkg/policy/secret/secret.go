// Package secret recognizes secrets by their form, so that none is logged or passed
// on. It does not find a secret that looks like any other word.
package secret

import (
	"slices"
	"strings"
)

// Hidden is written in place of a secret.
const Hidden = "[secret]"

// Mask returns a text with its secrets replaced: keys of known services; values of
// parameters, variables and headers that are named as secrets; passwords in
// addresses; and private keys.
func Mask(text string) string {
	text = maskBlocks(text)
	var b strings.Builder
	rest := text
	hide := false  // the next word is a secret
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
			b.WriteString(word) // such as Bearer; the secret follows
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

// wordRune reports whether a character can be part of a name, a key, an address or
// an assignment.
func wordRune(r rune) bool {
	return r > ' ' && r < 0x7f && !strings.ContainsRune("\"'`,;&|<>()[]{}\\", r)
}

// isScheme reports whether a word can stand between the name of a header and its
// secret; see RFC 9110, section 11.1.
func isScheme(word string) bool {
	switch strings.ToLower(word) {
	case "bearer", "basic", "token", "digest", "apikey", "=", ":":
		return true
	}
	return false
}

// maskWord returns a word with its secrets replaced. next reports whether the word
// after it is a secret.
func maskWord(word string) (masked string, next bool) {
	if isKey(word) {
		return Hidden, false
	}
	if scheme, rest, ok := strings.Cut(word, "://"); ok {
		return scheme + "://" + maskAddress(rest, isWeb(scheme)), false
	}
	named := Named(word) // if not, no part of it is: a PATH has many parts to try
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

// isWeb reports whether a scheme, which may follow other text, is http or https.
func isWeb(scheme string) bool {
	scheme = strings.ToLower(scheme)
	return strings.HasSuffix(scheme, "http") || strings.HasSuffix(scheme, "https")
}

// maskAddress replaces the password and the secret parameters of an address without
// its scheme. On the web, a user without a password is a token.
func maskAddress(s string, web bool) string {
	end := strings.IndexAny(s, "/?#")
	if end < 0 {
		end = len(s)
	}
	_, port, ported := strings.Cut(s[:end], ":")
	if ported && strings.Trim(port, "0123456789") != "" && !strings.HasPrefix(s, "[") && !strings.Contains(s[:end], "@") && strings.Contains(s, "@") {
		end = len(s) // not a port, but a password with a slash that was not escaped
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
	name, value, ok := strings.Cut(query, "=") // further parameters are words of their own
	if ok && (Named(name) || isKey(value)) {
		query = name + "=" + Hidden
	}
	return path + "?" + query
}

// Named reports whether a variable, parameter, option or header is named as a secret.
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

// separate puts an underscore before each capital letter that follows a lower-case
// one: apiKey becomes api_Key.
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

// prefixes are those of services' keys, with the least length of such a key.
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

// isKey reports whether a word has the prefix and the length of a service's key.
func isKey(word string) bool {
	for _, p := range prefixes {
		if len(word) >= p.least && strings.HasPrefix(word, p.text) && !strings.ContainsAny(word, "/:@") {
			return true
		}
	}
	return false
}

// Value reports whether a value is or contains a secret. It is stricter than [Mask]:
// the prefix of a key is enough, whatever its length.
func Value(text string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(text, p.text) {
			return true
		}
	}
	return strings.HasPrefix(text, "-----BEGIN") || Mask(text) != text
}

// maskBlocks replaces private keys in PEM.
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
