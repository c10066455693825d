package config

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/state/store/address"
)

// hidden is shown in place of a secret.
const hidden = "***"

// shown returns the value of a setting without the secrets in it.
func shown(key string, value *jsonc.Node) json.RawMessage {
	if strings.HasPrefix(key, "messages.sinks.") {
		return shownSink(value).JSON()
	}
	if strings.HasPrefix(key, "spawn.agents.") {
		return shownAgent(value).JSON()
	}
	if strings.HasPrefix(key, "web.headers.") {
		return shownHeaders(value).JSON()
	}
	if value.Kind != jsonc.String || value.Text == "" {
		return value.JSON()
	}
	masked := *value
	switch {
	case strings.HasPrefix(key, "web.search.") && strings.HasSuffix(key, ".key"):
		masked.Text = hidden
	case key == "web.proxy" || strings.HasPrefix(key, "web.search.") && strings.HasSuffix(key, ".url"):
		masked.Text = withoutUser(value.Text)
	case key == "spawn.base_url":
		masked.Text = shownServer(value.Text)
	case key == "store.url":
		masked.Text = address.Shown(value.Text)
	}
	return masked.JSON()
}

// withoutUser hides the user and the password in an address.
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
