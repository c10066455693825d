package config

import (
	"net/netip"
	"net/url"
	"strconv"

	"github.com/helve-dev/helve/pkg/fault"
)

// checkWeb tells what is wrong with the settings of the web.
func checkWeb(w *Web, tell func(pointer string, what fault.Text)) {
	for i, text := range w.AllowAddresses {
		if _, err := netip.ParsePrefix(text); err != nil {
			tell("/web/allow_addresses/"+strconv.Itoa(i), fault.T("want a block of addresses such as 198.18.0.0/15", "应为地址块，如 198.18.0.0/15"))
		}
	}
	if w.Proxy == "" || w.Proxy == "direct" {
		return
	}
	u, err := url.Parse(w.Proxy)
	known := err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "socks5" || u.Scheme == "socks5h")
	if !known {
		tell("/web/proxy", fault.T("want direct, or an address with http, https or socks5", "应为 direct，或使用 http、https、socks5 的地址"))
	}
}

// Blocks are the blocks of addresses that may be reached. They were checked.
func (w Web) Blocks() []netip.Prefix {
	var blocks []netip.Prefix
	for _, text := range w.AllowAddresses {
		if p, err := netip.ParsePrefix(text); err == nil {
			blocks = append(blocks, p.Masked())
		}
	}
	return blocks
}

// Service is the search engine of a name, empty for one that is not known.
func (s *Search) Service(name string) Service {
	switch name {
	case "brave":
		return s.Brave
	case "duckduckgo":
		return s.DuckDuckGo
	case "searxng":
		return s.SearXNG
	case "tavily":
		return s.Tavily
	case "exa":
		return s.Exa
	case "serper":
		return s.Serper
	case "google":
		return s.Google
	}
	return Service{}
}
