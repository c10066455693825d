package config

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
)

// Headers are for the hosts that they are set for, the closest pattern first.
func TestHeaders(t *testing.T) {
	w := newWorld(t)
	w.put(t, System, `{"web": {"headers": {"*.Example.org": {"X-Team": "all", "Authorization": "Basic c3lzdGVt"}}}}`)
	w.put(t, User, `{"web": {"headers": {
		"api.example.org": {"authorization": "Bearer sesame"},
		"*.deep.example.org": {"X-Team": "deep"},
		"127.0.0.1": {"X-Local": "yes"}, "::1": {"X-Local": "six"},
	}}}`)
	s := load(t, w.options())
	for host, want := range map[string]map[string]string{
		"api.example.org":      {"authorization": "Bearer sesame", "x-team": "all"},
		"www.example.org":      {"authorization": "Basic c3lzdGVt", "x-team": "all"},
		"a.deep.example.org":   {"authorization": "Basic c3lzdGVt", "x-team": "deep"},
		"127.0.0.1":            {"x-local": "yes"},
		"::1":                  {"x-local": "six"},
		"example.org":          {},
		"notexample.org":       {},
		"api.example.org.net":  {},
		"evil-api.example.net": {},
		"":                     {},
	} {
		if d := cmp.Diff(want, s.Config.Web.Header(host)); d != "" {
			t.Errorf("%s: %s", host, d)
		}
	}
	// The values are never shown.
	for _, e := range s.All("web.headers") {
		text := string(e.Value)
		var one string
		if json.Unmarshal(e.Value, &one) != nil || !json.Valid([]byte(one)) || !strings.Contains(one, hidden) {
			t.Errorf("%s = %s", e.Key, text)
		}
		for _, secret := range []string{"sesame", "c3lzdGVt", "deep\"}", "yes"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s shows %s", e.Key, text)
			}
		}
	}
	if got := string(shownHeaders(&jsonc.Node{Kind: jsonc.String, Text: "sesame"}).JSON()); got != `"***"` {
		t.Errorf("a text that is not one is shown as %s", got)
	}
}

// What cannot be a host or a header is refused, without its value.
func TestWrongHeaders(t *testing.T) {
	for doc, want := range map[string]string{
		`"x"`:                                                                    "want an object of hosts",
		`["x"]`:                                                                  "want an object of hosts",
		`{"api.example.org": "sesame"}`:                                          "want an object of headers",
		`{"api.example.org": {"X-Key": 1}}`:                                      "want string",
		`{"*": {"X-Key": "sesame"}}`:                                             "want a host",
		`{"*.org": {"X-Key": "sesame"}}`:                                         "want a host",
		`{"a.*.org": {"X-Key": "sesame"}}`:                                       "want a host",
		`{"https://example.org": {"X-Key": "sesame"}}`:                           "want a host",
		`{"example.org/x": {"X-Key": "sesame"}}`:                                 "want a host",
		`{"example.org:443": {"X-Key": "sesame"}}`:                               "want a host",
		`{"exa mple.org": {"X-Key": "sesame"}}`:                                  "want a host",
		`{"": {"X-Key": "sesame"}}`:                                              "want a host",
		`{"例.org": {"X-Key": "sesame"}}`:                                         "want a host",
		`{"example.org": {"Host": "sesame"}}`:                                    "set by helve itself",
		`{"example.org": {"content-Length": "sesame"}}`:                          "set by helve itself",
		`{"example.org": {"Transfer-Encoding": "sesame"}}`:                       "set by helve itself",
		`{"example.org": {"Connection": "sesame"}}`:                              "set by helve itself",
		`{"example.org": {"Proxy-Authorization": "sesame"}}`:                     "set by helve itself",
		`{"example.org": {"If-None-Match": "sesame"}}`:                           "set by helve itself",
		`{"example.org": {"Range": "sesame"}}`:                                   "set by helve itself",
		`{"example.org": {"X Key": "sesame"}}`:                                   "not the name of a header",
		`{"example.org": {"X-Key:": "sesame"}}`:                                  "not the name of a header",
		`{"example.org": {"": "sesame"}}`:                                        "not the name of a header",
		`{"example.org": {"X-Key": ""}}`:                                         "no line break",
		`{"example.org": {"X-Key": "sesame\r\nX: y"}}`:                           "no line break",
		`{"example.org": {"X-Key": "sesame\n"}}`:                                 "no line break",
		`{"example.org": {"X-Key": "sesame\u0000"}}`:                             "no line break",
		`{"example.org": {"X-Key": "` + strings.Repeat("x", maxHeader+1) + `"}}`: "no line break",
	} {
		problems := validate([]byte(`{"web": {"headers": ` + doc + `}}`))
		said := ""
		for _, p := range problems {
			said += p.Message.In(fault.English) + p.Message.In(fault.Chinese)
		}
		if !strings.Contains(said, want) || strings.Contains(said, "sesame") || problems[0].Line != 1 {
			t.Errorf("%.60s: %v", doc, problems)
		}
	}
	for _, doc := range []string{`{}`, `{"example.org": {}}`, `{"localhost": {"X-Key": "a\tb"}}`, `{"xn--fsq.org": {"Cookie": "a=b; c=d"}}`} {
		if problems := validate([]byte(`{"web": {"headers": ` + doc + `}}`)); len(problems) > 0 {
			t.Errorf("%s: %v", doc, problems)
		}
	}
	text, err := JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	for doc, valid := range map[string]bool{`{"web":{"headers":{"a.org":{"X":"y"}}}}`: true, `{"web":{"headers":["x"]}}`: false, `{"web":{"headers":{"a.org":"x"}}}`: false, `{"web":{"headers":{"a.org":{"X":1}}}}`: false} {
		if got := judge(t, text, []byte(doc)) == nil; got != valid {
			t.Errorf("%s: the schema says %v", doc, got)
		}
		if got := len(validate([]byte(doc))) == 0; got != valid {
			t.Errorf("%s: the file is %v", doc, got)
		}
	}
}
