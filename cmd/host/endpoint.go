package host

import (
	"cmp"
	"net/url"
	"os"
	"strings"
	"unicode"

	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// The variables that say where a model is, and the addresses where it is unless something
// is said.
const (
	baseVariable  = "OPENAI_BASE_URL"
	modelVariable = "OPENAI_MODEL"
	keyVariable   = "OPENAI_API_KEY"

	openAI            = "https://api.openai.com/v1"
	anthropic         = "https://api.anthropic.com"
	anthropicVariable = "ANTHROPIC_API_KEY"
)

// endpoint is the model that sub-agents are.
type endpoint struct {
	url    string
	model  string
	format string // "" finds out
	key    string // "" for a server that wants none
	// given is the address if the environment alone names it: another process may have
	// another one.
	given string
}

// endpoint returns the model that the settings and the environment name. The fault is
// not_configured, and names what is missing or cannot be used.
func (s *Settings) endpoint() (endpoint, error) {
	c := &s.Config.Spawn
	e := endpoint{url: cmp.Or(c.BaseURL, os.Getenv(baseVariable)), model: cmp.Or(c.Model, os.Getenv(modelVariable))}
	if c.Format != "auto" {
		e.format = c.Format
	}
	if c.BaseURL == "" {
		e.given = e.url
	}
	own := anthropicFormat(&e)
	named := e.url != ""
	if !named {
		e.url = openAI
		if own {
			e.url = anthropic
		}
	}
	variable := cmp.Or(c.KeyEnv, keyVariable)
	if own && c.KeyEnv == "" && os.Getenv(anthropicVariable) != "" {
		variable = anthropicVariable
	}
	e.key = os.Getenv(variable)
	if c.KeyFile != "" {
		var err error
		if e.key, err = keyIn(c.KeyFile); err != nil {
			return e, err
		}
	}
	switch {
	case !named && e.key == "" && e.model == "":
		return e, fault.New(fault.NotConfigured, fault.T("no model is configured for sub-agents")).
			WithHint(fault.T("set spawn.base_url and spawn.model (helve config set), and the variable that spawn.key_env names; or OPENAI_BASE_URL, OPENAI_MODEL and OPENAI_API_KEY"))
	case e.model == "":
		return e, fault.New(fault.NotConfigured, fault.T("spawn.model is not set: no model is named for sub-agents")).
			WithHint(fault.T("helve config set spawn.model NAME, or set OPENAI_MODEL"))
	case e.key == "" && (c.KeyEnv != "" || strings.HasPrefix(e.url, "https:")):
		return e, fault.New(fault.NotConfigured, fault.T("the variable %s, which has the key for %s, is not set", variable, hostOf(e.url))).
			WithHint(fault.T("set it where helve runs, or name another variable in spawn.key_env, or a file with the key in spawn.key_file, which services such as that of helve cron install read too; a server of your own is named in spawn.base_url"))
	}
	_, err := model.New(model.Options{BaseURL: e.url, Key: e.key, Model: e.model, Format: e.format})
	return e, err
}

// keyIn returns the key in the file of spawn.key_file, without the space around it.
func keyIn(file string) (string, error) {
	text, err := config.ReadAtMost(config.File{Source: config.User, Path: file}, 1<<16)
	if err != nil {
		return "", err
	}
	key := strings.TrimSpace(string(text))
	if key == "" || strings.ContainsFunc(key, unicode.IsSpace) {
		return "", fault.New(fault.NotConfigured, fault.T("the file of spawn.key_file, %s, has no key", file)).
			WithHint(fault.T("put the server's key into it, alone, and let nobody else read it: chmod 600 %s", file))
	}
	return key, nil
}

// anthropicFormat reports whether the server speaks Anthropic's format, as far as the
// settings say.
func anthropicFormat(e *endpoint) bool {
	return e.format == model.Anthropic || e.format == "" && hostOf(e.url) == hostOf(anthropic)
}

// hostOf returns the host of an address, which alone is shown: its path may be a secret.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "spawn.base_url"
	}
	return u.Host
}

// agentNamed returns an agent program of the settings. The fault is not_configured.
func (s *Settings) agentNamed(name string) (config.Agent, error) {
	names := []string{config.BuiltinRuntime}
	for _, a := range s.Config.Spawn.Agents {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	return config.Agent{}, fault.New(fault.NotConfigured, fault.T("there is no agent program %q in spawn.agents", name)).
		WithHint(fault.T("there are: %s", strings.Join(names, ", ")))
}
