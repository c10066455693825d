package server_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/mcp/server"
)

func TestParseToken(t *testing.T) {
	for text, want := range map[string]string{
		token: token, token + "\n": token, token + "\r\n": token, token + "==": token + "==",
		"": "", "short": "", strings.Repeat("\n", 100): "", token[:31]: "",
		"=" + token: "", token + " " + token: "", token + "\n" + token: "", token + "\x00": "", token + "é": "", "\xef\xbb\xbf" + token: "",
		strings.Repeat("a", 4097): "",
	} {
		if got, err := server.ParseToken([]byte(text)); got != want || (err == nil) != (want != "") {
			t.Errorf("%.80q: %q, %v", text, got, err)
		}
	}
}

// FuzzParseToken judges what is a token by whether it can be sent in a header.
func FuzzParseToken(f *testing.F) {
	f.Add([]byte(server.NewToken() + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := server.ParseToken(data)
		if err != nil {
			return
		}
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader("GET / HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer " + got + "\r\n\r\n")))
		if err != nil || r.Header.Get("Authorization") != "Bearer "+got || len(got) < 32 || !strings.HasPrefix(string(data), got) {
			t.Errorf("%q: %v", got, err)
		}
	})
}
