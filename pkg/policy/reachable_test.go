package policy

import (
	"net/netip"
	"testing"
)

func TestDestinations(t *testing.T) {
	l := ParseDestinations([]string{"Registry.example.org", "*.example.net", "git.example.com:22", "10.0.0.5:8080", "[2001:db8::1]:443", "2001:db8::2", "*.corp.example:8443"})
	for _, c := range []struct {
		host string
		port uint16
		want bool
	}{
		{"registry.example.org", 443, true},
		{"registry.example.org", 80, true},
		{"registry.example.org", 22, false},
		{"registry.example.org", 8443, false},
		{"www.registry.example.org", 443, false},
		{"xregistry.example.org", 443, false},
		{"registry.example.org.evil.com", 443, false},
		{"example.net", 443, false},
		{"a.example.net", 443, true},
		{"a.b.example.net", 80, true},
		{"aexample.net", 443, false},
		{".example.net", 443, false},
		{"git.example.com", 22, true},
		{"git.example.com", 443, false},
		{"10.0.0.5", 8080, true},
		{"10.0.0.5", 80, false},
		{"::ffff:10.0.0.5", 8080, false},
		{"2001:db8::1", 443, true},
		{"2001:db8::1", 80, false},
		{"2001:db8::2", 80, true},
		{"a.corp.example", 8443, true},
		{"a.corp.example", 443, false},
		{"", 443, false},
	} {
		if got := l.Allows(c.host, c.port); got != c.want {
			t.Errorf("%s, port %d: %v", c.host, c.port, got)
		}
	}
	if !l.Names(netip.MustParseAddr("10.0.0.5")) || l.Names(netip.MustParseAddr("10.0.0.6")) {
		t.Error("only one address is named")
	}
}

func TestParseDestination(t *testing.T) {
	for _, text := range []string{
		"", "*", "*.", ".", ".example.org", "example.org.", "a..b", "https://example.org", "example.org/", "example.org:", "example.org:0", "example.org:65536",
		"example.org:x", "user@example.org", "a b", "exämple.org", "*example.org", "*.*.org", "a.*.org", "127.1", "0x7f.1", "0x7f000001", "2130706433", "1.2.3",
		"*.1.2.3.4", "[::1", "[1.2.3.4]", "[example.org]", "[::1]x", "fe80::1%eth0", "example.org:80:90", "1.2.3.4.5", "x.08", "example.org:+80",
	} {
		if d, wrong := ParseDestination(text); wrong.IsZero() {
			t.Errorf("%q is %v", text, d)
		}
	}
	for text, want := range map[string]string{
		"EXAMPLE.org": "example.org", "*.Example.org:8443": "*.example.org:8443", "[::1]:80": "[::1]:80", "::1": "[::1]", "1.2.3.4": "1.2.3.4", "db": "db",
		"_x.example.org": "_x.example.org", "xn--bcher-kva.example": "xn--bcher-kva.example", "[2001:DB8:0::1]": "[2001:db8::1]",
	} {
		if d, wrong := ParseDestination(text); !wrong.IsZero() || d.String() != want {
			t.Errorf("%q is %s, want %s: %s", text, d, want, wrong)
		}
	}
}

func FuzzDestination(f *testing.F) {
	f.Add("*.example.org:443")
	f.Add("[::1]:80")
	f.Fuzz(func(t *testing.T, text string) {
		d, wrong := ParseDestination(text)
		if !wrong.IsZero() {
			return
		}
		if again, wrong := ParseDestination(d.String()); !wrong.IsZero() || again != d {
			t.Errorf("%q is %v, and written as %q %v", text, d, d.String(), again)
		}
	})
}
