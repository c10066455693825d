package host

import (
	"net/url"
	"os"
	"os/user"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/config/upstream"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/state"
)

// This file has what a person may want to know about a run and no call needs.

// Key is a key or a file with one that helve uses. Its value is not in it.
type Key struct {
	Name string // the setting or the variable
	From string // where it is set; "" if it is not
}

// Keys lists the keys that are set, and the variables that settings and imported servers
// name and that are not set.
func (h *Host) Keys(s *config.Settings) []Key {
	var all []Key
	for _, e := range s.Entries() {
		isKey := strings.HasPrefix(e.Key, "web.search.") && strings.HasSuffix(e.Key, ".key") || e.Key == "store.credentials" || e.Key == "store.key"
		if isKey && e.Origin.Source != config.Default && string(e.Value) != `""` {
			all = append(all, Key{e.Key, e.Origin.String()})
		}
	}
	add := func(variable string, needed bool) {
		k := Key{Name: variable}
		if os.Getenv(variable) != "" {
			k.From = "environment"
		}
		if variable != "" && (needed || k.From != "") && !slices.Contains(all, k) {
			all = append(all, k)
		}
	}
	add(keyVariable, false)
	add(anthropicVariable, false)
	add(s.Config.Spawn.KeyEnv, true)
	for _, sink := range s.Config.Messages.Sinks {
		add(sink.SecretEnv, true)
	}
	for _, f := range h.Records().List() {
		if f.Err != nil {
			continue
		}
		for _, header := range f.Server.Headers {
			_, variable, _ := upstream.SplitHeader(header)
			add(variable, true)
		}
	}
	return all
}

// Proxy is a proxy that requests may go through.
type Proxy struct {
	Name    string // the setting or the variable
	Address string // without a user and a password
	Wrong   bool   // it is no address
}

// Proxies lists the proxies in force: that of the settings, or those of the environment.
func (h *Host) Proxies(w *config.Web) []Proxy {
	one := func(name, address string) Proxy {
		if !strings.Contains(address, "://") {
			address = "http://" + address
		}
		u, err := url.Parse(address)
		if err != nil || u.Host == "" {
			return Proxy{Name: name, Wrong: true} // the error may have the password
		}
		return Proxy{Name: name, Address: u.Scheme + "://" + u.Host}
	}
	switch w.Proxy {
	case "":
	case "direct":
		return nil
	default:
		return []Proxy{one("web.proxy", w.Proxy)}
	}
	var all []Proxy
	for _, name := range [...]string{"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"} {
		if address := os.Getenv(name); address != "" {
			all = append(all, one(name, address))
		}
	}
	return all
}

// Shell returns the shell of commands that ask for none.
func Shell(c *config.Exec) (run.Shell, error) {
	return run.FindShell(c.Shell, os.Environ(), Person(), passwd())
}

// Environment returns the variables that a program of helve's own choice gets: none is a
// secret.
func Environment() []string {
	env, _ := run.Environment{Parent: os.Environ()}.Build()
	return env
}

// Environ returns the variables of this process.
func Environ() []string { return os.Environ() }

// UnderHelve reports whether helve started this process.
func UnderHelve() bool { return underHelve() }

// Model says why sub-agents have no model; nil if they have one.
func (s *Settings) Model() error {
	_, err := s.endpoint()
	return err
}

// Workspaces lists the workspaces that have state, and which of them a person has trusted
// something of.
func (h *Host) Workspaces() ([]state.Known, error) {
	return state.Workspaces(h.Dirs.State, config.TrustFile)
}

// Identity holds the names and secrets of people and machines, which are masked in texts for
// others.
type Identity struct {
	Homes, Users, Hosts []string
	Secrets             []string // values of keys
}

// Identity returns what to leave out of a text for others.
func (h *Host) Identity(s *config.Settings) Identity {
	var id Identity
	if dir, err := os.UserHomeDir(); err == nil {
		id.Homes = append(id.Homes, dir)
	}
	if u, err := user.Current(); err == nil {
		id.Homes, id.Users = append(id.Homes, u.HomeDir), append(id.Users, u.Username)
	}
	for _, name := range [...]string{"USER", "LOGNAME", "USERNAME", "SUDO_USER"} {
		id.Users = append(id.Users, os.Getenv(name))
	}
	if name, err := os.Hostname(); err == nil {
		id.Hosts = append(id.Hosts, name)
	}
	id.Hosts = append(id.Hosts, os.Getenv("HOSTNAME"), os.Getenv("COMPUTERNAME"))
	for _, entry := range os.Environ() {
		if name, value, _ := strings.Cut(entry, "="); secret.Named(name) && name != "PWD" && name != "OLDPWD" { // directories
			id.Secrets = append(id.Secrets, value)
		}
	}
	search := &s.Config.Web.Search
	for _, one := range []config.Service{search.Brave, search.Tavily, search.Exa, search.Serper, search.Google} {
		id.Secrets = append(id.Secrets, one.Key)
	}
	return id
}
