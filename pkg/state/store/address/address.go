// Package address reads the address of a store that several hosts share, as the
// setting store.url has it:
//
//	nats://host
//	tls://user:password@one.example:4222,two.example/team
//	nats://token@[::1]:4222
//
//	wss://host/team?jetstream_domain=hub
//
// A user, password or token stands once, before the first host. The path is the
// namespace: stores with different ones on one server know nothing of each other. The
// options after it have the names that the nats command gives them in its contexts:
//
//	tls_first=true          encrypt before the server has said anything
//	inbox_prefix=TEXT       where answers arrive, in place of _INBOX
//	jetstream_domain=NAME   the JetStream to use, where leaf nodes have their own
package address

import (
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Address locates a store.
type Address struct {
	Scheme      string   // nats, tls, ws or wss
	TLS         bool     // encryption is required
	TLSFirst    bool     // and comes first
	Servers     []string // host:port, at least one
	User        string
	Password    string
	Token       string // in place of a user
	Namespace   string // a-z, 0-9, - and _
	InboxPrefix string // "" is _INBOX
	Domain      string // of JetStream; "" uses the server's
}

const (
	defaultNamespace = "helve"
	maxNamespace     = 32
	maxServers       = 32
)

// Parse reads an address. The fault is not_configured; it does not show what may be a
// secret.
func Parse(text string) (Address, error) {
	scheme, rest, ok := strings.Cut(text, "://")
	port := defaultPort(scheme)
	if !ok || port == "" {
		return Address{}, wrong(fault.T("want an address such as nats://host:4222/team or tls://host"))
	}
	a := Address{Scheme: scheme, TLS: scheme == "tls" || scheme == "wss", Namespace: defaultNamespace}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		if !a.authorize(rest[:at]) {
			return Address{}, wrong(fault.T("want user:password or a token once, before the first host, with %%40 for @ and %%2C for a comma"))
		}
		rest = rest[at+1:]
	}
	rest, options, _ := strings.Cut(rest, "?")
	if !a.setOptions(options) {
		return Address{}, wrong(fault.T("want after the ? of an address tls_first=true, inbox_prefix=TEXT or jetstream_domain=NAME, with & between"))
	}
	hosts := rest
	if slash := strings.LastIndexByte(rest, '/'); slash >= 0 && !strings.HasSuffix(rest[:slash], ":/") {
		hosts = rest[:slash]
		if path := rest[slash+1:]; path != "" {
			a.Namespace = path
		}
	}
	if !isNamespace(a.Namespace) {
		return Address{}, wrong(fault.T("want at most %d of a-z, 0-9, - and _ as the namespace after the hosts", maxNamespace))
	}
	for host := range strings.SplitSeq(hosts, ",") {
		host = strings.TrimPrefix(host, scheme+"://")
		server, ok := withPort(host, port)
		if !ok || len(a.Servers) == maxServers {
			return Address{}, wrong(fault.T("want host:port, or several with commas between, at most %d", maxServers))
		}
		a.Servers = append(a.Servers, server)
	}
	return a, nil
}

// Shown returns an address without the user, password or token in it.
func Shown(text string) string {
	at := strings.LastIndexByte(text, '@')
	if at < 0 {
		return text
	}
	scheme, _, ok := strings.Cut(text[:at], "://")
	if !ok {
		return "***" + text[at:]
	}
	return scheme + "://***" + text[at:]
}

// authorize sets who connects, from what stands before the @.
func (a *Address) authorize(info string) bool {
	if strings.Contains(info, "@") || strings.Contains(info, "://") {
		return false
	}
	user, password, both := strings.Cut(info, ":")
	user, err := url.PathUnescape(user)
	if err != nil || user == "" {
		return false
	}
	if !both {
		a.Token = user
		return true
	}
	a.User = user
	a.Password, err = url.PathUnescape(password)
	return err == nil
}

// setOptions sets what stands after the question mark.
func (a *Address) setOptions(text string) bool {
	options, err := url.ParseQuery(text)
	if err != nil {
		return false
	}
	for name, values := range options {
		value := values[0]
		switch {
		case len(values) > 1 || !isSubject(value):
			return false
		case name == "tls_first" && (value == "true" || value == "false") && !strings.HasPrefix(a.Scheme, "ws"):
			a.TLSFirst = value == "true"
			a.TLS = a.TLS || a.TLSFirst
		case name == "inbox_prefix":
			a.InboxPrefix = value
		case name == "jetstream_domain" && !strings.Contains(value, "."):
			a.Domain = value
		default:
			return false
		}
	}
	return true
}

// isSubject reports whether a text is a subject of NATS without wildcards.
func isSubject(s string) bool {
	for word := range strings.SplitSeq(s, ".") {
		if word == "" || strings.ContainsFunc(word, func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune("*>@", c) }) {
			return false
		}
	}
	return true
}

// defaultPort returns the port of a scheme, as the library of NATS has it; "" if the
// scheme is unknown.
func defaultPort(scheme string) string {
	switch scheme {
	case "nats", "tls":
		return "4222"
	case "ws":
		return "80"
	case "wss":
		return "443"
	}
	return ""
}

// withPort returns a host with its port, or the default one.
func withPort(host, standard string) (string, bool) {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = host, standard
		if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
			name = host[1 : len(host)-1]
		} else if strings.ContainsAny(host, ":[]") {
			return "", false
		}
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 || name == "" || strings.ContainsFunc(name, notInHost) {
		return "", false
	}
	return net.JoinHostPort(name, strconv.FormatUint(n, 10)), true
}

// notInHost reports whether a character is in no name and no address of a host.
func notInHost(c rune) bool {
	return c <= ' ' || c == 0x7f || strings.ContainsRune(`/\?#@,"<>[]`, c)
}

func isNamespace(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return s != "" && len(s) <= maxNamespace
}

func wrong(what fault.Text) error {
	return fault.New(fault.NotConfigured, what).
		WithHint(fault.T("correct it with helve config set store.url ADDRESS"))
}
