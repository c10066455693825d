package classify

import (
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/policy"
	programs "github.com/helve-dev/helve/pkg/workspace/known"
)

// Destinations returns the hosts that a simple command names, or fetches from by default; ok is
// false where that does not show. A command may connect elsewhere all the same, as its settings
// or a server's answer have it: the hosts are for a question, and for what a yes allows.
func Destinations(argv []string) (all []policy.Destination, ok bool) {
	if len(argv) == 0 {
		return nil, false
	}
	name, args := path.Base(argv[0]), argv[1:]
	for _, arg := range args {
		_, arg = cutOption(arg)
		if !strings.Contains(arg, "://") {
			continue
		}
		d, ok := destinationOf(strings.TrimPrefix(arg, "git+"))
		if !ok {
			return nil, false
		}
		all = appendNew(all, d)
	}
	switch name {
	case "curl", "wget", "http", "https", "xh":
		if len(all) == 0 && len(args) > 0 {
			if d, ok := destinationOf("http://" + args[len(args)-1]); ok {
				all = appendNew(all, d)
			}
		}
		return all, len(all) > 0
	case "git":
		return all, len(all) > 0
	}
	registry, ok := programs.RegistryOf(name)
	if !ok {
		return nil, false
	}
	if slices.ContainsFunc(args, func(arg string) bool {
		option, _ := cutOption(arg)
		return slices.Contains(registry.Options, option)
	}) && len(all) > 0 {
		return all, true
	}
	for _, host := range registry.Hosts {
		all = appendNew(all, policy.Destination{Host: host})
	}
	return all, true
}

// cutOption returns the name and the value of --name=value; of other words the word twice.
func cutOption(arg string) (name, value string) {
	if name, value, joined := strings.Cut(arg, "="); joined && strings.HasPrefix(arg, "--") {
		return name, value
	}
	return arg, arg
}

// destinationOf returns the host of a web address, if it is a name in the public DNS.
func destinationOf(address string) (d policy.Destination, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(u.Host, "$`{}*?") {
		return d, false
	}
	d, wrong := policy.ParseDestination(u.Host)
	if _, err := netip.ParseAddr(d.Host); !wrong.IsZero() || err == nil || !strings.Contains(d.Host, ".") {
		return d, false
	}
	if d.Port == 80 || d.Port == 443 {
		d.Port = 0
	}
	return d, true
}

func appendNew(all []policy.Destination, d policy.Destination) []policy.Destination {
	if slices.Contains(all, d) {
		return all
	}
	return append(all, d)
}
