package web

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"github.com/helve-dev/helve/pkg/fault"
)

// MaxURL is the longest address, in bytes.
const MaxURL = 8 << 10

// Address is the address of a page, parsed and normalised once, by [Parse]. Rules about
// hosts, the guard of addresses and the request all go by it. The zero value is none.
type Address struct {
	url *url.URL // not changed any more; nil with a fault
	err error
}

// At is [Parse] for addresses that are made and not given: [Client.Get] returns the fault.
func At(raw string) Address {
	a, err := Parse(raw)
	if err != nil {
		return Address{err: err}
	}
	return a
}

// Err returns the fault of one that is no address.
func (a Address) Err() error { return a.err }

// URL returns a copy.
func (a Address) URL() *url.URL {
	if a.url == nil {
		return &url.URL{}
	}
	u := *a.url
	return &u
}

// String returns the address as it is requested.
func (a Address) String() string { return a.URL().String() }

// Hostname returns the host in ASCII and lower case, without the port.
func (a Address) Hostname() string { return a.URL().Hostname() }

// Page returns the address without its fragment.
func (a Address) Page() Address {
	u := a.URL()
	u.Fragment, u.RawFragment = "", ""
	return Address{url: u}
}

// Parse reads the address of a page as people and models write it. It drops white
// space, quotes and brackets around the address, and adds https if the scheme is
// missing. It normalises the host as browsers do: to ASCII and lower case, without
// a trailing dot, and with numbers such as 0x7f000001 as IPv4 addresses.
//
// The faults are invalid_arguments, about /url, and unsupported_scheme.
func Parse(raw string) (Address, error) {
	text := strings.Trim(raw, " \t\r\n\"'`")
	if inner, ok := strings.CutPrefix(text, "<"); ok {
		text = strings.TrimSuffix(inner, ">")
	}
	if len(text) > MaxURL {
		return Address{}, badURL(fault.T("has %d bytes; at most %d are allowed", len(text), MaxURL))
	}
	if text == "" {
		return Address{}, badURL(fault.T("is empty"))
	}
	bare := !hasScheme(text)
	if bare {
		text = "https://" + strings.TrimPrefix(text, "//")
	}
	u, err := url.Parse(text)
	if err != nil {
		return Address{}, badURL(fault.T("is not an address")).Because(err)
	}
	if err := normalise(u); err != nil {
		return Address{}, err
	}
	if bare && onLoopback(u.Hostname()) {
		u.Scheme = "http" // a server that is being written has no certificate
	}
	return Address{url: u}, nil
}

// hasScheme distinguishes "mailto:x" from "example.org:8080/x".
func hasScheme(s string) bool {
	scheme, rest, found := strings.Cut(s, ":")
	if !found || scheme == "" || strings.ContainsAny(scheme, "/?#[@") {
		return false
	}
	if strings.HasPrefix(rest, "//") {
		return true
	}
	port, _, _ := strings.Cut(rest, "/")
	return strings.Contains(port, ":") || !strings.Contains(scheme, ".") && scheme != "localhost" || strings.Trim(port, "0123456789") != ""
}

// normalise brings an address into the form in which it is checked and requested.
func normalise(u *url.URL) error {
	u.Scheme = strings.ToLower(u.Scheme)
	if u.Scheme != "http" && u.Scheme != "https" {
		return fault.New(fault.UnsupportedScheme, fault.T("%s: addresses cannot be fetched, only http and https", u.Scheme)).
			WithHint(fault.T("use a web address; for files in the workspace use read"))
	}
	if u.User != nil {
		return badURL(fault.T("contains a user name or password")).
			WithHint(fault.T("leave out the part before the @"))
	}
	if u.Opaque != "" {
		return badURL(fault.T("has no // before the host"))
	}
	host, err := normalHost(u.Hostname())
	if err != nil {
		return err
	}
	port := u.Port()
	if port != "" && (len(port) > 5 || atoi(port) == 0 || atoi(port) > 65535) {
		return badURL(fault.T("has the port %s; the highest is 65535", port))
	}
	if port == "80" && u.Scheme == "http" || port == "443" && u.Scheme == "https" {
		port = ""
	}
	u.Host = host
	if strings.Contains(host, ":") {
		u.Host = "[" + host + "]"
	}
	if port != "" {
		u.Host += ":" + port
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.RawQuery = EscapeQuery(u.RawQuery)
	return nil
}

// EscapeQuery returns the query of an address as browsers send it: with white
// space, quotes and characters beyond ASCII as escapes (WHATWG URL Standard,
// special-query percent-encode set). Escapes stay as they are.
func EscapeQuery(query string) string {
	var b strings.Builder
	for _, c := range []byte(query) {
		if c > ' ' && c < 0x7f && !strings.ContainsRune(`"#<>'`, rune(c)) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// normalHost returns a host as it is looked up: an address in its canonical form,
// or a name in ASCII and lower case. An IPv6 address with a zone is refused, as
// browsers do: a zone is meant for one machine only, and it may have any form.
func normalHost(host string) (string, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		if a.Zone() != "" {
			return "", badURL(fault.T("has the host %q with the name of a network interface, which addresses of pages do not have", host))
		}
		return a.String(), nil
	}
	ascii, err := toASCII(host)
	if err != nil {
		return "", badURL(fault.T("has the host %q, which is not a host name", host)).Because(err)
	}
	ascii = strings.TrimSuffix(ascii, ".")
	if ascii == "" || len(ascii) > 253 || strings.ContainsFunc(ascii, notInName) || strings.Contains("."+ascii+".", "..") {
		return "", badURL(fault.T("has the host %q, which is not a host name", host))
	}
	if a, numeric := number(ascii); numeric {
		if !a.IsValid() {
			return "", badURL(fault.T("has the host %q, which is not an IPv4 address", host))
		}
		return a.String(), nil
	}
	return ascii, nil
}

// toASCII returns an international name in the letters of the DNS. Digits and dots
// of other scripts become plain ones, so that an address that they spell is
// recognised.
func toASCII(host string) (string, error) {
	if !strings.ContainsFunc(host, func(r rune) bool { return r >= 0x80 }) {
		return strings.ToLower(host), nil
	}
	return idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false), idna.CheckHyphens(false)).ToASCII(host)
}

func notInName(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_')
}

// number reads a host whose last part is a number, as the WHATWG URL Standard
// does: one to four decimal, octal or hexadecimal parts, the last of which fills
// the remaining bytes. A host that browsers refuse is numeric with an invalid
// address.
func number(host string) (a netip.Addr, numeric bool) {
	parts := strings.Split(host, ".")
	if last := parts[len(parts)-1]; !digits(last) {
		if _, ok := part(last); !ok {
			return a, false
		}
	}
	if len(parts) > 4 {
		return a, true
	}
	var sum uint64
	for i, p := range parts {
		n, ok := part(p)
		left := 8 * (4 - i) // bits of this part and those after it
		if i < len(parts)-1 {
			left = 8
		}
		if !ok || n >= 1<<left {
			return a, true
		}
		if i < len(parts)-1 {
			n <<= 8 * (3 - i)
		}
		sum |= n
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}), true
}

// part reads one number of an IPv4 address: 0x is hexadecimal, 0 octal.
func part(s string) (uint64, bool) {
	base := uint64(10)
	switch {
	case strings.HasPrefix(s, "0x"):
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	case s == "":
		return 0, false
	}
	var n uint64
	for _, c := range []byte(s) {
		d := uint64(16)
		switch {
		case '0' <= c && c <= '9':
			d = uint64(c - '0')
		case 'a' <= c && c <= 'f':
			d = uint64(c-'a') + 10
		}
		if d >= base {
			return 0, false
		}
		if n = n*base + d; n > 1<<32 {
			n = 1 << 32
		}
	}
	return n, true
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func atoi(s string) int {
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}
