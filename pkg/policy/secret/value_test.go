package secret

import (
	"strings"
	"testing"
)

// TestValue has beginnings of keys, which are enough for a value, but not for a word
// of a text.
func TestValue(t *testing.T) {
	for text, want := range map[string]bool{
		"sk-": true, "ghp_x": true, "AKIA": true, "-----BEGIN CERTIFICATE-----": true, "token=abc123": true, "https://u:p@h/": true, "x ghp_" + strings.Repeat("a", 30): true,
		"plain": false, "": false, "xsk-": false, "https://h/": false, "a -----BEGIN CERTIFICATE-----": false,
	} {
		if Value(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}

func TestMaskEdges(t *testing.T) {
	key := "ghp_" + strings.Repeat("a", 30)
	for in, want := range map[string]string{
		"x=" + key + " then more":        "x=[secret] then more",
		"x=" + key + " make":             "x=[secret] make",
		"https://@h/x":                   "https://[secret]@h/x",
		"ghp_" + strings.Repeat("a", 16): "[secret]", // as short as a key may be
		"ghp_" + strings.Repeat("a", 15): "ghp_" + strings.Repeat("a", 15),
		"=abc def":                       "=abc def",
		"monkey=abc:def password":        "monkey=abc:def password",
		"x=token=abc":                    "x=token=[secret]",
		"-----BEGIN PRIVATE KEY-----\nx\n-----END -----rest":                                        "[secret]rest",
		"-----BEGIN PRIVATE KEY-----\nx\n-----END":                                                  "[secret]",
		"a -----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY----- b -----BEGIN CERTIFICATE-----": "a [secret] b -----BEGIN CERTIFICATE-----",
	} {
		if got := Mask(in); got != want {
			t.Errorf("%q: %q and not %q", in, got, want)
		}
	}
}

// TestSeparate has the first and the last letters.
func TestSeparate(t *testing.T) {
	for in, want := range map[string]string{"apiKey": "api_Key", "jazzAuth": "jazz_Auth", "aZ": "a_Z", "zA": "z_A", "AB": "AB", "a1B": "a1B", "": "", "a[B": "a[B", "a_B": "a_B", "`B": "`B", "{B": "{B", "a@": "a@"} {
		if got := separate(in); got != want {
			t.Errorf("%q: %q and not %q", in, got, want)
		}
	}
}
