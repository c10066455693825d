package layout

import (
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// How many embedded pages become links or content, and how many bytes of content come
// along with a page.
const (
	maxEmbedded = 20
	maxCarried  = 256 << 10
)

// Embedded replaces the pages that are embedded below root: one that comes with the
// page itself, in srcdoc, by its content, which parse makes a tree of; others by a
// line with a link. Advertisements, counters and widgets are removed. Players of
// videos stay.
func Embedded(root *html.Node, parse func(string) *html.Node) {
	count, carried := 0, 0
	for _, n := range dom.All(root, atom.Iframe) {
		if n.Parent == nil {
			continue
		}
		doc := dom.Attr(n, "srcdoc")
		if !dom.Blank(doc) && !tiny(n) && count < maxEmbedded && carried+len(doc) <= maxCarried {
			count++
			carried += len(doc)
			div := dom.Element(atom.Div)
			dom.Adopt(div, parse(doc))
			for _, inner := range dom.All(div, atom.Iframe) {
				dom.Remove(inner)
			}
			dom.Replace(n, div)
			continue
		}
		src := source(n)
		switch {
		case IsPlayer(src):
		case src == "" || tiny(n) || isWidget(n, src) || count == maxEmbedded:
			dom.Remove(n)
		default:
			count++
			dom.Replace(n, lineTo("iframe: "+titleOf(n, src), src))
		}
	}
}

// Frames returns the content of a page that only shows others in frames: a link to
// each frame. It is nil for any other page.
func Frames(doc *html.Node) *html.Node {
	set := dom.First(doc, atom.Frameset)
	if set == nil || dom.First(doc, atom.Body) != nil && dom.Text(dom.First(doc, atom.Body)) != "" {
		return nil
	}
	body, count := dom.Element(atom.Body), 0
	for _, f := range dom.All(doc, atom.Frame) {
		src := source(f)
		if src == "" || count == maxEmbedded {
			continue
		}
		count++
		body.AppendChild(lineTo("frame: "+titleOf(f, src), src))
	}
	if count == 0 {
		return nil
	}
	return body
}

func lineTo(text, href string) *html.Node {
	a := dom.Element(atom.A)
	dom.SetAttr(a, "href", href)
	a.AppendChild(dom.NewText(text))
	p := dom.Element(atom.P)
	p.AppendChild(a)
	return p
}

// source returns the address of an embedded page; "" if it is none of the web.
func source(n *html.Node) string {
	for _, key := range [...]string{"src", "data-src", "data-lazy-src"} {
		src := strings.TrimSpace(dom.Attr(n, key))
		u, err := url.Parse(src)
		if src == "" || err != nil || len(src) > 4096 {
			continue
		}
		switch strings.ToLower(u.Scheme) {
		case "", "http", "https":
			return src
		}
	}
	return ""
}

// titleOf returns the title of an embedded page: from its title, its name, or its host or path.
func titleOf(n *html.Node, src string) string {
	for _, key := range [...]string{"title", "aria-label", "name"} {
		if title := dom.Collapse(dom.Attr(n, key)); title != "" && len(title) < 200 {
			return title
		}
	}
	if u, err := url.Parse(src); err == nil && u.Host != "" {
		return u.Host
	}
	return src
}

// tiny reports whether an embedded page is too small to be read.
func tiny(n *html.Node) bool {
	const least = 30 // pixels
	for _, key := range [...]string{"width", "height"} {
		if px, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(dom.Attr(n, key)), "px")); err == nil && px < least {
			return true
		}
	}
	style := strings.ReplaceAll(strings.ToLower(dom.Attr(n, "style")), " ", "")
	return dom.ContainsAny(";"+style+";", ";width:0", ";height:0", ";width:1px;", ";height:1px;", ";display:none", ";visibility:hidden")
}

// isWidget reports whether an embedded page is an advertisement, counts readers, or is
// a control of another site.
func isWidget(n *html.Node, src string) bool {
	low := strings.ToLower(src)
	if dom.HasMark(n, "ad", "ads", "advert", "adsbygoogle", "google_ads", "captcha") || strings.Contains(dom.Mark(n), "google_ads") || low == "about:blank" {
		return true
	}
	return dom.ContainsAny(low,
		"googletagmanager.", "google-analytics.", "doubleclick.", "googlesyndication.", "googleadservices.", "adservice.", "/recaptcha/", "hcaptcha.", "challenges.cloudflare.",
		"amazon-adsystem.", "adnxs.", "criteo.", "taboola.", "outbrain.", "pubmatic.", "rubiconproject.", "openx.", "quantserve.", "scorecardresearch.", "demdex.", "hotjar.",
		"facebook.com/plugins", "facebook.com/tr", "connect.facebook.", "platform.twitter.com/widgets", "platform.linkedin.", "addthis.", "sharethis.", "accounts.google.", "apis.google.",
		"cookiebot.", "onetrust.", "consensu", "usercentrics.", "trustarc.", "intercom", "zdassets.", "tawk.to", "livechat", "js.stripe.", "disqus.com/embed", "/ads/", "/ad/", "adframe", "/pixel", "analytics")
}

// IsPlayer reports whether an address belongs to a video player on a known site.
func IsPlayer(src string) bool {
	return dom.ContainsAny(src, "youtube.com/", "youtube-nocookie.com/", "youtu.be/", "player.vimeo.com/", "dailymotion.com/",
		"player.bilibili.com/", "player.twitch.tv/", "archive.org/embed", "ted.com/")
}
