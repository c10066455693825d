package web

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"code.dny.dev/ssrf"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestPrivate(t *testing.T) {
	for _, text := range []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255", "127.0.0.1", "127.255.255.254",
		"168.63.129.16", "169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.170", "192.0.2.1", "192.88.99.1",
		"192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:7f00:1", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::a00:1", "100::1",
		"2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "3fff::1",
		"4000::1", "5f00::1", "8000::1", "e000::1", "fc00::1", "fd00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "2606:4700::1111%eth0", "febf::1", "fec0::1", "ff02::1", "ff0e::1",
	} {
		if private(netip.MustParseAddr(text)).IsZero() {
			t.Errorf("%s counts as public", text)
		}
	}
	for _, text := range []string{
		"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0", "168.63.129.15", "169.253.255.255", "169.255.0.0",
		"172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
		"::ffff:8.8.8.8", "2001:200::1", "2001:4860:4860::8888", "2003::1", "2606:4700:4700::1111", "2a00:1450:4001::1",
	} {
		if why := private(netip.MustParseAddr(text)); !why.IsZero() {
			t.Errorf("%s counts as private: %s", text, why)
		}
	}
}

// Another guard judges: what it refuses is refused here.
func TestPrivateAgainstAnother(t *testing.T) {
	other := ssrf.New(ssrf.WithAnyPort())
	denies := func(a netip.Addr) bool {
		network := "tcp4"
		if a.Is6() {
			network = "tcp6"
		}
		return other.Safe(network, netip.AddrPortFrom(a, 443).String(), nil) != nil
	}
	check := func(a netip.Addr) {
		if denies(a) && private(a).IsZero() {
			t.Errorf("%s counts as public", a)
		}
	}
	for _, p := range slices.Concat(ssrf.IPv4DeniedPrefixes, ssrf.IPv6DeniedPrefixes) {
		check(p.Masked().Addr())
		check(last(p))
	}
	random := rand.New(rand.NewPCG(1, 2))
	public := 0
	for range 20_000 {
		n := random.Uint32()
		a := netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
		check(a)
		if private(a).IsZero() {
			public++
		}
		b := [16]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n), 15: 1}
		check(netip.AddrFrom16(b))
	}
	if public < 15_000 { // about 86 % of IPv4 is public
		t.Errorf("only %d of 20000 addresses are public", public)
	}
}

func last(p netip.Prefix) netip.Addr {
	b := p.Masked().Addr().AsSlice()
	for i := p.Bits(); i < 8*len(b); i++ {
		b[i/8] |= 0x80 >> (i % 8)
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}

// An allowed block allows nothing else, not even an address outside it that is
// embedded in one inside.
func TestAllowedBlocks(t *testing.T) {
	g := &guard{allow: []netip.Prefix{netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("10.1.0.0/16")}}
	for text, want := range map[string]bool{
		"198.18.4.5": true, "::ffff:198.18.4.5": true, "198.20.0.1": true, "10.1.2.3": true, "10.2.2.3": false, "127.0.0.1": false,
		"64:ff9b::808:808": true, "64:ff9b::7f00:1": false, "64:ff9b::a01:203": true, "64:ff9b::a02:203": false,
		"2002:808:808::1": true, "2002:a9fe:a9fe::1": false, "64:ff9b:1::808:808": false, "fe80::1%lo": false, "2606:4700::1%lo": false,
	} {
		if got := g.checkAddress(text, netip.MustParseAddr(text)); (got == nil) != want || got != nil && !fault.Is(got, fault.BlockedAddress) {
			t.Errorf("%s: %v", text, got)
		}
	}
}
