package policy

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Destination is a host with a port, or with those of the web if the port is 0: a name or
// an address, or *.example.org for the names below one.
type Destination struct {
	Host string // in lower case; an IPv6 address without brackets
	Port uint16
}

// Destinations lists what commands may connect to.
type Destinations []Destination

// ParseDestination reads a destination as settings write it: host, host:port, *.domain,
// *.domain:port, [IPv6] or [IPv6]:port. The text says what is wrong; it is empty otherwise.
func ParseDestination(text string) (d Destination, wrong fault.Text) {
	host, port := text, ""
	inner, bracketed := strings.CutPrefix(text, "[")
	switch _, err := netip.ParseAddr(text); {
	case bracketed:
		var closed bool
		if host, port, closed = strings.Cut(inner, "]"); !closed || port != "" && port[0] != ':' {
			return d, badDestination()
		}
		port = strings.TrimPrefix(port, ":")
	case err == nil: // an IPv6 address may stand alone
	default:
		host, port, _ = strings.Cut(text, ":")
	}
	if port != "" || strings.HasSuffix(text, ":") {
		number, err := strconv.ParseUint(port, 10, 16)
		if err != nil || number == 0 {
			return d, fault.T("%q is not a port", port)
		}
		d.Port = uint16(number)
	}
	d.Host = strings.ToLower(host)
	if a, err := netip.ParseAddr(d.Host); err == nil && a.Zone() == "" && a.Is6() == (bracketed || strings.Contains(text, "::") || strings.Count(text, ":") > 1) {
		d.Host = a.String()
		return d, fault.Text{}
	}
	if bracketed || !isName(strings.TrimPrefix(d.Host, "*.")) {
		return d, badDestination()
	}
	return d, fault.Text{}
}

func badDestination() fault.Text {
	return fault.T("want a host such as example.org, *.example.org for those below it, or either with a port, as in example.org:8443")
}

// isName reports whether a host in lower case is a name of the DNS. A name whose last part is
// a number is none, as some programs read it as an address.
func isName(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	strange := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_')
	}
	_, err := strconv.ParseUint(last, 0, 64)
	return host != "" && len(host) <= 253 && !strings.ContainsFunc(host, strange) && !strings.Contains("."+host+".", "..") &&
		err != nil && strings.Trim(last, "0123456789") != ""
}

// ParseDestinations reads a list of destinations, without those that are malformed: these
// allow nothing.
func ParseDestinations(list []string) (all Destinations) {
	for _, text := range list {
		if d, wrong := ParseDestination(text); wrong.IsZero() {
			all = append(all, d)
		}
	}
	return all
}

// Allows reports whether a host, a name or an address in its canonical form, may be
// connected to at a port.
func (l Destinations) Allows(host string, port uint16) bool {
	return slices.ContainsFunc(l, func(d Destination) bool { return d.covers(host, port) })
}

// String returns the list as a text shows it.
func (l Destinations) String() string {
	all := make([]string, len(l))
	for i, d := range l {
		all[i] = d.String()
	}
	return strings.Join(all, ", ")
}

// Names reports whether the list has an address itself, and not by a name.
func (l Destinations) Names(a netip.Addr) bool {
	return slices.ContainsFunc(l, func(d Destination) bool { return d.Host == a.String() })
}

func (d Destination) covers(host string, port uint16) bool {
	if d.Port != port && (d.Port != 0 || port != 80 && port != 443) {
		return false
	}
	if domain, ok := strings.CutPrefix(d.Host, "*"); ok {
		_, err := netip.ParseAddr(host)
		return err != nil && len(host) > len(domain) && strings.HasSuffix(host, domain)
	}
	return host == d.Host
}

// String returns the destination as settings write it.
func (d Destination) String() string {
	host := d.Host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if d.Port == 0 {
		return host
	}
	return host + ":" + strconv.Itoa(int(d.Port))
}
