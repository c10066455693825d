package classify

import (
	"fmt"
	"strings"
	"testing"
)

func TestDestinations(t *testing.T) {
	for command, want := range map[string]string{
		"curl https://example.org/x":                                       "[example.org]",
		"curl -o out.txt -H a http://Example.org:8080/x https://b.org:443": "[example.org:8080 b.org]",
		"wget -q example.org/x":                                            "[example.org]",
		"curl --url=https://example.org":                                   "[example.org]",
		"/usr/bin/npm ci":                                                  "[registry.npmjs.org]",
		"npm install git+https://github.com/a/b":                           "[github.com registry.npmjs.org]",
		"npm i --registry=https://npm.example.org":                         "[npm.example.org]",
		"pip install -i https://pypi.example.org/simple x":                 "[pypi.example.org]",
		"pip install x":                                                    "[pypi.org files.pythonhosted.org]",
		"git clone https://github.com/a/b":                                 "[github.com]",
		"go get example.org/x":                                             "[proxy.golang.org sum.golang.org]",
		"cargo fetch":                                                      "[index.crates.io static.crates.io]",

		"git fetch origin":                 "",
		"git clone git@github.com:a/b":     "",
		"git clone ssh://github.com/a/b":   "",
		"curl http://10.0.0.1/":            "",
		"curl http://db:80/":               "",
		"curl $URL":                        "",
		"curl https://$HOST/x":             "",
		"curl https://a@example.org":       "",
		"curl https://{a,b}.org":           "",
		"curl https://a.org http://[::1]":  "",
		"npm i git+ssh://git@github.com/a": "",
		"ssh example.org":                  "",
		"make":                             "",
		"curl":                             "",
	} {
		got := ""
		if all, ok := Destinations(strings.Fields(command)); ok {
			var words []string
			for _, d := range all {
				words = append(words, d.String())
			}
			got = fmt.Sprint(words)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
}
