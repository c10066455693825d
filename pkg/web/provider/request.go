package provider

import (
	"cmp"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/web"
)

// base returns the address of a service: the configured one, else the usual one.
func (a Account) base(usual string) string {
	return cmp.Or(strings.TrimSuffix(a.URL, "/"), usual)
}

// operators returns the query with the site as a search operator.
func (q Query) operators() string {
	if q.Site == "" {
		return q.Text
	}
	return q.Text + " site:" + q.Site
}

// host returns the site without its path.
func (q Query) host() []string {
	if q.Site == "" {
		return nil
	}
	host, _, _ := strings.Cut(q.Site, "/")
	return []string{host}
}

// post returns a request with a JSON body and the headers that hold the key.
func post(address string, body any, key map[string]string) web.Request {
	text, err := schema.Marshal(body)
	if err != nil {
		panic(err) // bodies are made of strings and numbers
	}
	return web.Request{URL: web.At(address), Accept: "application/json", Body: text, ContentType: "application/json", Secret: key}
}

// keyIn is the hint to set the key of a search engine.
func keyIn(variable string) fault.Text {
	return fault.T("ask the person to set %s in the environment, or the key in their own configuration", variable)
}

// secrets returns the spellings of the key and the password, which are never shown.
func (a Account) secrets() []string {
	shown := []string{a.Key}
	if password, ok := a.login.Password(); ok {
		shown = append(shown, a.credentials(), password)
	}
	var all []string
	for _, text := range shown {
		for _, s := range []string{text, url.QueryEscape(text), url.PathEscape(text)} {
			if s != "" && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// credentials returns the login for a header (RFC 7617).
func (a Account) credentials() string {
	password, _ := a.login.Password()
	return base64.StdEncoding.EncodeToString([]byte(a.login.Username() + ":" + password))
}
