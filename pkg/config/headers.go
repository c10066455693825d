package config

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// hostHeaders is one of web.headers: what requests to a host carry.
type hostHeaders struct {
	Host    string            `json:"host"` // in lower case, or *. before one
	Headers map[string]string `json:"headers"`
}

// maxHeader is the longest value of a header, in bytes.
const maxHeader = 8 << 10

// Header returns the headers of web.headers for a host, which is in ASCII and lower case.
// Those for the host itself go before those for a wider pattern, and later sources before
// earlier ones.
func (w Web) Header(host string) map[string]string {
	var matching []hostHeaders
	for _, text := range w.Headers {
		var h hostHeaders
		if json.Unmarshal([]byte(text), &h) == nil && h.covers(host) {
			matching = append(matching, h)
		}
	}
	slices.SortStableFunc(matching, func(a, b hostHeaders) int {
		wide := func(h hostHeaders) int {
			if strings.HasPrefix(h.Host, "*.") {
				return len(h.Host)
			}
			return 1 << 20
		}
		return cmp.Compare(wide(a), wide(b))
	})
	all := map[string]string{}
	for _, h := range matching {
		for name, value := range h.Headers {
			all[strings.ToLower(name)] = value
		}
	}
	return all
}

func (h hostHeaders) covers(host string) bool {
	if suffix, ok := strings.CutPrefix(h.Host, "*"); ok {
		return len(host) > len(suffix) && strings.HasSuffix(host, suffix)
	}
	return h.Host == host
}

// headers returns web.headers as a list of texts, each the JSON of one host with its
// headers: a file has an object of them.
func headers(hosts *jsonc.Node, problems *schema.Problems) *jsonc.Node {
	report := func(pointer string, what fault.Text) {
		*problems = append(*problems, schema.Problem{Pointer: "/web/headers" + pointer, Message: what})
	}
	list := &jsonc.Node{Kind: jsonc.Array, Start: hosts.Start, End: hosts.End}
	if hosts.Kind != jsonc.Object {
		report("", fault.T("want an object of hosts, got %s", hosts.Kind))
		return list
	}
	for _, m := range hosts.Members {
		at := "/" + pointerTo(m.Name)
		host := strings.ToLower(m.Name)
		if !isHost(host) {
			report(at, fault.T("%q: want a host such as api.example.org, or *.example.org for those below it", m.Name))
		}
		if m.Value.Kind != jsonc.Object {
			report(at, fault.T("want an object of headers, got %s", m.Value.Kind))
			continue
		}
		one := hostHeaders{host, map[string]string{}}
		for _, h := range m.Value.Members {
			if what := wrongHeader(h.Name, h.Value); !what.IsZero() {
				report(at+"/"+pointerTo(h.Name), what)
				continue
			}
			one.Headers[h.Name] = h.Value.Text
		}
		text, err := json.Marshal(one) // of texts alone, so it cannot fail
		if err == nil {
			list.Items = append(list.Items, &jsonc.Node{Kind: jsonc.String, Text: string(text), Start: m.Value.Start, End: m.Value.End})
		}
	}
	return list
}

// pointerTo escapes a name for a JSON pointer (RFC 6901).
func pointerTo(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// isHost reports whether a text is a host, or *. before one with a dot in it.
func isHost(host string) bool {
	name, wide := strings.CutPrefix(host, "*.")
	if name == "" || len(name) > 253 || wide && !strings.Contains(name, ".") || strings.Contains("."+strings.Trim(name, "[]")+".", "..") {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' || r == ':' && !wide && strings.Count(name, ":") > 1)
	})
}

// wrongHeader describes the problem of a header; it never quotes the value.
func wrongHeader(name string, value *jsonc.Node) fault.Text {
	token := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}
	switch {
	case name == "" || len(name) > 100 || strings.ContainsFunc(name, func(r rune) bool { return !token(r) }):
		return fault.T("%q is not the name of a header", name)
	case isOurs(name):
		return fault.T("%s is set by helve itself", name)
	case value.Kind != jsonc.String:
		return fault.T("want string, got %s", value.Kind)
	case value.Text == "" || len(value.Text) > maxHeader || strings.ContainsFunc(value.Text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
		return fault.T("the value must have 1 to %d bytes and no line break or other control character", maxHeader)
	}
	return fault.Text{}
}

// isOurs reports whether a header is about the connection, the encoding or the part of a
// body, which the client decides.
func isOurs(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "host", "content-length", "content-type", "content-encoding", "transfer-encoding", "te", "trailer", "connection", "keep-alive", "upgrade", "expect", "accept-encoding", "range":
		return true
	}
	return strings.HasPrefix(name, "if-") || strings.HasPrefix(name, "proxy-")
}

// shownHeaders returns one of web.headers without its values.
func shownHeaders(value *jsonc.Node) *jsonc.Node {
	masked := *value
	var h hostHeaders
	if json.Unmarshal([]byte(value.Text), &h) != nil {
		masked.Text = hidden
		return &masked
	}
	for name := range h.Headers {
		h.Headers[name] = hidden
	}
	text, err := json.Marshal(h)
	if err != nil {
		text = []byte(hidden)
	}
	masked.Text = string(text)
	return &masked
}
