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
	open  bool
	allow []netip.Prefix
}

// Blocked is the details of a blocked_address fault.
type Blocked struct {
	Host    string `json:"host,omitzero"`    // as it was asked for
	Address string `json:"address,omitzero"` // that it leads to
}

// address refuses what is not public. It is asked about the very address that is
// being dialled, so that no name can lead elsewhere between check and use.
func (g *guard) address(host string, a netip.Addr) error {
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
	details := Blocked{Host: host, Address: a.String()}
	message := fault.T("%s is not a public address: %s", "%s 不是公网地址：%s", host, why)
	if host != a.String() {
		message = fault.T("%s leads to %s, which is not a public address: %s", "%s 指向 %s，它不是公网地址：%s", host, a.String(), why)
	}
	return blocked(message).WithDetails(details)
}

func blocked(message fault.Text) *fault.Error {
	return fault.New(fault.BlockedAddress, message).
		WithHint(fault.T("use a public address; only the person can open private ones, with web.allow_private or web.allow_addresses in their own configuration",
			"请使用公网地址；只有用户能在自己的配置中用 web.allow_private 或 web.allow_addresses 开放私有地址"))
}

// name refuses hosts that never mean anything public, before they are looked up.
// host is normalised, see [Parse].
func (g *guard) name(host string) error {
	if g.open {
		return nil
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return g.address(host, a)
	}
	if len(g.allow) > 0 {
		return nil // the address decides
	}
	for _, suffix := range []string{"localhost", "localdomain", "local", "internal", "home.arpa", "ip6-localhost", "ip6-loopback"} {
		if host == suffix || strings.HasSuffix(host, "."+suffix) {
			return blocked(fault.T("%s is a name of a private network", "%s 是私有网络中的名称", host)).WithDetails(Blocked{Host: host})
		}
	}
	return nil
}

// control is the check of a [net.Dialer], between the choice of an address and
// the connection to it.
func (g *guard) control(host string) func(context.Context, string, string, syscall.RawConn) error {
	return func(_ context.Context, _, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return blocked(fault.T("%s is not an address on the network", "%s 不是网络地址", address)).Because(err)
		}
		return g.address(host, at.Addr())
	}
}
