package web

import (
	"net/netip"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
)

// special is a block of addresses that are not public.
type special struct {
	prefix netip.Prefix
	what   fault.Text
}

// specials lists the blocks that are not globally reachable in IANA's
// special-purpose address registries for IPv4 and IPv6, the multicast blocks, and
// the metadata services of clouds.
var specials = sync.OnceValue(func() []special {
	block := func(prefix string, what fault.Text) special { return special{netip.MustParsePrefix(prefix), what} }
	private := fault.T("a private network")
	translated := fault.T("a translated IPv4 address")
	documents := fault.T("reserved for documentation")
	reserved := fault.T("reserved")
	return []special{
		block("169.254.169.254/32", fault.T("a cloud's metadata service")),
		block("168.63.129.16/32", fault.T("a cloud's metadata service")), // Azure's, in a public block
		block("100.100.100.200/32", fault.T("a cloud's metadata service")),
		block("fd00:ec2::254/128", fault.T("a cloud's metadata service")),

		block("0.0.0.0/8", fault.T("this host")),
		block("10.0.0.0/8", private),
		block("100.64.0.0/10", fault.T("a carrier's shared network")),
		block("127.0.0.0/8", fault.T("this machine")),
		block("169.254.0.0/16", fault.T("link-local")),
		block("172.16.0.0/12", private),
		block("192.0.0.0/24", reserved),
		block("192.0.2.0/24", documents),
		block("192.31.196.0/24", reserved), // AS112
		block("192.52.193.0/24", reserved), // AMT
		block("192.88.99.0/24", reserved),  // once the relays of 6to4
		block("192.168.0.0/16", private),
		block("192.175.48.0/24", reserved), // AS112
		block("198.18.0.0/15", fault.T("reserved for benchmarks; some proxies resolve names to it")),
		block("198.51.100.0/24", documents),
		block("203.0.113.0/24", documents),
		block("224.0.0.0/4", fault.T("multicast")),
		block("255.255.255.255/32", fault.T("broadcast")),
		block("240.0.0.0/4", reserved),

		block("::/128", fault.T("this host")),
		block("::1/128", fault.T("this machine")),
		block("::/96", translated),           // IPv4-compatible, deprecated
		block("::ffff:0:0:0/96", translated), // SIIT
		block("64:ff9b::/96", translated),    // NAT64
		block("64:ff9b:1::/48", translated),
		block("100::/64", reserved), // discard
		block("100:0:0:1::/64", reserved),
		block("2001::/32", fault.T("a Teredo tunnel")),
		block("2001:2::/48", reserved), // benchmarks
		block("2001:10::/28", reserved),
		block("2001:20::/28", reserved),
		block("2001:30::/28", reserved),
		block("2001:db8::/32", documents),
		block("2001::/23", reserved),
		block("2002::/16", fault.T("a 6to4 tunnel")),
		block("2620:4f:8000::/48", reserved), // AS112
		block("3fff::/20", documents),
		block("5f00::/16", reserved), // segment routing
		block("fc00::/7", private),
		block("fe80::/10", fault.T("link-local")),
		block("fec0::/10", fault.T("site-local")),
		block("ff00::/8", fault.T("multicast")),
	}
})

// publicV6 is the only block of IPv6 with global unicast addresses.
var publicV6 = sync.OnceValue(func() netip.Prefix { return netip.MustParsePrefix("2000::/3") })

// private returns why an address is not public; empty for one that is.
func private(a netip.Addr) fault.Text {
	if a.Zone() != "" {
		return fault.T("an address of one network interface")
	}
	a = a.Unmap()
	for _, s := range specials() {
		if s.prefix.Contains(a) {
			return s.what
		}
	}
	if !a.IsValid() || a.Is6() && !publicV6().Contains(a) {
		return fault.T("reserved")
	}
	return fault.Text{}
}

// embedded returns the IPv4 address that an IPv6 address embeds.
func embedded(a netip.Addr) (netip.Addr, bool) {
	if !a.Is6() {
		return netip.Addr{}, false
	}
	b := a.As16()
	at := -1
	switch {
	case b[0] == 0x20 && b[1] == 0x02: // 6to4, RFC 3056
		at = 2
	case b[0] == 0 && b[1] == 0x64 && b[2] == 0xff && b[3] == 0x9b: // NAT64, RFC 6052 and 8215
		at = 12
	case b == [16]byte{12: b[12], 13: b[13], 14: b[14], 15: b[15]}, // IPv4-compatible
		b == [16]byte{8: 0xff, 9: 0xff, 12: b[12], 13: b[13], 14: b[14], 15: b[15]}: // SIIT, RFC 2765
		at = 12
	case b[0] == 0x20 && b[1] == 0x01 && b[2] == 0 && b[3] == 0: // Teredo, RFC 4380: inverted
		return netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]}), true
	}
	if at < 0 {
		return netip.Addr{}, false
	}
	return netip.AddrFrom4([4]byte(b[at : at+4])), true
}
