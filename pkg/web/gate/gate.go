// Package gate checks a request to one of helve's servers before the server answers it:
// the request must call the server by a name of its own, show the token, and leave room
// for others. Which names and pages a server lets in is its own business. It connects
// nowhere.
package gate

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// NewToken returns a token that nobody can guess.
func NewToken() string { return rand.Text() + rand.Text() }

// Token is the sum of a token, so that comparing takes the same time whatever is sent.
type Token [sha256.Size]byte

// Sum returns the sum of a token.
func Sum(token string) *Token {
	sum := Token(sha256.Sum256([]byte(token)))
	return &sum
}

// Equal reports whether a text is the token.
func (t *Token) Equal(text string) bool {
	sum := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(sum[:], t[:]) == 1
}

// Shown reports whether a request shows the token in its header Authorization, as
// "Bearer TOKEN". https://www.rfc-editor.org/rfc/rfc6750#section-2.1
func (t *Token) Shown(r *http.Request) bool {
	sent := r.Header["Authorization"]
	if len(sent) != 1 {
		return false
	}
	scheme, token, _ := strings.Cut(sent[0], " ")
	equal := t.Equal(strings.TrimSpace(token))
	return equal && strings.EqualFold(scheme, "Bearer")
}

// Bare returns a host without its port, and without the brackets of an address.
func Bare(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	} else if inner, ok := strings.CutPrefix(host, "["); ok {
		host = strings.TrimSuffix(inner, "]")
	}
	return strings.ToLower(host)
}

// Local reports whether a name can lead nowhere but to this machine. A page whose own name
// leads here would else be taken for one of this machine.
func Local(name string) bool {
	if name == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(name)
	return err == nil && a.Zone() == "" && a.Unmap().IsLoopback()
}

// Refuse answers a request with a status and the reason.
func Refuse(w http.ResponseWriter, lang fault.Lang, status int, why fault.Text) {
	http.Error(w, why.In(lang), status)
}

// Busy asks a client to come back.
func Busy(w http.ResponseWriter, lang fault.Lang, why fault.Text) {
	w.Header().Set("Retry-After", "1")
	Refuse(w, lang, http.StatusServiceUnavailable, why)
}
