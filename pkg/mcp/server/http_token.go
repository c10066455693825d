package server

import (
	"bytes"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web/gate"
)

// The length of a token, in bytes.
const (
	minToken = 32
	MaxToken = 4 << 10
)

// NewToken returns a token that nobody can guess.
func NewToken() string { return gate.NewToken() }

// ParseToken returns the token that a file contains. It may end with a line break.
// https://www.rfc-editor.org/rfc/rfc6750#section-2.1
func ParseToken(data []byte) (string, error) {
	token := string(bytes.TrimRight(data, "\r\n"))
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/"
	var why fault.Text
	switch {
	case len(token) < minToken:
		why = fault.T("the token has %d characters; at least %d are needed", len(token), minToken)
	case len(token) > MaxToken:
		why = fault.T("the token has more than %d characters", MaxToken)
	case strings.Trim(strings.TrimRight(token, "="), letters) != "":
		why = fault.T("the token has characters other than letters, digits and -._~+/")
	default:
		return token, nil
	}
	return "", fault.New(fault.NotConfigured, why).
		WithHint(fault.T("make one with: openssl rand -hex 32"))
}
