package web

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// MaxURL is the longest address, in bytes.
const MaxURL = 8 << 10

// Parse reads the address of a page as people and models write it: white space,
// quotes and brackets round it are dropped, and https is added where the scheme
// is missing. The host is normalised as browsers do it: to ASCII and lower case,
// without a trailing dot, numbers such as 0x7f000001 written out as the IPv4
// address that they are.
//
// The faults are invalid_arguments, about /url, and unsupported_scheme.
func Parse(raw string) (*url.URL, error) {
	text := strings.Trim(raw, " \t\r\n\"'`")
	if inner, ok := strings.CutPrefix(text, "<"); ok {
		text = strings.TrimSuffix(inner, ">")
	}
	if len(text) > MaxURL {
		return nil, badURL(fault.T("it has %d bytes; at most %d are taken", "共 %d 字节，最多 %d 字节", len(text), MaxURL))
	}
	if text == "" {
		return nil, badURL(fault.T("it is empty", "为空"))
	}
	if !hasScheme(text) {
		text = "https://" + strings.TrimPrefix(text, "//")
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, badURL(fault.T("it is not an address", "不是有效的地址")).Because(err)
	}
	return u, normalise(u)
}

// hasScheme tells "mailto:x" from "example.org:8080/x".
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

// normalise brings the address into the form in which it is checked and asked
// for.
func normalise(u *url.URL) error {
	u.Scheme = strings.ToLower(u.Scheme)
	if u.Scheme != "http" && u.Scheme != "https" {
		return fault.New(fault.UnsupportedScheme, fault.T("%s: is not fetched; only http and https are", "不支持 %s: 地址，仅支持 http 与 https", u.Scheme)).
			WithHint(fault.T("give a web address; read opens files of the workspace", "请给出网页地址；工作区内的文件请用 read"))
	}
	if u.User != nil {
		return badURL(fault.T("it holds a user name or password", "其中含有用户名或密码")).
			WithHint(fault.T("leave out what stands before the @", "请去掉 @ 之前的部分"))
	}
	if u.Opaque != "" {
		return badURL(fault.T("it has no // before the host", "主机名前缺少 //"))
	}
	host, err := normalHost(u.Hostname())
	if err != nil {
		return err
	}
	port := u.Port()
	if port != "" && (len(port) > 5 || atoi(port) == 0 || atoi(port) > 65535) {
		return badURL(fault.T("there is no port %s", "没有端口 %s", port))
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

// EscapeQuery writes the query of an address as browsers send it: white space,
// quotes and what is not ASCII in escapes (WHATWG URL Standard, special-query
// percent-encode set). What is an escape already stays one.
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

// normalHost is a host as it is looked up: an address in its canonical form or a
// name in ASCII and lower case.
func normalHost(host string) (string, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return a.String(), nil
	}
	ascii, err := toASCII(host)
	if err != nil {
		return "", badURL(fault.T("%q is not the name of a host", "%q 不是有效的主机名", host)).Because(err)
	}
	ascii = strings.TrimSuffix(ascii, ".")
	if ascii == "" || len(ascii) > 253 || strings.ContainsFunc(ascii, notInName) || strings.Contains("."+ascii+".", "..") {
		return "", badURL(fault.T("%q is not the name of a host", "%q 不是有效的主机名", host))
	}
	if a, numeric := number(ascii); numeric {
		if !a.IsValid() {
			return "", badURL(fault.T("%q is not an address", "%q 不是有效的地址", host))
		}
		return a.String(), nil
	}
	return ascii, nil
}

// toASCII writes an international name in the letters of the DNS. Digits and dots
// of other scripts become plain ones, so that they are seen for the address that
// they may spell.
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
// the bytes that are left. It is numeric and not valid where a browser would
// refuse the host.
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
		left := 8 * (4 - i) // bits that this part and those behind it fill
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

func badURL(why fault.Text) *fault.Error {
	return schema.Invalid("/url", why).
		WithHint(fault.T("give an address such as https://example.org/page", "请给出形如 https://example.org/page 的地址"))
}

// Host is the host that an address names, as a list, for the rules about hosts;
// of what is no address it is empty.
func Host(raw string) []string {
	u, err := Parse(raw)
	if err != nil {
		return nil
	}
	return []string{u.Hostname()}
}
