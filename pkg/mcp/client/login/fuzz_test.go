package login

import "testing"

// Whatever is in the file of a login, reading it ends, and gives a token or a fault.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"url":"https://a.example/mcp","config":{"ClientID":"x","Endpoint":{"TokenURL":"https://a.example/token"}},"token":{"access_token":"s","expiry":"2026-01-01T00:00:00Z"}}`))
	f.Add([]byte(`{"token":{"expiry":"never"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		g, err := decode(text)
		if err == nil && g.Token.AccessToken == "" {
			t.Error("a login without a token")
		}
	})
}

// What a server says is one printable line.
func FuzzShown(f *testing.F) {
	f.Add("no\x1b[31m\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range shown(text) {
			if r < ' ' || r == 0x7f {
				t.Errorf("%q", shown(text))
			}
		}
	})
}
