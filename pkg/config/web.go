package config

import (
	"net/netip"
)

// Blocks returns the blocks of addresses that may be reached.
func (w Web) Blocks() []netip.Prefix {
	var blocks []netip.Prefix
	for _, text := range w.AllowAddresses {
		if p, err := netip.ParsePrefix(text); err == nil {
			blocks = append(blocks, p.Masked())
		}
	}
	return blocks
}

// Service returns the settings of a search engine; they are empty for an unknown name.
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
