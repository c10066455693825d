package web

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"syscall"

	"github.com/helve-dev/helve/pkg/fault"
)

// guard decides which hosts and addresses may be reached.
type guard struct {
	open  bool // allows every address
	allow []netip.Prefix
	// literal, if not nil, reports whether an address is allowed where the host is that address.
	literal func(netip.Addr) bool
}

// Blocked are the details of a blocked_address fault.
type Blocked struct {
	Host    string `json:"host,omitzero"`    // as requested
	Address string `json:"address,omitzero"` // that the host resolved to
}

// checkAddress refuses an address that is neither public nor allowed. It checks
// the very address that is dialled, so that a name cannot resolve to another one
// between check and use. An address that embeds an IPv4 address, as NAT64 does,
// must be allowed with it.
func (g *guard) checkAddress(host string, a netip.Addr) error {
	if g.open {
		return nil
	}
	why := private(a)
	if why.IsZero() {
		return nil
	}
	if a.Zone() == "" {
		inner, translated := embedded(a.Unmap())
		allowed := func(a netip.Addr) bool {
			return slices.ContainsFunc(g.allow, func(p netip.Prefix) bool { return p.Contains(a) })
		}
		if allowed(a.Unmap()) && (!translated || private(inner).IsZero() || allowed(inner)) {
			return nil
		}
	}
	if g.literal != nil && host == a.String() && g.literal(a) {
		return nil
	}
	details := Blocked{Host: host, Address: a.String()}
	message := fault.T("%s is not a public address: %s", host, why)
	if host != a.String() {
		message = fault.T("%s resolves to %s, which is not a public address: %s", host, a.String(), why)
	}
	return blocked(message).WithDetails(details)
}

// checkName refuses a normalised host, see [Parse], that is never public, before it
// is looked up.
func (g *guard) checkName(host string) error {
	if g.open {
		return nil
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return g.checkAddress(host, a)
	}
	if len(g.allow) > 0 {
		return nil // checkAddress decides
	}
	for _, suffix := range []string{"localhost", "localdomain", "local", "internal", "home.arpa", "ip6-localhost", "ip6-loopback"} {
		if host == suffix || strings.HasSuffix(host, "."+suffix) {
			return blocked(fault.T("%s is a name of a private network", host)).WithDetails(Blocked{Host: host})
		}
	}
	return nil
}

// control returns the check that a [net.Dialer] makes after it has chosen an
// address and before it connects.
func (g *guard) control(host string) func(context.Context, string, string, syscall.RawConn) error {
	return func(_ context.Context, _, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return blocked(fault.T("%s is not an address on the network", address)).Because(err)
		}
		return g.checkAddress(host, at.Addr())
	}
}
