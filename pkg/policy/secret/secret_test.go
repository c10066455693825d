package secret

import (
	"strings"
	"testing"
)

func TestMask(t *testing.T) {
	key := "sk-" + strings.Repeat("a1", 20)
	jwt := "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	for in, want := range map[string]string{
		"":                        "",
		"plain text, 中文 & more":   "plain text, 中文 & more",
		"use " + key + " now":     "use [secret] now",
		"API_KEY=abc123 make":     "API_KEY=[secret] make",
		"export apiKey='abc 123'": "export apiKey='[secret] 123'",
		`curl -H "Authorization: Bearer abc123" https://x`:                        `curl -H "Authorization: Bearer [secret]" https://x`,
		"curl -H 'X-Api-Key: abc123'":                                             "curl -H 'X-Api-Key: [secret]'",
		"login --password hunter2 -v":                                             "login --password [secret] -v",
		"login --password=hunter2 -v":                                             "login --password=[secret] -v",
		"git clone https://u:p4ss@h/r":                                            "git clone https://u:[secret]@h/r",
		"https://ghp_" + strings.Repeat("a", 30) + "@github.com/x":                "https://[secret]@github.com/x",
		"https://h/p?token=abc&x=1":                                               "https://h/p?token=[secret]&x=1",
		"https://h/p?x=1&api_key=abc#f":                                           "https://h/p?x=1&api_key=[secret]",
		"url=HTTPS://0a1b2c3d@h/r":                                                "url=HTTPS://[secret]@h/r",
		"https://u:p/4s?s@h/r?a@b":                                                "https://u:[secret]@b",
		"https://h:80/@a https://[::1]:8/@a http://h/@a":                          "https://h:80/@a https://[::1]:8/@a http://h/@a",
		"git clone ssh://git@h/r":                                                 "git clone ssh://git@h/r",
		"postgres://u:p@h:5432/db":                                                "postgres://u:[secret]@h:5432/db",
		`{"password": "hunter2"}`:                                                 `{"password": "[secret]"}`,
		"password:\nnext line":                                                    "password:\nnext line",
		"jwt " + jwt:                                                              "jwt [secret]",
		"sort --key=2 monkey=1 tokenize the keyboard":                             "sort --key=2 monkey=1 tokenize the keyboard",
		"a -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- b": "a [secret] b",
		"-----BEGIN PRIVATE KEY-----\nabc":                                        "[secret]",
		"-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----":             "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
		"sk-short": "sk-short",
	} {
		if got := Mask(in); got != want {
			t.Errorf("%q\ngives %q\nwant  %q", in, got, want)
		}
	}
}

func TestNamed(t *testing.T) {
	for name, want := range map[string]bool{
		"OPENAI_API_KEY": true, "apiKey": true, "access-token": true, "X-Auth-Token": true, "DB_PASSWORD": true, "GITHUB_PAT": true, "Cookie": true,
		"key": false, "path": false, "monkey": false, "max_tokens": false, "tokenizer": false, "author": false, "passed": false, "old_text": false, "": false,
	} {
		if Named(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// FuzzMask: whatever surrounds it, a key is not left in the text; and masking
// what is masked changes nothing.
func FuzzMask(f *testing.F) {
	for _, s := range []string{"", "a ", "token=", "https://u:", "-----BEGIN PRIVATE KEY-----", "x='"} {
		f.Add(s, " b")
	}
	key := "ghp_" + strings.Repeat("Zq9", 12)
	f.Fuzz(func(t *testing.T, before, after string) {
		masked := Mask(before + " " + key + " " + after)
		if strings.Contains(masked, key) && !strings.Contains(before+" "+after, key) {
			t.Errorf("%q", masked)
		}
		if again := Mask(masked); strings.Contains(again, key) {
			t.Errorf("%q", again)
		}
	})
}
