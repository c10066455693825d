package sink

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// leastKey is the least length of a key, in bytes, by the specification.
const leastKey = 24

// Key is a key that webhooks are signed with. It is never shown.
type Key struct{ secret []byte }

// String keeps the key out of whatever is printed.
func (Key) String() string { return "***" }

// Keys reads keys as Standard Webhooks writes them: base64, mostly after whsec_. Those
// of several, with white space between, all sign. The fault is not_configured; it does
// not show them. from says where the text is from, such as a file.
func Keys(text, from string) ([]Key, error) {
	var keys []Key
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimPrefix(word, "whsec_")
		secret, err := base64.StdEncoding.DecodeString(word)
		if err != nil {
			secret, err = base64.RawStdEncoding.DecodeString(word)
		}
		if err != nil || len(secret) < leastKey {
			return nil, badKey(fault.T("%s is no key for webhooks: want base64 of at least %d bytes", from, leastKey))
		}
		keys = append(keys, Key{secret})
	}
	if len(keys) == 0 {
		return nil, badKey(fault.T("%s has no key for webhooks", from))
	}
	return keys, nil
}

func badKey(what fault.Text) error {
	return fault.New(fault.NotConfigured, what).
		WithHint(fault.T("make one with: openssl rand -base64 32"))
}

// sign returns the header webhook-signature: for each key, v1 and the HMAC-SHA256 of
// id, time and body.
func sign(keys []Key, id, timestamp string, body []byte) string {
	all := make([]string, len(keys))
	for i, k := range keys {
		mac := hmac.New(sha256.New, k.secret)
		mac.Write([]byte(id + "." + timestamp + "."))
		mac.Write(body)
		all[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(all, " ")
}
