package guard

import "testing"

func TestWithoutCredentials(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "",
		"plain @ text":                         "plain @ text",
		"https://example.org/@me":              "https://example.org/@me",
		"https://me:word@example.org/x":        "https://***@example.org/x",
		"a http://me@x b ftp://p:q@r:s@y?z@ c": "a http://***@x b ftp://***@y?z@ c",
		"://@":                                 "://***@",
		"https://x?q=a@b":                      "https://x?q=a@b",
	} {
		if got := withoutCredentials(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
