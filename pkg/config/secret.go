package config

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/helve-dev/helve/pkg/config/jsonc"
)

// hidden stands for what is never shown.
const hidden = "***"

// shown is a setting's value without the secrets in it.
func shown(key string, value *jsonc.Node) json.RawMessage {
	if value.Kind != jsonc.String || value.Text == "" {
		return value.JSON()
	}
	masked := *value
	switch {
	case strings.HasPrefix(key, "web.search.") && strings.HasSuffix(key, ".key"):
		masked.Text = hidden
	case key == "web.proxy" || strings.HasPrefix(key, "web.search.") && strings.HasSuffix(key, ".url"):
		masked.Text = withoutUser(value.Text)
	}
	return masked.JSON()
}

// withoutUser hides who is named in an address.
func withoutUser(address string) string {
	if !strings.Contains(address, "@") {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return hidden
	}
	u.User = url.User(hidden)
	return strings.Replace(u.String(), url.QueryEscape(hidden)+"@", hidden+"@", 1)
}
