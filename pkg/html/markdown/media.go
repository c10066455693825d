package markdown

import (
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/layout"
)

// links makes addresses absolute, and unwraps links that lead nowhere.
func links(root *html.Node, base *url.URL) {
	for _, a := range dom.All(root, atom.A) {
		href := Absolute(base, dom.Attr(a, "href"))
		if href == "" || dom.Text(a) == "" && dom.First(a, atom.Img) == nil {
			dom.Unwrap(a)
			continue
		}
		a.Attr = []html.Attribute{{Key: "href", Val: href}}
		unblock(a)
	}
}

// unblock moves a link around blocks to their heading, or to the first block with
// text: Markdown has no links around blocks.
func unblock(a *html.Node) {
	blocks := 0
	var title *html.Node
	for d := range a.Descendants() {
		if !dom.IsBlock(d) {
			continue
		}
		blocks++
		if title == nil && dom.Heading(d) > 0 && dom.Text(d) != "" {
			title = d
		}
	}
	if blocks == 0 {
		return
	}
	if title == nil {
		for d := range a.Descendants() {
			if dom.IsBlock(d) && dom.Text(d) != "" && !dom.HoldsBlock(d) {
				title = d
				break
			}
		}
	}
	if title != nil {
		inner := dom.Element(atom.A)
		inner.Attr = a.Attr
		dom.Adopt(inner, title)
		title.AppendChild(inner)
		dom.Rename(a, atom.Div)
		a.Attr = nil
	}
}

// Absolute returns the absolute form of an address relative to base; "" for
// scripts, data and addresses that cannot be read.
func Absolute(base *url.URL, ref string) string {
	ref = strings.TrimSpace(ref)
	if ref == "" || len(ref) > 4096 {
		return ""
	}
	u, err := url.Parse(strings.ReplaceAll(ref, "\n", ""))
	if err != nil {
		return ""
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https", "ftp", "mailto", "tel", "magnet":
		u.User = nil
		return u.String()
	}
	return ""
}

// media gives images the address of the image that a browser would finally show,
// and removes images without one. Videos become links.
func media(root *html.Node, base *url.URL) {
	for _, img := range dom.All(root, atom.Img) {
		src := Absolute(base, source(img))
		alt := dom.Collapse(dom.Attr(img, "alt"))
		if src == "" || tiny(img) || alt == "" && !dom.Inside(img, atom.Figure) {
			if alt != "" && !tiny(img) {
				dom.Replace(img, alternative(alt))
			} else {
				dom.Remove(img)
			}
			continue
		}
		if isEmoji(img, alt) {
			dom.Replace(img, dom.NewText(alt))
			continue
		}
		img.Attr = []html.Attribute{{Key: "src", Val: src}, {Key: "alt", Val: alt}}
	}
	for _, n := range dom.All(root, atom.Iframe, atom.Video, atom.Audio, atom.Embed) {
		player(n, base)
	}
}

// altName is the name of the elements with the words for an image whose address is
// not known. They are in Markdown only.
const altName = "x-alt"

func alternative(alt string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: altName}
	n.AppendChild(dom.NewText(alt))
	return n
}

// isEmoji reports whether an image is a drawing of the one sign that its alternative
// is, which belongs to the text.
func isEmoji(img *html.Node, alt string) bool {
	if !dom.ContainsAny(dom.Mark(img), "emoji", "smiley") || dom.Length(alt) > 12 {
		return false
	}
	return !strings.ContainsFunc(alt, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' })
}

// source returns the address of an image, which pages that load images late keep in
// other attributes.
func source(img *html.Node) string {
	src := dom.Attr(img, "src")
	if src != "" && !strings.HasPrefix(strings.ToLower(strings.TrimSpace(src)), "data:") && !isPlaceholder(src) {
		return src
	}
	for _, key := range [...]string{"data-src", "data-original", "data-lazy-src", "data-lazy", "data-url", "data-image", "data-hi-res-src"} {
		if v := dom.Attr(img, key); v != "" && !strings.HasPrefix(v, "data:") {
			return v
		}
	}
	for _, key := range [...]string{"srcset", "data-srcset", "data-lazy-srcset"} {
		if v := largest(dom.Attr(img, key)); v != "" {
			return v
		}
	}
	if p := img.Parent; dom.Is(p, atom.Picture) {
		for _, s := range dom.All(p, atom.Source) {
			if v := largest(dom.Attr(s, "srcset") + "," + dom.Attr(s, "data-srcset")); v != "" {
				return v
			}
		}
	}
	return ""
}

func isPlaceholder(src string) bool {
	return dom.ContainsAny(strings.ToLower(src), "placeholder", "blank.gif", "spacer.gif", "transparent.gif", "pixel.gif", "lazy.", "loading.gif", "1x1.")
}

// largest returns the widest image of a srcset.
func largest(srcset string) string {
	best, most := "", -1.0
	for c := range strings.SplitSeq(srcset, ", ") {
		f := strings.Fields(strings.Trim(strings.TrimSpace(c), ","))
		if len(f) == 0 || strings.HasPrefix(f[0], "data:") {
			continue
		}
		size := 1.0
		if len(f) > 1 {
			size, _ = strconv.ParseFloat(strings.TrimRight(f[1], "wx"), 64)
		}
		if size > most {
			best, most = f[0], size
		}
	}
	return best
}

// tiny reports whether an image is a tracking pixel or a spacer.
func tiny(img *html.Node) bool {
	for _, key := range [...]string{"width", "height"} {
		if n, err := strconv.Atoi(strings.TrimSuffix(dom.Attr(img, key), "px")); err == nil && n <= 2 {
			return true
		}
	}
	return false
}

// player replaces an embedded video or sound by a link.
func player(n *html.Node, base *url.URL) {
	src := dom.Attr(n, "src")
	if src == "" {
		if s := dom.First(n, atom.Source); s != nil {
			src = dom.Attr(s, "src")
		}
	}
	src = Absolute(base, src)
	label := "video"
	switch n.DataAtom {
	case atom.Audio:
		label = "audio"
	case atom.Iframe, atom.Embed:
		label = dom.Attr(n, "title")
		if !layout.IsPlayer(src) {
			src = ""
		} else if label == "" {
			label = "video"
		}
	}
	if src == "" {
		dom.Remove(n)
		return
	}
	a := dom.Element(atom.A)
	a.Attr = []html.Attribute{{Key: "href", Val: src}}
	a.AppendChild(dom.NewText(label))
	p := dom.Element(atom.P)
	p.AppendChild(a)
	dom.Replace(n, p)
}
